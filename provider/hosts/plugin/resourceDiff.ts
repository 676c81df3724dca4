/** Describes the change of a resource to the engine: the changed inputs, and changes that they do not show. Pure. */
import type { ResourceDescription } from "../../lifecycle/description";
import { ADOPTED_PROPERTY } from "../../lifecycle/hiddenProperties";
import type { DiffResult } from "../../lifecycle/operations/diff";
import { differences, newlyNull, type Properties } from "../../lifecycle/properties";
import { declaredIn } from "../../lifecycle/state";
import { canonicalValues } from "../../values/canonical";
import { propertyAt } from "../../values/walk";
import { withoutHidden } from "../values";
import { type ChangeKind, detailedDiff } from "./detailedDiff";
import { narrowed } from "./nativeState";

/** The changes of an update or a replacement. */
export interface ResourceDiff {
  readonly changes: ReadonlyMap<string, ChangeKind>;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** The outputs that an update does not change. */
  readonly stable: readonly string[];
  /** The changed paths that are outputs. */
  readonly outputs: readonly string[];
}

interface Compared {
  readonly state: Properties;
  /** The inputs of the last `up` or import, with the hidden ones. */
  readonly before: Properties;
  readonly declared: Properties;
  /** Whether the update adopts the object. */
  readonly adopts: boolean;
  /** Whether no program has run since `pulumi import`. */
  readonly isUnapplied: boolean;
}

/** @param decided the decision of the core about the same change. */
export function resourceDiff(
  description: ResourceDescription,
  compared: Compared,
  { replaces, deleteBeforeReplace, newlyNull }: DiffResult,
): ResourceDiff {
  const { state, before, declared, isUnapplied } = compared;
  const { inputs, outputs, changesOnUpdate = [], idOf } = description;
  const declaredBefore = withoutHidden(isUnapplied ? narrowed(description, before, declared) : before);
  const own = detailedDiff(
    canonicalValues(inputs, declaredBefore),
    canonicalValues(inputs, declared),
    replaces,
  );
  const set = Object.keys(outputs.shape).filter((name) => state[name] != null);
  // A resource that waits lacks outputs until it is ready. An update resumes it, even if nothing else has changed.
  const missing = idOf ? Object.keys(outputs.shape).filter((name) => !set.includes(name)) : [];
  const shown = new Set([...own.keys(), ...newlyNull].map(propertyAt));
  const others: readonly (readonly [ChangeKind, readonly string[]])[] = [
    ["ADD", isMarked(description, compared) ? [ADOPTED_PROPERTY] : []],
    ["ADD", newlyNull.filter((path) => !own.has(path))],
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

/** Whether the state changes although no value of the object does: an update must then save it. */
function isMarked(
  description: ResourceDescription,
  { state, before, declared, adopts, isUnapplied }: Compared,
): boolean {
  if (adopts || !isUnapplied) return adopts;
  const leavesOut = differences(withoutHidden(before), narrowed(description, before, declared)).length > 0;
  // An import stores no nulls. Without them in the state, a later run would consider them new.
  return leavesOut || newlyNull(declaredIn(description, state), declared).length > 0;
}
