/** Generates values that satisfy a schema of an OpenAPI document. */
import fc from "fast-check";

/** The parts of a schema that this file uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object";
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly format?: "uuid" | "uri" | "date-time";
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/**
 * Any character, equally likely, as the unit "binary" of fast-check is. That one and its URLs first fill a table of all
 * characters, which takes longer than all requests of a test.
 */
const CHARACTER = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800), codeOf);
const PATH_CHARACTER = fc.oneof(
  fc.constantFrom(..."az09-._~!$&'()*+,;=:@"),
  CHARACTER.map((character) => encodeURIComponent(character)),
);
const URLS = fc
  .tuple(
    fc.constantFrom("http", "https"),
    fc.domain(),
    fc.array(fc.string({ unit: PATH_CHARACTER, maxLength: 10 }), { maxLength: 3 }),
  )
  .map(([scheme, host, path]) => [`${scheme}:/`, host, ...path].join("/"));
const byPattern = new Map<string, fc.Arbitrary<string>>();

/** The number behind a character. fast-check puts texts such as "__proto__" into strings only where it knows it. */
function codeOf(character: unknown): number {
  const code = String(character).codePointAt(0);
  if (typeof character !== "string" || code === undefined || String.fromCodePoint(code) !== character)
    throw new Error("It is not one character.");
  return code < 0xd800 ? code : code - 0x800;
}

/** Strings that match a pattern. Their preparation takes longer than a request, so it is done once. */
function matching(pattern: string): fc.Arbitrary<string> {
  const strings = byPattern.get(pattern) ?? fc.stringMatching(new RegExp(pattern));
  byPattern.set(pattern, strings);
  return strings;
}

/** Values for a schema. Ids are drawn from `ids`, so that some of them exist. */
export function arbitraryFor(
  schema: Schema,
  { schemas, ids }: { schemas: { [name: string]: Schema }; ids: readonly string[] },
): fc.Arbitrary<unknown> {
  const context = { schemas, ids };
  const of = (one: Schema) => arbitraryFor(one, context);
  if (schema.$ref !== undefined) return of(named(schema.$ref, schemas));
  if (schema.oneOf !== undefined) return fc.oneof(...schema.oneOf.map(of));
  if (schema.allOf !== undefined) {
    const { allOf, ...rest } = schema;
    return of(allOf.map((part) => (part.$ref ? named(part.$ref, schemas) : part)).reduce(merged, rest));
  }
  if (schema.anyOf !== undefined) {
    const { anyOf, ...rest } = schema;
    return fc.oneof(...anyOf.map((part) => of(merged(part, rest))));
  }
  const values = schema.enum === undefined ? typed(schema, context) : fc.constantFrom(...schema.enum);
  return schema.nullable ? fc.option(values, { nil: null, freq: 4 }) : values;
}

function typed(
  schema: Schema,
  context: { schemas: { [name: string]: Schema }; ids: readonly string[] },
): fc.Arbitrary<unknown> {
  const { type, format, pattern, minLength = 0, maxLength = 30 } = schema;
  switch (type) {
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 100 });
    case "number":
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 100, noNaN: true });
    case "array":
      return fc.array(arbitraryFor(schema.items ?? {}, context), {
        minLength: schema.minItems ?? 0,
        maxLength: schema.maxItems ?? 3,
      });
    case "object": {
      const required = new Set(schema.required);
      const model = Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [
          name,
          arbitraryFor(property, context),
        ]),
      );
      return fc
        .record(model, { requiredKeys: [...required] })
        .filter((value) => Object.keys(value).length >= (schema.minProperties ?? 0));
    }
    case "string":
      if (format === "uuid")
        return fc.oneof(
          { weight: 4, arbitrary: fc.constantFrom(...context.ids) },
          { weight: 1, arbitrary: fc.uuid() },
        );
      if (format === "uri") return URLS.filter((url) => url.length <= maxLength);
      if (format === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
      if (pattern !== undefined) return matching(pattern).filter((text) => text.length <= maxLength);
      return fc.oneof(
        {
          weight: 3,
          arbitrary: fc.string({ unit: CHARACTER, minLength, maxLength: Math.min(maxLength, 30) }),
        },
        { weight: 1, arbitrary: fc.constant("x".repeat(maxLength)) },
      );
    default:
      return fc.jsonValue();
  }
}

function named(reference: string, schemas: { [name: string]: Schema }): Schema {
  const schema = schemas[reference.split("/").at(-1) ?? ""];
  if (schema === undefined) throw new Error(`${reference} is not there.`);
  return schema;
}

function merged(one: Schema, other: Schema): Schema {
  return {
    ...one,
    ...other,
    nullable: Boolean(one.nullable && other.nullable),
    properties: { ...one.properties, ...other.properties },
    required: [...(one.required ?? []), ...(other.required ?? [])],
  };
}
