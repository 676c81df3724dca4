/** Random values that a schema of an API description allows, independently of the code that validates them. */
import fc from "fast-check";
import { z } from "zod";

/** The parts of a schema of OpenAPI 3.0 that are used here. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Schemas;
  readonly required?: readonly string[];
  readonly default?: unknown;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** The schema as an API description has it. */
export function described(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, {
    target: "openapi-3.0",
    override({ zodSchema, jsonSchema }) {
      if (zodSchema instanceof z.ZodURL) jsonSchema.format = "uri";
    },
  }) as Schema;
}

/** The schema with everything that it refers to or consists of. */
export function resolved({ $ref, allOf = [], ...own }: Schema, named: Schemas): Schema {
  if ($ref !== undefined) return resolved(named[$ref.split("/").at(-1) ?? ""] ?? {}, named);
  const parts = allOf.map((part) => resolved(part, named));
  const properties = Object.assign({}, ...parts.map((part) => part.properties), own.properties);
  // Null must be allowed by the whole and by each part.
  return Object.assign({}, ...parts, { nullable: false }, own, { properties });
}

/** Values of a schema. If they are complete, they have every field, and no null that could be something else. */
export function allowedBy(schema: Schema, named: Schemas = {}, complete = false): fc.Arbitrary<unknown> {
  const { nullable = false, ...whole } = resolved(schema, named);
  const values = allowedByWhole(whole, (part) => allowedBy(part, named, complete), complete);
  return nullable && !complete ? fc.option(values) : values;
}

type Values = fc.Arbitrary<unknown>;

function allowedByWhole(schema: Schema, inner: (part: Schema) => Values, complete: boolean): Values {
  const { minimum: min = 0, maximum: max = 100, minLength = 0, maxLength = 500, format, pattern } = schema;
  if (schema.oneOf !== undefined) return fc.oneof(...schema.oneOf.map(inner));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const fits = (text: string) => [...text].length >= minLength && [...text].length <= maxLength;
  switch (schema.type) {
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min, max });
    case "number":
      return fc.double({ min, max, noNaN: true });
    case "array":
      return fc.array(inner(schema.items ?? {}), {
        minLength: Math.max(schema.minItems ?? 0, complete ? 1 : 0),
        maxLength: Math.min(3, schema.maxItems ?? 3),
      });
    case "object": {
      const fields = Object.entries(schema.properties ?? {}).map(([name, part]) => [name, inner(part)]);
      const requiredKeys = [...(schema.required ?? [])] as never[];
      return fc.record(Object.fromEntries(fields), complete ? {} : { requiredKeys });
    }
    default:
      if (format !== undefined) return (FORMATS[format] ?? unicodeText()).filter(fits);
      if (pattern !== undefined) return matching(new RegExp(pattern)).filter(fits);
      return unicodeText({ minLength, maxLength });
  }
}

/** Any character but a half of a surrogate pair, equally likely. fast-check's own `binary` takes a second to build. */
const CHARACTER = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800), numberOf);

/** The number of a character. fast-check puts texts such as "__proto__" into strings only where it knows it. */
function numberOf(character: unknown): number {
  const code = String(character).codePointAt(0);
  if (typeof character !== "string" || code === undefined || String.fromCodePoint(code) !== character)
    throw new Error("It is not one character.");
  return code < 0xd800 ? code : code - 0x800;
}

/** A text of any characters. */
export function unicodeText(lengths: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ ...lengths, unit: CHARACTER });
}

const PART = unicodeText({ maxLength: 10 }).map(encodeURIComponent);

/** An HTTPS address with a path and, sometimes, a query. */
const webAddress: fc.Arbitrary<string> = fc
  .tuple(fc.domain(), fc.array(PART, { maxLength: 4 }), fc.option(PART))
  .map(([host, path, query]) => [`https://${host}/${path.join("/")}`, query ?? []].flat().join("?text="));

const byPattern = new Map<string, fc.Arbitrary<string>>();

/** Texts that match a pattern. To prepare them takes longer than to generate some. */
function matching(pattern: RegExp): fc.Arbitrary<string> {
  const texts = byPattern.get(pattern.source) ?? fc.stringMatching(pattern);
  byPattern.set(pattern.source, texts);
  return texts;
}

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid(),
  uri: webAddress,
  "date-time": fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString()),
};
