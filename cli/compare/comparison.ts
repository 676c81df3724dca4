/** Compares the objects of an organization with what stacks manage. */
import { identityKey } from "../objects/identity";
import { KIND_NAMES } from "../objects/kinds";
import type { StackObject } from "../pulumi/state";
import type { Inventory } from "../service/inventory";

export interface StackState {
  /** Project and stack, such as `shop/production`. */
  readonly name: string;
  readonly objects: readonly StackObject[];
}

interface Scope {
  readonly organizationId: string;
  readonly states: readonly StackState[];
  /** The UUIDs of objects that are unmanaged on purpose. */
  readonly ignored?: readonly string[];
}

/** The result of a comparison. Lists are in the order of the kinds, and then from the oldest or by URN. */
export type Comparison = ReturnType<typeof comparisonOf>;

/**
 * Compares an inventory with states. Nothing in a state tells one stack from that of another backend with the same name, so
 * each state counts.
 *
 * A custom domain that is being deleted is neither unmanaged nor missing: nobody can adopt it, and a stack that has it
 * either deletes it right now or will find out at the next refresh.
 */
export function comparisonOf(
  { objects, incomplete }: Pick<Inventory, "objects" | "incomplete">,
  { organizationId, states, ignored = [] }: Scope,
) {
  const found = new Set(objects.map(identityKey));
  const lasting = objects.filter(({ reading }) => reading.lifecycle !== "DELETING");
  const entries = states.flatMap((state) => state.objects.filter(({ isManaged }) => isManaged));
  const { own = [], others = [] } = Object.groupBy(entries, (entry) =>
    (entry.organizationId ?? organizationId) === organizationId ? "own" : "others",
  );
  const compared = KIND_NAMES.flatMap((kind) =>
    own
      .filter((entry) => entry.kind === kind)
      .toSorted((one, other) => (one.urn < other.urn ? -1 : Number(one.urn > other.urn))),
  );
  const managed = Map.groupBy(compared, identityKey);
  const { missing = [], notCompared = [] } = Object.groupBy(
    compared.filter((entry) => !found.has(identityKey(entry))),
    (entry) => (incomplete.has(entry.kind) || incomplete.has(identityKey(entry)) ? "notCompared" : "missing"),
  );
  return {
    stacks: states.map(({ name }) => name).sort(),
    /** The number of objects in the service, without those that are being deleted. */
    total: lasting.length,
    /** The objects that no stack manages, including those that no program can declare. */
    unmanaged: lasting.filter((one) => !managed.has(identityKey(one)) && !ignored.includes(one.uuid)),
    duplicates: [...managed.values()].flatMap(([first, ...rest]) => {
      if (first === undefined || rest.length === 0) return [];
      return [{ kind: first.kind, uuid: first.uuid, urns: [first, ...rest].map(({ urn }) => urn) }];
    }),
    /** What a stack manages and the service does not have. */
    missing,
    /** What a stack manages and could not be looked up, because not all objects of its kind could be read. */
    notCompared,
    /** How many managed objects belong to other organizations. */
    inOtherOrganizations: others.length,
  };
}

/** Whether the stacks manage anything else than exactly the organization, each object once. */
export function isDifferent({ unmanaged, duplicates, missing }: Comparison): boolean {
  return unmanaged.length + duplicates.length + missing.length > 0;
}
