/**
 * Canonical forms: values that can be written in several ways are compared and stored in one of them, the one that their
 * schema returns.
 */
import type { z } from "zod";
import { type Fields, fieldsOf, itemOf } from "./schema";
import { isRecord } from "./walk";

/**
 * Converts the values of an object to canonical form, at any depth. A value that is invalid, is not known yet, or is not
 * among the fields is unchanged.
 *
 * @example
 * canonicalValues({ id: uuid }, { id: "8F14E45F-…", name: "Shop" }); // { id: "8f14e45f-…", name: "Shop" }
 */
export function canonicalValues<Values extends object>(fields: Fields, values: Values): Values {
  const entries = Object.entries(values).map(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return [name, field === undefined ? value : canonical(field, value)];
  });
  return Object.fromEntries(entries);
}

function canonical(schema: z.ZodType, value: unknown): unknown {
  const [fields, item] = [fieldsOf(schema), itemOf(schema)];
  if (fields !== undefined && isRecord(value)) return canonicalValues(fields, value);
  if (item !== undefined && Array.isArray(value)) return value.map((each) => canonical(item, each));
  return typeof value === "string" ? (schema.safeParse(value).data ?? value) : value;
}
