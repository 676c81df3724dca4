/** What answers, requests, checks and descriptions share: following a value along its shape. It loads no validator. */

import { choice, type Shape, type ShapeFields } from "./shape";

/** Steps from a value to one inside it: names and indices. */
export type Path = readonly PropertyKey[];

/** A path as users read it, as in `androidInfo.sha256Fingerprints[3]`; empty for the whole. */
export function pathText(path: Path): string {
  return path
    .map((step, index) =>
      typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${String(step)}`,
    )
    .join("");
}

/** Whether a value is an object with named fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path; undefined when the path leads nowhere. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (holder, step) => (typeof holder === "object" && holder !== null ? Reflect.get(holder, step) : undefined),
    value,
  );
}

/** The fields that a value may have; those of the variant that it is, where there are variants. */
export function fieldsFor({ fields, tag = "", variants = [] }: Shape, value: unknown): ShapeFields {
  if (fields !== undefined) return fields;
  const word = isRecord(value) ? value[tag] : undefined;
  return variants.find((variant) => variant.fields[tag]?.values?.some((each) => each === word))?.fields ?? {};
}

/** The field that tells variants apart, with the words of all of them. */
export function tagChoice({ tag = "", variants = [] }: Shape): Shape<string> {
  return choice(variants.flatMap(({ fields }) => fields[tag]?.values ?? []));
}

/** Derives something from a shape when it is first needed, and keeps it as long as the shape. */
export function oncePerShape<Derived extends object>(
  derive: (shape: Shape) => Derived,
): (shape: Shape) => Derived {
  const kept = new WeakMap<Shape, Derived>();
  return (shape) => {
    const derived = kept.get(shape) ?? derive(shape);
    kept.set(shape, derived);
    return derived;
  };
}
