/** Generates values that satisfy a schema of an OpenAPI document. */
import fc from "fast-check";
import { matching, unicodeText, webAddress } from "../support/values/text";

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

interface Context {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly ids: readonly string[];
}

/** Values for a schema. Ids are drawn from `ids`, so that some of them exist. */
export function arbitraryFor(schema: Schema, context: Context): fc.Arbitrary<unknown> {
  const { schemas } = context;
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

function typed(schema: Schema, context: Context): fc.Arbitrary<unknown> {
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
      if (format === "uri") return webAddress.filter((url) => url.length <= maxLength);
      if (format === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
      if (pattern !== undefined)
        return matching(new RegExp(pattern)).filter((text) => text.length <= maxLength);
      return fc.oneof(
        {
          weight: 3,
          arbitrary: unicodeText({ minLength, maxLength: Math.min(maxLength, 30) }),
        },
        { weight: 1, arbitrary: fc.constant("x".repeat(maxLength)) },
      );
    default:
      return fc.jsonValue();
  }
}

function named(reference: string, schemas: Context["schemas"]): Schema {
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
