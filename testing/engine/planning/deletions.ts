/**
 * Deletions: of resources that the program no longer declares, of replaced ones, and of those that a replacement
 * deletes first.
 */
import { isProviderType, parseReference } from "../protocol/urn";
import { type Properties, UNKNOWN_VALUE } from "../protocol/values";
import { changeOf } from "../providers/provider";
import type { Run } from "../run/run";
import type { RunStep } from "../run/step";
import { ProtectedError, performAll } from "../run/steps";
import { dependenciesOf, type ResourceState } from "../state/snapshot";
import { askProvider, replaceOnChanges } from "./diff";

/** The step that deletes a resource, or that removes a resource which was only read from the state. */
function deletion(old: ResourceState, replaced: boolean): RunStep {
  if (old.external) return { operation: replaced ? "discard-replaced" : "discard", old };
  return { operation: replaced ? "delete-replaced" : "delete", old };
}

/**
 * The deletions before a replacement is created: of the resource, and of the dependents that a change of the properties
 * that depend on it would replace.
 */
export async function deleteBeforeReplacement(
  run: Run,
  root: ResourceState,
  decided: ReadonlySet<string>,
): Promise<RunStep[]> {
  const dependent = new Set([root.urn]);
  const replaced = new Set([root.urn]);
  const toDelete: ResourceState[] = [];
  const resources = run.base.resources;
  for (const state of resources.slice(resources.indexOf(root) + 1)) {
    // Resources that were registered earlier cannot depend on this one.
    if (decided.has(state.urn) || ![...dependenciesOf(state)].some((urn) => dependent.has(urn))) continue;
    dependent.add(state.urn);
    if (!(await wouldBeReplaced(run, state, replaced))) continue;
    replaced.add(state.urn);
    toDelete.push(state);
  }
  const steps: RunStep[] = [];
  const deleted = new Set(run.deleted);
  for (const state of toDelete.reverse()) {
    if (deleted.has(state.urn)) continue;
    deleted.add(state.urn);
    const refusal = `is protected and is not replaced together with ${root.urn}, on which it depends.`;
    if (state.protect) throw new Error(`${state.urn} ${refusal}`);
    steps.push(deletion(state, !state.delete));
  }
  if (!root.pendingReplacement) steps.push(deletion(root, true));
  return steps;
}

async function wouldBeReplaced(run: Run, state: ResourceState, replaced: ReadonlySet<string>) {
  if (!state.custom || state.external) return false;
  if (state.provider && replaced.has(parseReference(state.provider).urn)) return true;
  if (state.deletedWith && replaced.has(state.deletedWith)) return true;
  const { inputs = {} } = state;
  const dependsOnReplaced = (name: string): boolean =>
    (state.propertyDependencies?.[name] ?? []).some((urn) => replaced.has(urn));
  const affected = Object.keys(inputs).filter(dependsOnReplaced);
  // A change of its configuration never replaces a provider.
  if (affected.length === 0 || isProviderType(state.type)) return false;
  const news: Properties = { ...inputs };
  for (const name of affected) news[name] = UNKNOWN_VALUE;
  const provider = await run.providerOf(state);
  const found = await askProvider(provider, changeOf(state, news));
  return replaceOnChanges(found, state.replaceOnChanges ?? [], false).replaceKeys.length > 0;
}

/** Deletes what is left after the program: replaced resources, and those that it did not register. */
export async function deleteRest(run: Run, isRegistered: (urn: string) => boolean): Promise<void> {
  const steps: RunStep[] = [];
  for (const old of run.base.resources) {
    if (old.delete) steps.push(deletion(old, true));
    else if (isRegistered(old.urn)) continue;
    else if (!run.includes(old.urn)) {
      run.record.add({ operation: "same", old, new: old });
      continue;
    } else if (old.pendingReplacement) steps.push({ operation: "remove-pending-replace", old });
    else steps.push(deletion(old, false));
    run.deleted.add(old.urn);
  }
  const kept = new Set<ResourceState>();
  for (const batch of inBatches(run, steps)) {
    await Promise.all(
      batch.map(async (step) => {
        const old = step.old as ResourceState;
        if (kept.has(old)) return;
        try {
          await performAll(run, [step]);
        } catch (error) {
          // A protected resource is kept with everything that it needs. The others are deleted.
          if (!(error instanceof ProtectedError)) throw error;
          addNeeded(run.base.resources, old, kept);
        }
      }),
    );
  }
}

/** The direct requirements of a resource: its parent, its provider, and its dependencies. */
function needs(resources: readonly ResourceState[], state: ResourceState): ResourceState[] {
  const urns = dependenciesOf(state);
  const before = resources.slice(0, resources.indexOf(state));
  return before.filter(({ urn }) => urns.has(urn) || urn === state.parent);
}

/** Adds everything that a resource needs, directly or not. */
function addNeeded(all: readonly ResourceState[], state: ResourceState, added: Set<ResourceState>): void {
  for (const needed of needs(all, state)) {
    if (added.has(needed)) continue;
    added.add(needed);
    addNeeded(all, needed, added);
  }
}

/** Batches of deletions that can run in parallel, one batch after another. Dependents are in earlier batches. */
function inBatches(run: Run, steps: readonly RunStep[]): RunStep[][] {
  const left = new Map(steps.map((step) => [step.old as ResourceState, step]));
  const batches: RunStep[][] = [];
  while (left.size > 0) {
    // The first batch found needs none of the others, so it is deleted last.
    const batch = [...left].filter(
      ([state]) => !needs(run.base.resources, state).some((needed) => left.has(needed)),
    );
    for (const [state] of batch) left.delete(state);
    batches.unshift(batch.map(([, step]) => step));
  }
  return batches;
}
