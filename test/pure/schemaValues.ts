/** Values generated from schemas, independently of the validation: valid ones, and ones that break a single rule. */
import fc from "fast-check";
import type { z } from "zod";
import { fieldsOf, itemOf, unwrapped } from "../../provider/values/schema";
import { allowedBy, described } from "../support/values/arbitraries";

/** A text in values that break a rule. Tests check that messages do not contain it. */
export const MARK = "value-of-the-caller";

/** Valid values. With `all` they have every field, with `some` they may lack optional ones. */
export function valid(schema: z.ZodType, fields: "all" | "some"): fc.Arbitrary<unknown> {
  return allowedBy(described(schema), {}, fields === "all");
}

/** The path to a value: names and indices. */
export type Path = (string | number)[];

/** Each path in a schema, with values that break one rule there. */
export function places(schema: z.ZodType, path: Path = []): { path: Path; wrong: fc.Arbitrary<unknown> }[] {
  const here = [{ path, wrong: wrong(schema) }];
  const [item, fields] = [itemOf(schema), fieldsOf(schema)];
  if (item !== undefined) return [...here, ...places(item, [...path, 0])];
  if (fields === undefined) return here;
  const [name = ""] = Object.keys(fields);
  const misspelt = { path: [...path, `${name}x`], wrong: fc.constant(MARK) };
  const inside = Object.entries(fields).flatMap(([name, field]) => places(field, [...path, name]));
  return [...here, misspelt, ...inside];
}

function wrong(schema: z.ZodType): fc.Arbitrary<unknown> {
  const { optional } = unwrapped(schema);
  const { type, nullable, minLength = 0, maxLength, minItems = 0, maxItems, ...rules } = described(schema);
  const wrongs: fc.Arbitrary<unknown>[] = [
    type === "string" ? fc.constantFrom<unknown>(5, true, [], {}) : fc.constant(MARK),
  ];
  const add = (value: unknown) => wrongs.push(fc.constant(value));
  if (!optional) add(undefined);
  if (!optional && !nullable) add(null);
  if (type !== "array" && (type !== "string" || rules.enum !== undefined)) add([MARK]);
  if (minItems > 0) add([]);
  if (maxItems !== undefined) {
    const length = maxItems + 1;
    wrongs.push(fc.array(allowedBy(rules.items ?? {}), { minLength: length, maxLength: length }));
  }
  if (rules.enum !== undefined) return fc.oneof(...wrongs);
  if (maxLength !== undefined) add(MARK.repeat(maxLength).slice(0, maxLength + 1));
  if (minLength > 0) add(MARK.slice(0, minLength - 1));
  if (rules.format !== undefined || rules.pattern !== undefined) add(MARK);
  return fc.oneof(...wrongs);
}

/** A copy of the value with another value at one path. */
export function replaced(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.with(Number(step), replaced(value[Number(step)], rest, by));
  return { ...Object(value), [step]: replaced(Object(value)[step], rest, by) };
}
