/** Paths, and the members of values. Loads no validator. */

/** The path to a nested value: names and indices. */
export type Path = readonly PropertyKey[];

/** The path of a member of the value at a path, as text: a name after a dot, or an index or a quoted name in brackets. */
export function pathTo(holder: string, step: PropertyKey): string {
  if (typeof step === "number") return `${holder}[${step}]`;
  if (/[.[\]"]/.test(String(step))) return `${holder}[${JSON.stringify(step)}]`;
  return holder === "" ? String(step) : `${holder}.${String(step)}`;
}

/** A path as text, such as `androidInfo.sha256Fingerprints[3]` or `tags["a.b"]`; empty for the value itself. */
export function pathText(path: Path): string {
  return path.reduce<string>(pathTo, "");
}

/** The steps of a path in text, also as users write it, such as `tags["a.b"]` or `list[*]`. */
export function stepsOf(path: string): readonly string[] {
  return [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|[^.[\]]+/g)].map(
    ([step, quoted]) => quoted?.replace(/\\(.)/g, "$1") ?? step,
  );
}

/** The top-level property of a path in text. */
export function propertyAt(path: string): string {
  return stepsOf(path)[0] ?? path;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The members of a plain object or a list, with the step to each. Other objects, such as promises, are one value. */
export function membersOf(value: unknown): [step: string | number, member: unknown][] {
  if (Array.isArray(value)) return [...value.entries()];
  return isRecord(value) && Object.getPrototypeOf(value) === Object.prototype ? Object.entries(value) : [];
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (holder, step) => (typeof holder === "object" && holder !== null ? Reflect.get(holder, step) : undefined),
    value,
  );
}
