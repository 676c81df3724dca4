/** Looks into zod schemas: what a field is, without `optional` and `nullable`, and what it contains. */
import { z } from "zod";
import { isRecord } from "./walk";

/** The fields of an object, by name in camelCase. */
export type Fields = Readonly<Record<string, z.ZodType>>;

/** A schema without `optional` and `nullable`, and whether it had them. */
export function unwrapped(schema: z.ZodType) {
  let inner = schema;
  let [optional, nullable] = [false, false];
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) {
    if (inner instanceof z.ZodOptional) optional = true;
    else nullable = true;
    inner = inner.unwrap() as z.ZodType;
  }
  return { inner, optional, nullable };
}

/** The fields of an object, or of all variants of a union; undefined for other schemas. */
export function fieldsOf(schema: z.ZodType): Fields | undefined {
  const { inner } = unwrapped(schema);
  if (inner instanceof z.ZodUnion)
    return Object.assign({}, ...inner.options.map((each) => fieldsOf(each as z.ZodType)));
  return inner instanceof z.ZodObject ? (inner.shape as Fields) : undefined;
}

/** The schema of the items of a list; undefined for other schemas. */
export function itemOf(schema: z.ZodType): z.ZodType | undefined {
  const { inner } = unwrapped(schema);
  return inner instanceof z.ZodArray ? (inner.element as z.ZodType) : undefined;
}

/** The values of a choice; undefined for other schemas. */
export function choicesOf(schema: z.ZodType): readonly unknown[] | undefined {
  const { inner } = unwrapped(schema);
  if (inner instanceof z.ZodLiteral) return [...inner.values];
  return inner instanceof z.ZodEnum ? inner.options : undefined;
}

/** Converts the names of fields and the values that have none, at any depth. What is not in the schema is unchanged. */
export function converted(
  schema: z.ZodType,
  value: unknown,
  nameOf: (name: string) => string,
  convert: (schema: z.ZodType, value: unknown) => unknown,
): unknown {
  const { inner } = unwrapped(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map((each) => converted(inner.element as z.ZodType, each, nameOf, convert));
  const fields = fieldsOf(inner);
  if (fields === undefined || !isRecord(value)) return convert(inner, value);
  const entries = Object.entries(value).map(([name, each]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return field === undefined ? [name, each] : [nameOf(name), converted(field, each, nameOf, convert)];
  });
  return Object.fromEntries(entries);
}

/** The schema at a path of names and indices; undefined if the path leads nowhere. */
export function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
  return path.reduce<z.ZodType | undefined>((at, step) => {
    const fields = at && fieldsOf(at);
    return fields && Object.hasOwn(fields, step) ? fields[String(step)] : at && itemOf(at);
  }, schema);
}
