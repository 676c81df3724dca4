/** An object to import, and the place where the user specified it. */
import type { Properties } from "../../../provider/lifecycle/properties";
import { canonicalValues } from "../../../provider/values/canonical";
import { checkValue } from "../../../provider/values/check";
import { choice, object, optional, text, uuid, type ValueOf } from "../../../provider/shapes/shape";
import type { Host } from "../../objects/hosts";
import { KIND_NAMES, type KindName } from "../../objects/kinds";

/** An object to import, as the user specified it. */
export interface ImportRequest {
  readonly kind: KindName;
  /** Default: the host that the command line or the project chooses. */
  readonly host?: Host;
  /** The name by which other entries refer to it, and its logical name unless `logicalName` is set. */
  readonly name: string;
  readonly uuid: string;
  readonly logicalName?: string | undefined;
  /** A name or a URN. */
  readonly parent?: string | undefined;
  /** A name or a URN. */
  readonly provider?: string | undefined;
  /** Where the user specified it, for messages, such as `list.csv, line 2`. Absent if it is the only one. */
  readonly place?: string | undefined;
  /** Where it was in a Terraform state. */
  readonly origin?: TerraformOrigin;
}

/** What a Terraform state has about an object. */
export interface TerraformOrigin {
  readonly address: string;
  /** Its attributes. Absent if only the address is known. */
  readonly attributes?: Properties;
}

/** An entry of a list. */
export const lineShape = object({
  type: choice(KIND_NAMES),
  name: text({ minLength: 1 }),
  uuid: uuid(),
  parent: optional(text({ minLength: 1 })),
  provider: optional(text({ minLength: 1 })),
  // In the tables that an import from a Terraform state writes.
  address: optional(text({ minLength: 1 })),
});

/**
 * Validates an object to import.
 *
 * @param place where the user specified it, for messages.
 */
export function importRequest(
  line: unknown,
  place: string,
): { readonly request?: ImportRequest; readonly problems: readonly string[] } {
  const problems = checkValue(lineShape, line, { isUnknown: () => false });
  if (problems.length > 0) {
    return {
      problems: problems.map(({ path, reason }) => `${place}: ${path === "" ? "it" : path} ${reason}.`),
    };
  }
  const { type, address, ...rest } = canonicalValues(lineShape.fields, line as ValueOf<typeof lineShape>);
  return {
    request: { kind: type, ...rest, place, ...(address !== undefined && { origin: { address } }) },
    problems: [],
  };
}

/** A message about an object, with the place where the user specified it. */
export function inPlace(place: string | undefined, message: string): string {
  return place === undefined ? message : `${place}: ${message}`;
}
