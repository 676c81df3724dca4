/** Converts property values between plain ones and JSON with the engine's marks: see docs/internals/native-host.md#marks. */
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { UserError } from "../../errors";
import type { Properties } from "../../lifecycle/properties";
import { isUuid } from "../../values/uuid";
import { isRecord } from "../../values/walk";
import { SECRET, SIGNATURE, UNKNOWN_VALUE } from "../values";

const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
const RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e";

/** Plain property values, and the names of the secret ones. */
export interface PropertyValues {
  readonly values: Properties;
  readonly secrets: readonly string[];
}

/** Decodes properties; none if they are missing. @throws UserError for a value that no property can have. */
export function fromStruct(struct: Struct | undefined): PropertyValues {
  return fromWire(struct?.toJavaScript() ?? {});
}

/** Encodes properties, and marks the secret ones. */
export function toStruct(properties: PropertyValues): Struct {
  return Struct.fromJavaScript(withMarks(properties) as Parameters<typeof Struct.fromJavaScript>[0]);
}

/** Removes the marks. @throws UserError for a value that no property can have. */
export function fromWire(marked: Properties): PropertyValues {
  const secrets = new Set<string>();
  const entries = Object.entries(marked).map(([name, value]) => [name, plain(value, name, secrets)] as const);
  return { values: Object.fromEntries(entries), secrets: [...secrets] };
}

/** Marks secrets. Omits undefined values, which a message cannot contain. */
export function withMarks({ values, secrets }: PropertyValues): Properties {
  const present: Properties = JSON.parse(JSON.stringify(values));
  const entries = Object.entries(present).map(([name, value]) => {
    const isMarked = value !== null && secrets.includes(name);
    return [name, isMarked ? { [SIGNATURE]: SECRET, value } : value];
  });
  return Object.fromEntries(entries);
}

/** The texts in the secret properties. UUIDs are not secret: messages need them, and states have them. */
export function secretTexts({ values, secrets }: PropertyValues): string[] {
  return secrets.flatMap((name) => textsIn(values[name])).filter((text) => !isUuid(text));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** A value without marks. Adds the name of its property to `secrets` if it has one. */
function plain(value: unknown, name: string, secrets: Set<string>): unknown {
  const unmarked = (each: unknown) => plain(each, name, secrets);
  if (Array.isArray(value)) return value.map(unmarked);
  if (!isRecord(value)) return value;
  const { [SIGNATURE]: mark } = value;
  if (mark === SECRET || (mark === OUTPUT && value.secret === true)) secrets.add(name);
  switch (mark) {
    case undefined:
      return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, unmarked(each)]));
    case SECRET:
      return unmarked(value.value);
    case OUTPUT:
      return "value" in value ? unmarked(value.value) : UNKNOWN_VALUE;
    case RESOURCE:
      // A component has no id. A resource that is not created yet has an empty id.
      return "id" in value ? unmarked(value.id || UNKNOWN_VALUE) : value.urn;
    default:
      // The names in a value may be secret, too.
      throw new UserError(`${name} must contain only plain values: no asset, and no archive.`);
  }
}
