/** Canonical forms: a value that can be written in several ways is compared and stored as its schema returns it. */
import type { z } from "zod";
import { converted } from "./schema";

/**
 * Converts values to canonical form, at any depth. What is invalid, unknown or not in the schema is unchanged.
 *
 * @example
 * canonicalValues(z.object({ id: uuid }), { id: "8F14E45F-…", name: "Shop" }); // { id: "8f14e45f-…", name: "Shop" }
 */
export function canonicalValues<Values extends object>(schema: z.ZodType, values: Values): Values {
  const unchanged = (name: string) => name;
  const convert = (field: z.ZodType, value: unknown) =>
    typeof value === "string" ? (field.safeParse(value).data ?? value) : value;
  return converted(schema, values, { from: unchanged, to: unchanged, convert }) as Values;
}
