/** Compares inputs for a preview: the paths that differ, each with its kind of change. Pure. */
import { changesIn, type Properties } from "../../lifecycle/properties";
import { type Path, pathTo, stepsOf } from "../../values/walk";

/** The kinds of change, as the protocol names them. */
export type ChangeKind = "ADD" | "DELETE" | "UPDATE" | "ADD_REPLACE" | "DELETE_REPLACE" | "UPDATE_REPLACE";

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
  return new Map(
    changesIn(before, after)
      .filter(([path]) => !ignored.some((pattern) => covers(pattern, path)))
      .map(([path, kind]) => [
        quotedPath(path),
        replaces.includes(String(path[0])) ? (`${kind}_REPLACE` as const) : kind,
      ]),
  );
}

/** A path as the engine writes it, such as `androidInfo.sha256Fingerprints[0]` or `tags["a.b"]`. */
function quotedPath(path: Path): string {
  return path.reduce<string>((holder, step) => {
    const isPlain = typeof step !== "string" || /^\w+$/.test(step);
    return isPlain ? pathTo(holder, step) : `${holder}[${JSON.stringify(step)}]`;
  }, "");
}

function covers(pattern: readonly string[], path: Path): boolean {
  return (
    pattern.length <= path.length &&
    pattern.every((step, index) => step === "*" || step === String(path[index]))
  );
}
