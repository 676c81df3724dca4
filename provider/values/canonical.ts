/**
 * Canonical forms: values that can be written in several ways are compared and stored in one of them, the one that their
 * schema returns.
 */
import type { z } from "zod";
import { converted } from "./schema";

/**
 * Converts the values of an object to canonical form, at any depth. A value that is invalid, is not known yet, or is not
 * in the schema is unchanged.
 *
 * @example
 * canonicalValues(z.object({ id: uuid }), { id: "8F14E45F-…", name: "Shop" }); // { id: "8f14e45f-…", name: "Shop" }
 */
export function canonicalValues<Values extends object>(schema: z.ZodType, values: Values): Values {
  const canonical = (field: z.ZodType, value: unknown) =>
    typeof value === "string" ? (field.safeParse(value).data ?? value) : value;
  return converted(schema, values, (name) => name, canonical) as Values;
}
