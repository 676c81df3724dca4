/** Compares inputs for a preview: the paths that differ, each with its kind of change. Pure. */
import { changesIn, type Properties } from "../../lifecycle/properties";
import { pathText } from "../../values/walk";

/** The kinds of change, as the protocol names them. */
export type ChangeKind = "ADD" | "DELETE" | "UPDATE" | "ADD_REPLACE" | "DELETE_REPLACE" | "UPDATE_REPLACE";

/**
 * The changes from one set of inputs to another, by path. Null and absent count as equal.
 *
 * @param replaces the properties that cannot change in place.
 * @example
 * detailedDiff({ name: "Shop" }, { name: "Store" }, []); // Map { "name" => "UPDATE" }
 */
export function detailedDiff(
  before: Properties,
  after: Properties,
  replaces: readonly string[],
): ReadonlyMap<string, ChangeKind> {
  return new Map(
    changesIn(before, after).map(([path, kind]) => [
      pathText(path),
      replaces.includes(String(path[0])) ? (`${kind}_REPLACE` as const) : kind,
    ]),
  );
}
