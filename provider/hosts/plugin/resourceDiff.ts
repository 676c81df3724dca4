/** Describes the change of a resource to the engine: the changed inputs, and changes that they do not show. Pure. */
import { existsInService } from "../../lifecycle/creates";
import type { ResourceDescription } from "../../lifecycle/description";
import { ADOPTED_PROPERTY } from "../../lifecycle/hiddenProperties";
import type { DiffResult } from "../../lifecycle/operations/diff";
import { changesIn, differences, newlyNull, type Properties } from "../../lifecycle/properties";
import { declaredIn } from "../../lifecycle/state";
import { canonicalValues } from "../../values/canonical";
import { type Fields, unwrapped } from "../../values/schema";
import { pathText, propertyAt } from "../../values/walk";
import { withoutHidden } from "../values";
import { type Entry, narrowed } from "./nativeState";

/** The kinds of change, as the protocol names them. */
type ChangeKind = "ADD" | "DELETE" | "UPDATE" | "ADD_REPLACE" | "DELETE_REPLACE" | "UPDATE_REPLACE";

export interface ResourceDiff extends Pick<DiffResult, "replaces" | "deleteBeforeReplace"> {
  readonly changes: ReadonlyMap<string, ChangeKind>;
  /** The outputs that an update does not change. */
  readonly stable: readonly string[];
  readonly outputs: readonly string[];
}

/** @param decided the decision of lifecycle/ about the same change. */
export function resourceDiff(
  description: ResourceDescription,
  entry: Pick<Entry, "state" | "before" | "stage">,
  declared: Properties,
  decided: DiffResult,
): ResourceDiff {
  const { inputs, outputs, changesOnUpdate = [] } = description;
  const { replaces, deleteBeforeReplace } = decided;
  const { state, stage } = entry;
  const before = withoutHidden(entry.before);
  const declaredBefore = stage === "adopting" ? before : narrowed(description, entry, before, declared);
  const own = detailedDiff(
    canonicalValues(inputs, declaredBefore),
    canonicalValues(inputs, declared),
    replaces,
  );
  const set = Object.keys(outputs.shape).filter((name) => state[name] != null);
  // A resource that waits lacks outputs until it is ready. An update resumes it, even if nothing else has changed.
  const missing = existsInService(description)
    ? []
    : Object.entries(outputs.shape as Fields)
        .filter(([name, field]) => !set.includes(name) && !unwrapped(field).optional)
        .map(([name]) => name);
  const shown = new Set([...own.keys(), ...decided.newlyNull].map(propertyAt));
  // An import stores no nulls. Without them in the state, a later run would consider them new.
  const isSaved = () =>
    differences(before, declaredBefore).length === 0 &&
    newlyNull(declaredIn(description, state), declared).length === 0;
  // The update must save the state: see docs/internals/native-host.md#import-leaves-all-values.
  const isMarked = stage === "adopting" || (stage === "unapplied" && !isSaved());
  const others: readonly (readonly [ChangeKind, readonly string[]])[] = [
    ["ADD", isMarked ? [ADOPTED_PROPERTY] : []],
    ["ADD", decided.newlyNull.filter((path) => !own.has(path))],
    ["ADD", missing],
    ["UPDATE_REPLACE", replaces.filter((name) => !shown.has(name))],
  ];
  return {
    changes: new Map([
      ...own,
      ...others.flatMap(([kind, paths]) => paths.map((path) => [path, kind] as const)),
    ]),
    replaces,
    deleteBeforeReplace,
    stable: set.filter((name) => !changesOnUpdate.includes(name)),
    outputs: [...missing, ADOPTED_PROPERTY],
  };
}

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
