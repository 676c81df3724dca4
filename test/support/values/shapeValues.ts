/** Values generated from shapes, independently of the validation: valid ones, and ones that break a single rule. */
import fc from "fast-check";
import type { Shape } from "../../../provider/shapes/shape";
import { matching, unicodeText, webAddress } from "./text";

/** A text in values that break a rule. Tests check that messages do not contain it. */
export const MARK = "value-of-the-caller";

/** Valid values. With `all` they have every field, with `some` they may lack optional ones. */
export function valid(shape: Shape, fields: "all" | "some"): fc.Arbitrary<unknown> {
  const { minLength = 0, maxLength = 60, minItems = 0, maxItems = 3, format, pattern } = shape.rules ?? {};
  switch (shape.kind) {
    case "text": {
      const fits = (value: string) => [...value].length >= minLength && [...value].length <= maxLength;
      if (format === "uuid") return fc.uuid();
      if (format === "uri") return webAddress.filter(fits);
      if (pattern !== undefined) return matching(pattern).filter(fits);
      return unicodeText({ minLength, maxLength });
    }
    case "choice":
      return fc.constantFrom(...(shape.values ?? []));
    case "flag":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: shape.rules?.minimum ?? -9, max: shape.rules?.maximum ?? 9 });
    case "list":
      return fc.array(valid(shape.item as Shape, fields), {
        minLength: Math.max(minItems, fields === "all" ? 1 : 0),
        maxLength: maxItems,
      });
    case "object": {
      const entries = Object.entries(shape.fields ?? {}).map(([name, field]) => {
        const others = [
          ...(field.nullable || field.optional ? [null] : []),
          ...(field.optional ? [undefined] : []),
        ];
        const value = valid(field, fields);
        return [name, fields === "all" ? value : fc.oneof(value, ...others.map((each) => fc.constant(each)))];
      });
      return fc.record(Object.fromEntries(entries));
    }
  }
}

/** The path to a value: names and indices. */
export type Path = (string | number)[];

/** Each path in a shape, with values that break one rule there. */
export function places(shape: Shape, path: Path = []): { path: Path; wrong: fc.Arbitrary<unknown> }[] {
  const here = [{ path, wrong: wrong(shape) }];
  if (shape.kind === "list") return [...here, ...places(shape.item as Shape, [...path, 0])];
  if (shape.kind !== "object") return here;
  const [name = ""] = Object.keys(shape.fields ?? {});
  const misspelt = { path: [...path, `${name}x`], wrong: fc.constant(MARK) };
  return [
    ...here,
    misspelt,
    ...Object.entries(shape.fields ?? {}).flatMap(([name, field]) => places(field, [...path, name])),
  ];
}

function wrong(shape: Shape): fc.Arbitrary<unknown> {
  const { minLength = 0, maxLength, minItems = 0, maxItems, format, pattern } = shape.rules ?? {};
  const absent = [
    ...(shape.optional || shape.nullable ? [] : [fc.constant(null)]),
    ...(shape.optional ? [] : [fc.constant(undefined)]),
  ];
  const ofLength = (length: number) => fc.constant(MARK.repeat(length).slice(0, length));
  const otherKind =
    shape.kind === "text" || shape.kind === "choice"
      ? fc.constantFrom<unknown>(5, true, [], {})
      : fc.constant(MARK);
  switch (shape.kind) {
    case "text":
      return fc.oneof(
        otherKind,
        ...absent,
        ...(maxLength === undefined ? [] : [ofLength(maxLength + 1)]),
        ...(minLength === 0 ? [] : [ofLength(minLength - 1)]),
        ...(format === undefined && pattern === undefined ? [] : [fc.constant(MARK)]),
      );
    case "list":
      return fc.oneof(
        otherKind,
        ...absent,
        ...(minItems === 0 ? [] : [fc.constant([])]),
        ...(maxItems === undefined
          ? []
          : [
              fc.array(valid(shape.item as Shape, "all"), {
                minLength: maxItems + 1,
                maxLength: maxItems + 1,
              }),
            ]),
      );
    default:
      return fc.oneof(otherKind, fc.constant([MARK]), ...absent);
  }
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
