/** Values generated from schemas, independently of the validation: valid ones, and ones that break a single rule. */
import fc from "fast-check";
import { z } from "zod";
import { type Fields, fieldsOf, itemOf, unwrapped } from "../../../provider/values/schema";
import { matching, unicodeText, webAddress } from "./text";

/** A text in values that break a rule. Tests check that messages do not contain it. */
export const MARK = "value-of-the-caller";

/** The rules of a value, and the pattern of text. */
export function rulesOf(schema: z.ZodType) {
  const { inner, optional, nullable } = unwrapped(schema);
  const { type, enum: values, ...limits } = z.toJSONSchema(inner);
  const checks: readonly object[] = (inner.def as { readonly checks?: readonly object[] }).checks ?? [];
  const patterns = checks.flatMap((check) => {
    const def: { format?: unknown; pattern?: RegExp } = Object(Reflect.get(check, "_zod")).def;
    return def.format === "regex" && def.pattern !== undefined ? [def.pattern] : [];
  });
  const choices = "const" in limits ? [limits.const] : values;
  const format = inner instanceof z.ZodGUID ? "guid" : inner instanceof z.ZodURL ? "url" : undefined;
  return { ...limits, type, choices, format, pattern: patterns[0], optional, nullable };
}

/** Valid values. With `all` they have every field, with `some` they may lack optional ones. */
export function valid(schema: z.ZodType, fields: "all" | "some"): fc.Arbitrary<unknown> {
  const rules = rulesOf(schema);
  const { minLength = 0, maxLength = 60, minItems = 0, maxItems = 3, format, pattern, choices } = rules;
  if (choices !== undefined) return fc.constantFrom(...choices);
  switch (rules.type) {
    case "string": {
      const fits = (value: string) => [...value].length >= minLength && [...value].length <= maxLength;
      if (format === "guid") return fc.uuid();
      if (format === "url") return webAddress.filter(fits);
      if (pattern !== undefined) return matching(pattern).filter(fits);
      return unicodeText({ minLength, maxLength });
    }
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: Math.max(-9, rules.minimum ?? -9), max: Math.min(9, rules.maximum ?? 9) });
    case "array":
      return fc.array(valid(itemOf(schema) as z.ZodType, fields), {
        minLength: Math.max(minItems, fields === "all" ? 1 : 0),
        maxLength: maxItems,
      });
    default: {
      const entries = Object.entries(fieldsOf(schema) as Fields).map(([name, field]) => {
        const { optional, nullable } = unwrapped(field);
        const others = [...(nullable || optional ? [null] : []), ...(optional ? [undefined] : [])];
        const value = valid(field, fields);
        return [name, fields === "all" ? value : fc.oneof(value, ...others.map((each) => fc.constant(each)))];
      });
      return fc.record(Object.fromEntries(entries));
    }
  }
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
  return [
    ...here,
    misspelt,
    ...Object.entries(fields).flatMap(([name, field]) => places(field, [...path, name])),
  ];
}

function wrong(schema: z.ZodType): fc.Arbitrary<unknown> {
  const rules = rulesOf(schema);
  const { minLength = 0, maxLength, minItems = 0, maxItems, format, pattern } = rules;
  const absent = [
    ...(rules.optional || rules.nullable ? [] : [fc.constant(null)]),
    ...(rules.optional ? [] : [fc.constant(undefined)]),
  ];
  const ofLength = (length: number) => fc.constant(MARK.repeat(length).slice(0, length));
  const otherKind = rules.type === "string" ? fc.constantFrom<unknown>(5, true, [], {}) : fc.constant(MARK);
  if (rules.type === "array")
    return fc.oneof(
      otherKind,
      ...absent,
      ...(minItems === 0 ? [] : [fc.constant([])]),
      ...(maxItems === undefined
        ? []
        : [
            fc.array(valid(itemOf(schema) as z.ZodType, "all"), {
              minLength: maxItems + 1,
              maxLength: maxItems + 1,
            }),
          ]),
    );
  if (rules.type !== "string" || rules.choices !== undefined)
    return fc.oneof(otherKind, fc.constant([MARK]), ...absent);
  return fc.oneof(
    otherKind,
    ...absent,
    ...(maxLength === undefined ? [] : [ofLength(maxLength + 1)]),
    ...(minLength === 0 ? [] : [ofLength(minLength - 1)]),
    ...(format === undefined && pattern === undefined ? [] : [fc.constant(MARK)]),
  );
}

/** A copy of the value with another value at one path. */
export function replaced(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.with(Number(step), replaced(value[Number(step)], rest, by));
  return { ...Object(value), [step]: replaced(Object(value)[step], rest, by) };
}

/** A path in the form that messages use. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return text === "" ? step : `${text}.${step}`;
  }, "");
}
