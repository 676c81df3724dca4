/** Compares and selects property values. */
import { isRecord, membersOf, type Path, pathText, pathTo, valueAt } from "../values/walk";

export type Properties = Record<string, unknown>;

export type IsUnknown = (value: unknown) => boolean;

export interface Difference {
  /** Path of the property, such as `appleInfo.bundleId`. */
  readonly path: string;
  readonly declared: unknown;
  readonly actual: unknown;
}

/** A copy without null and undefined, at any depth. */
export function withoutNulls(values: Properties): Properties {
  return declaredValues(values, () => false);
}

/** The declared values. Null declares that there is no value, where `allowsNull` holds for the path; elsewhere it declares nothing. */
export function declaredValues(
  values: Properties,
  allowsNull: (path: string) => boolean,
  path = "",
): Properties {
  const declared: Properties = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || (value === null && !allowsNull(pathTo(path, name)))) continue;
    declared[name] = isRecord(value) ? declaredValues(value, allowsNull, pathTo(path, name)) : value;
  }
  return declared;
}

/** The values in `actual` of the declared properties, at any depth. A list is one value. A declared null that is absent is null. */
export function declaredPart(declared: Properties, actual: Properties): Properties {
  const part: Properties = {};
  for (const [name, value] of Object.entries(declared)) {
    const current = actual[name] ?? null;
    if (value === undefined || (value !== null && current === null)) continue;
    if (isRecord(value) && isRecord(current)) part[name] = declaredPart(value, current);
    else part[name] = isReordered(value, current) ? value : current;
  }
  return part;
}

/** The paths at which a value differs from an earlier one, each with what happened. Null and absent are equal, and so are lists in another order. */
export function changesIn(
  before: unknown,
  after: unknown,
  path: Path = [],
): readonly (readonly [Path, "ADD" | "DELETE" | "UPDATE"])[] {
  if (before === after || (before == null && after == null) || isReordered(before, after)) return [];
  if (before == null) return [[path, "ADD"]];
  if (after == null) return [[path, "DELETE"]];
  if (isRecord(before) && isRecord(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => changesIn(before[name], after[name], [...path, name]));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const indices = [...Array(Math.max(before.length, after.length)).keys()];
    return indices.flatMap((index) => {
      const here = [...path, index];
      // A list is longer by an item that is null, too.
      if (index >= before.length) return [[here, "ADD"]];
      return index >= after.length ? [[here, "DELETE"]] : changesIn(before[index], after[index], here);
    });
  }
  return [[path, "UPDATE"]];
}

/** Whether two lists have the same items in another order, which a service may choose. */
function isReordered(one: unknown, other: unknown): boolean {
  return (
    Array.isArray(one) &&
    Array.isArray(other) &&
    sortedJson([...one].sort()) === sortedJson([...other].sort())
  );
}

/** The paths at which two values differ. A list is one value. */
function differingPaths(one: unknown, other: unknown): readonly Path[] {
  const paths = changesIn(one, other).map(([path]) => {
    const inList = path.findIndex((step) => typeof step === "number");
    return inList < 0 ? path : path.slice(0, inList);
  });
  return [...new Map(paths.map((path) => [pathText(path), path])).values()];
}

/** The properties whose values differ. Undeclared and unknown values are ignored. Null differs from every value. */
export function differences(
  declared: Properties,
  actual: Properties,
  isUnknown: IsUnknown = () => false,
): Difference[] {
  return differingPaths(declared, actual)
    .map((path) => ({
      path: pathText(path),
      declared: valueAt(declared, path),
      actual: valueAt(actual, path),
    }))
    .filter(({ declared: value }) => value !== undefined && unknownPaths(value, isUnknown).length === 0);
}

/** The paths at which two sets of declared properties differ. A null that is declared for the first time is a change. */
export function changedPaths(before: Properties, after: Properties): string[] {
  const differing = differingPaths(before, after).map(pathText);
  return [...new Set([...differing, ...newlyNull(before, after)])].sort();
}

/** The paths that are declared as null for the first time. To Pulumi, null and a missing property are the same. */
export function newlyNull(before: Properties, after: Properties): string[] {
  return pathsWhere(after, (value) => value === null)
    .filter((path) => valueAt(before, path) === undefined)
    .map(pathText);
}

export function unknownPaths(value: unknown, isUnknown: IsUnknown): string[] {
  return pathsWhere(value, isUnknown).map(pathText);
}

function pathsWhere(value: unknown, holds: (value: unknown) => boolean, path: Path = []): readonly Path[] {
  if (holds(value)) return [path];
  return membersOf(value).flatMap(([step, member]) => pathsWhere(member, holds, [...path, step]));
}

/** The values as JSON that is equal for equal values: the engine does not keep the order of properties. */
export function sortedJson(values: object): string {
  return JSON.stringify(values, (_name, value) =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}
