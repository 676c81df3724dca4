/** Random values that the description of the interface allows, independently of the client. */
import fc from "fast-check";
import { loadContract } from "../../../testing/emulator/contract/contract";
import { matching, unicodeText, webAddress } from "./text";

type Spec = {
  readonly $ref?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Spec;
  readonly properties?: Readonly<Record<string, Spec>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly Spec[];
  readonly oneOf?: readonly Spec[];
};

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid(),
  uri: webAddress,
  "date-time": fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString()),
};

const contract = loadContract("openapi.yaml");

/** The operations whose success has content, with random contents. */
export function validResponses(): (readonly [operationId: string, content: fc.Arbitrary<unknown>])[] {
  return contract.operations.flatMap(({ operationId, answers }) => {
    const content = [...answers].find(([status]) => status < 300)?.[1];
    return content === undefined ? [] : [[operationId, allowedBy(content, "some")] as const];
  });
}

/** Each variant of an operation's body: the names of its fields, and random bodies with all of them. */
export function wholeBodies(
  operationId: string,
): readonly { readonly names: readonly string[]; readonly bodies: fc.Arbitrary<Record<string, unknown>> }[] {
  const { body } = contract.operations.find((each) => each.operationId === operationId) ?? {};
  const spec: Spec = body === undefined ? { oneOf: [] } : resolved(body);
  return (spec.oneOf ?? [spec]).map((variant) => ({
    names: Object.keys(resolved(variant).properties ?? {}),
    bodies: allowedBy(variant, "all") as fc.Arbitrary<Record<string, unknown>>,
  }));
}

/** The schema that a reference leads to, with the fields of the schemas that it includes. */
function resolved({ $ref, ...spec }: Spec): Spec {
  const name = $ref?.replace("#/components/schemas/", "");
  const { allOf = [], ...own } =
    name === undefined ? spec : (contract.document.components.schemas[name] as Spec);
  if (allOf.length === 0) return own;
  const included = allOf.map((each) => resolved(each).properties);
  return { ...own, properties: Object.assign({}, ...included, own.properties) };
}

/** Values that a schema allows. With `all`, they have every field, and null only where no other value is allowed. */
function allowedBy(unresolved: Spec, fields: "all" | "some"): fc.Arbitrary<unknown> {
  const { nullable = false, ...spec } = resolved(unresolved);
  const within = (each: Spec) => allowedBy(each, fields);
  if (nullable && fields === "some") return fc.option(within(spec));
  if (spec.enum !== undefined) return fc.constantFrom(...spec.enum);
  switch (spec.type) {
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.nat();
    case "array":
      return fc.array(within(spec.items ?? {}), {
        minLength: spec.minItems ?? 0,
        maxLength: Math.min(3, spec.maxItems ?? 3),
      });
    case "object": {
      const { properties = {}, required = [] } = spec;
      const values = Object.entries(properties).map(([name, each]) => [name, within(each)]);
      const requiredKeys = fields === "all" ? Object.keys(properties) : required;
      return fc.record(Object.fromEntries(values), { requiredKeys: [...requiredKeys] as never[] });
    }
    default: {
      const { minLength = 0, maxLength = 60 } = spec;
      if (spec.pattern !== undefined) return matching(new RegExp(spec.pattern));
      return FORMATS[spec.format ?? ""] ?? unicodeText({ minLength, maxLength });
    }
  }
}
