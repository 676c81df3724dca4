/**
 * What an import brought into the state, and no program has declared since. It stays as it is in the service until a
 * program declares it.
 *
 * An import stores all values of an object as inputs, so without this list the first update would take those that the
 * program does not declare for removed ones, and clear them.
 */

import { IMPORTED_PROPERTY } from "../../lifecycle/hiddenProperties";
import type { Properties } from "../../lifecycle/properties";
import { isRecord, pathTo, stepsOf } from "../../values/walk";
import { isUnknown, withoutHidden } from "../values";

/** The paths of all values of inputs, such as `appleInfo.bundleId`. A list is one value. */
export function pathsOf(values: Properties, path = ""): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const here = pathTo(path, name);
    return isRecord(value) ? pathsOf(value, here) : [here];
  });
}

/** The paths that are in the inputs of the last run as imported, and that the program still does not declare. */
export function stillUndeclared(before: Properties, inputs: Properties): string[] {
  const { [IMPORTED_PROPERTY]: mark } = before;
  const paths = mark === true ? pathsOf(withoutHidden(before)) : pathsIn(before);
  return paths.filter((path) => !isDeclared(inputs, stepsOf(path)));
}

/** The paths in inputs or in a state. */
export function pathsIn({ [IMPORTED_PROPERTY]: paths }: Properties): readonly string[] {
  return Array.isArray(paths) ? paths : [];
}

/** The hidden property with these paths; none if there are no paths. */
export function importedMark(paths: readonly string[]): Properties {
  return paths.length === 0 ? {} : { [IMPORTED_PROPERTY]: paths };
}

/** A copy without the values at some paths. */
export function withoutPaths(values: Properties, paths: readonly string[], path = ""): Properties {
  const rest: Properties = {};
  for (const [name, value] of Object.entries(values)) {
    const here = pathTo(path, name);
    if (paths.includes(here)) continue;
    rest[name] = isRecord(value) ? withoutPaths(value, paths, here) : value;
  }
  return rest;
}

/** Whether a program declares the value at a path, or that it has none. As long as a holder is unknown, so is that. */
function isDeclared(value: unknown, steps: readonly string[]): boolean {
  const [step, ...rest] = steps;
  if (value === undefined || (step !== undefined && isUnknown(value))) return false;
  return step === undefined || !isRecord(value) || isDeclared(value[step], rest);
}
