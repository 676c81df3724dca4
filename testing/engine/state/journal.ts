/** The changes of one run to the state, and the references in the state that follow from them. */
import {
  createUrn,
  nameInUrn,
  parseReference,
  parseUrn,
  providerReference,
  STACK_TYPE,
} from "../protocol/urn";
import type { PendingOperation, ResourceState, Snapshot } from "./snapshot";

/**
 * The changes of one run to the state. `snapshot` is the state that a crash at this moment would leave: first the
 * resources that this run has completed, in that order, then those that it has not processed.
 */
export function openJournal(base: Snapshot) {
  const completed: ResourceState[] = [];
  const done = new Set<ResourceState>();
  const pending = new Map<ResourceState, PendingOperation["type"]>();
  return {
    begin: (state: ResourceState, type: PendingOperation["type"]): void => void pending.set(state, type),
    end: (state: ResourceState): void => void pending.delete(state),
    add: (state: ResourceState): void => void completed.push(state),
    /** Whether this run has completed a resource, so that others in the state may refer to it. */
    hasCompleted: (urn: string): boolean => completed.some((state) => state.urn === urn),
    remove: (state: ResourceState): void => void done.add(state),
    snapshot: (): Snapshot =>
      withoutAliases({
        resources: [...completed, ...base.resources].filter((state) => !done.has(state)),
        pendingOperations: [
          ...[...pending].map(([resource, type]) => ({ resource, type })),
          // It is not known whether such a resource exists, so only the user can clear the operation.
          ...base.pendingOperations.filter(({ type }) => type === "creating"),
        ],
      }),
  };
}

/** The state with every reference to a former URN replaced by the current one. */
function withoutAliases(snapshot: Snapshot): Snapshot {
  const present = new Map<string, string>();
  for (const { urn, aliases, parent } of snapshot.resources) {
    for (const alias of aliases ?? []) present.set(alias, urn);
    const newParent = parent && present.get(parent);
    if (newParent && parseUrn(newParent).type !== STACK_TYPE)
      present.set(urn, createUrn(parseUrn(urn), parseUrn(urn).type, nameInUrn(urn), newParent));
  }
  if (present.size === 0) return snapshot;
  const fix = (urn: string): string => present.get(urn) ?? urn;
  const fixReference = (reference: string): string => {
    const { urn, id } = parseReference(reference);
    return providerReference(fix(urn), id);
  };
  return {
    ...snapshot,
    resources: snapshot.resources.map(({ aliases: _, ...state }) => ({
      ...state,
      urn: fix(state.urn),
      ...(state.parent && { parent: fix(state.parent) }),
      ...(state.dependencies && { dependencies: state.dependencies.map(fix) }),
      ...(state.propertyDependencies && {
        propertyDependencies: Object.fromEntries(
          Object.entries(state.propertyDependencies).map(([name, urns]) => [name, urns.map(fix)]),
        ),
      }),
      ...(state.deletedWith && { deletedWith: fix(state.deletedWith) }),
      ...(state.provider && { provider: fixReference(state.provider) }),
    })),
  };
}

/**
 * The state without the resources that a refresh did not find. References to them are removed, and their parents become
 * the parents of their children.
 */
export function withoutVanished(
  resources: readonly ResourceState[],
  vanished: ReadonlySet<ResourceState>,
): ResourceState[] {
  const present = new Set<string>();
  const kept: ResourceState[] = [];
  const parentOf = new Map(resources.map((state) => [state.urn, state.parent]));
  const stillThere = (urn: string | undefined): string | undefined =>
    urn === undefined || present.has(urn) ? urn : stillThere(parentOf.get(urn));
  for (const state of resources) {
    if (vanished.has(state)) continue;
    if (state.dependencies) state.dependencies = state.dependencies.filter((urn) => present.has(urn));
    state.propertyDependencies = Object.fromEntries(
      Object.entries(state.propertyDependencies ?? {})
        .map(([name, urns]) => [name, urns.filter((urn) => present.has(urn))] as const)
        .filter(([, urns]) => urns.length > 0),
    );
    if (state.deletedWith && !present.has(state.deletedWith)) delete state.deletedWith;
    const parent = stillThere(state.parent);
    if (parent === undefined) delete state.parent;
    else state.parent = parent;
    present.add(state.urn);
    kept.push(state);
  }
  return kept;
}
