/** Compares inputs for a preview: the paths that differ, each with its kind of change. Pure. */
import type { Properties } from "../../lifecycle/properties";
import { isRecord } from "../../shapes/walk";

/** The kinds of change, as the protocol names them. */
export type ChangeKind = "ADD" | "DELETE" | "UPDATE" | "ADD_REPLACE" | "DELETE_REPLACE" | "UPDATE_REPLACE";

/** The path to a value: property names and list indices. */
type Steps = readonly (string | number)[];

/** What to compare, and how. */
interface Compared {
  readonly before: Properties;
  readonly after: Properties;
  /** The properties that cannot change in place. */
  readonly replaces: readonly string[];
  /** The paths in the resource option `ignoreChanges`. */
  readonly ignoreChanges: readonly string[];
}

/**
 * The changes from one set of inputs to another, by path. Null and absent count as equal.
 *
 * @example
 * detailedDiff({ before: { name: "Shop" }, after: { name: "Store" }, replaces: [], ignoreChanges: [] });
 * // Map { "name" => "UPDATE" }
 */
export function detailedDiff({
  before,
  after,
  replaces,
  ignoreChanges,
}: Compared): ReadonlyMap<string, ChangeKind> {
  const ignored = ignoreChanges.map(stepsOf);
  const changes = changesIn(before, after, []).filter(
    ([steps]) => !ignored.some((pattern) => covers(pattern, steps)),
  );
  return new Map(
    changes.map(([steps, kind]) => [
      pathOf(steps),
      replaces.includes(String(steps[0])) ? (`${kind}_REPLACE` as const) : kind,
    ]),
  );
}

type Change = readonly [Steps, "ADD" | "DELETE" | "UPDATE"];

function changesIn(before: unknown, after: unknown, steps: Steps): readonly Change[] {
  if (before == null && after == null) return [];
  if (before == null) return [[steps, "ADD"]];
  if (after == null) return [[steps, "DELETE"]];
  if (isRecord(before) && isRecord(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => changesIn(before[name], after[name], [...steps, name]));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const indices = [...Array(Math.max(before.length, after.length)).keys()];
    return indices.flatMap((index) => changesIn(before[index], after[index], [...steps, index]));
  }
  return before === after ? [] : [[steps, "UPDATE"]];
}

/** A path as the engine writes it, such as `androidInfo.sha256Fingerprints[0]`. */
function pathOf(steps: Steps): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === "number") return `${path}[${step}]`;
    if (!/^\w+$/.test(step)) return `${path}[${JSON.stringify(step)}]`;
    return path === "" ? step : `${path}.${step}`;
  }, "");
}

/** The top-level property of a path. */
export function propertyAt(path: string): string {
  return stepsOf(path)[0] ?? path;
}

/** The steps of a path as users write it, such as `appleInfo.appName`, `tags["a.b"]` or `list[*]`. */
function stepsOf(path: string): readonly string[] {
  return [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+|\*)\]|([^.[\]]+)/g)].map(
    ([, quoted, index, name]) => quoted?.replace(/\\(.)/g, "$1") ?? index ?? name ?? "",
  );
}

function covers(pattern: readonly string[], steps: Steps): boolean {
  return (
    pattern.length <= steps.length &&
    pattern.every((step, index) => step === "*" || step === String(steps[index]))
  );
}
