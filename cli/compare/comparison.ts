/** Compares the objects of an organization with what stacks manage. */

import { identityKey, type ObjectId } from "../objects/identity";
import { KIND_NAMES, type KindName } from "../objects/kinds";
import { byAge } from "../objects/logicalNames";
import type { ManagedObject, StackState } from "../pulumi/stackState";
import { type Inventory, type InventoryObject, objectsOf } from "../service/inventory";

/** An object that more than one resource manages. */
export interface Duplicate {
  readonly kind: KindName;
  readonly uuid: string;
  /** Its resources, at least two. */
  readonly urns: readonly string[];
  /** Undefined if the service does not have it. */
  readonly object: InventoryObject | undefined;
}

/** The result of a comparison. Lists are in the order of the kinds, and then from the oldest or by URN. */
export interface Comparison {
  /** The stacks that were compared, without repetition. */
  readonly stacks: readonly string[];
  /** The number of objects in the service, without those that are being deleted. */
  readonly total: number;
  /** How many of them a stack manages. */
  readonly managed: number;
  /** The objects that no stack manages, including those that no program can declare. */
  readonly unmanaged: readonly InventoryObject[];
  readonly duplicates: readonly Duplicate[];
  /** What a stack manages and the service does not have. */
  readonly missing: readonly ManagedObject[];
  /** What a stack manages and could not be looked up, because not all objects of its kind could be read. */
  readonly notCompared: readonly ManagedObject[];
  /** How many managed objects belong to other organizations. */
  readonly inOtherOrganizations: number;
}

export interface ComparisonOptions {
  readonly organizationId: string;
  readonly states: readonly StackState[];
  /**
   * Whether the inventory is the whole organization. If it is only a part, managed objects that it does not contain are
   * ignored: they may be in the rest.
   */
  readonly isWhole: boolean;
  /** The keys of the objects to compare. */
  readonly selected: ReadonlySet<string>;
  /** The kinds to compare. Default: all. What is missing has no name, so it is selected by its kind only. */
  readonly kinds?: readonly KindName[] | undefined;
}

/**
 * Compares an inventory with states. A stack whose state is given twice counts once.
 *
 * A custom domain that is being deleted is neither unmanaged nor missing. Nobody can import it, so to report it as
 * unmanaged would ask for something impossible; a stack that has it either deletes it right now or will find out at the
 * next refresh. When the service has deleted it, a stack that still has it is reported.
 */
export function comparisonOf(
  inventory: Inventory,
  { organizationId, states, isWhole, selected, kinds = KIND_NAMES }: ComparisonOptions,
): Comparison {
  const isSelected = (one: ObjectId) => selected.has(identityKey(one));
  const all = objectsOf(inventory);
  const found = new Map(all.map((object) => [identityKey(object), object]));
  const lasting = byKind(
    byAge(all.filter((object) => isSelected(object) && object.reading.lifecycle !== "DELETING")),
  );

  const entries = new Map(
    states
      .flatMap(({ objects }) => objects)
      .map((entry) => [`${identityKey(entry)} ${entry.urn}`, entry] as const),
  );
  const { own = [], others = [] } = Object.groupBy(entries.values(), (entry) =>
    (entry.organizationId ?? organizationId) === organizationId ? "own" : "others",
  );
  const compared = byKind(
    own
      .filter((entry) =>
        found.has(identityKey(entry)) ? isSelected(entry) : isWhole && kinds.includes(entry.kind),
      )
      .toSorted((one, other) => (one.urn < other.urn ? -1 : Number(one.urn > other.urn))),
  );
  const managed = Map.groupBy(compared, identityKey);
  const unmanaged = lasting.filter((object) => !managed.has(identityKey(object)));
  const { missing = [], notCompared = [] } = Object.groupBy(
    compared.filter((entry) => !found.has(identityKey(entry))),
    ({ kind }) => (inventory.incomplete.has(kind) ? "notCompared" : "missing"),
  );
  return {
    stacks: [...new Set(states.map(({ name }) => name))].sort(),
    total: lasting.length,
    managed: lasting.length - unmanaged.length,
    unmanaged,
    duplicates: [...managed.values()].flatMap(([first, ...others]) => {
      if (first === undefined || others.length === 0) return [];
      const { kind, uuid } = first;
      return [
        { kind, uuid, urns: [first, ...others].map(({ urn }) => urn), object: found.get(identityKey(first)) },
      ];
    }),
    missing,
    notCompared,
    inOtherOrganizations: others.length,
  };
}

/** Whether the stacks manage anything else than exactly the organization, each object once. */
export function isDifferent({ unmanaged, duplicates, missing }: Comparison): boolean {
  return unmanaged.length + duplicates.length + missing.length > 0;
}

/** Sorts by kind, and keeps the order in each kind. */
function byKind<Item extends { readonly kind: KindName }>(items: readonly Item[]): Item[] {
  return KIND_NAMES.flatMap((kind) => items.filter((item) => item.kind === kind));
}
