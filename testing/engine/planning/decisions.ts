/**
 * Decides the steps for a resource that a program registers: whether it is created, updated, replaced or left
 * unchanged.
 */

import type { Goal } from "../protocol/goal";
import { shuttingDown } from "../protocol/grpc";
import { withoutInternal } from "../protocol/plugin";
import { isProviderType, nameInUrn } from "../protocol/urn";
import { equalValues, type Properties } from "../protocol/values";
import { type CheckedInputs, changeOf, type Provider, readImported } from "../providers/provider";
import { inOrder, type Run, type RunStep } from "../run/run";
import { performAll } from "../run/steps";
import type { ResourceState } from "../state/snapshot";
import { deleteBeforeReplacement } from "./deletions";
import { askProvider, type DiffResult, difference, ignoreChanges, replaceOnChanges } from "./diff";

/** What a decision depends on, besides the resource. */
export interface Decisions {
  readonly run: Run;
  /** The URNs of resources to replace, changed or not. */
  readonly replace: ReadonlySet<string>;
  /** The operations that this run has decided on, by URN. */
  readonly decided: ReadonlyMap<string, RunStep["operation"]>;
}

/** The steps that lead from the old state of a resource, if any, to its goal. `state` is the new state. */
export async function decideSteps(
  decisions: Decisions,
  goal: Goal,
  state: ResourceState,
  existing: ResourceState | undefined,
): Promise<RunStep[]> {
  const { run, replace, decided } = decisions;
  const { urn } = state;
  const provider = reallyManaged(state) ? await run.providerOf(state) : undefined;
  // It was deleted because a resource that it depends on is deleted before its replacement is created.
  const recreating = existing !== undefined && run.deleted.has(existing.urn);
  const targeted = replace.has(urn) || existing?.taint === true;
  if (isProviderType(state.type)) {
    const change = { urn, olds: existing?.inputs ?? {}, news: goal.properties };
    state.inputs = requireValid(run, state, await run.providers.check(state.type, change));
  }
  const isImport =
    provider !== undefined &&
    goal.importId !== "" &&
    (existing === undefined || existing.external || existing.id !== goal.importId);
  const old = isImport ? await imported(run, goal, state, existing, provider) : existing;
  if (provider) {
    const forget = recreating || targeted || old?.external === true;
    const ignored = ignoreChanges(goal.ignoreChanges, old?.inputs ?? {}, goal.properties);
    if (old && ignored.impossible.length > 0) {
      const message = `cannot ignore changes in added or removed elements of the path: "${ignored.impossible.join(", ")}"`;
      run.report({ severity: "info", message, urn });
    }
    const change =
      old && !forget
        ? { urn, olds: old.inputs ?? {}, news: ignored.inputs }
        : { urn, olds: {}, news: goal.properties };
    state.inputs = requireValid(run, state, await provider.check(change));
  }
  if (old === undefined) return [{ operation: "create", new: state }];
  if (recreating) {
    run.deleted.delete(old.urn);
    return inOrder(["replace", "create-replacement"], { old, new: state });
  }
  if (old.external) return inOrder(["create-replacement", "replace"], { old, new: state });
  const hasInitErrors = (old.initErrors ?? []).length > 0;
  const found = replaceOnChanges(
    await compare(decisions, old, state, provider, targeted),
    goal.replaceOnChanges,
    hasInitErrors,
  );
  const { replaceKeys, changedKeys } = found;
  const step = { old, new: state, replaceKeys, changedKeys };
  if ((found.changes && replaceKeys.length > 0) || old.pendingReplacement) {
    if (goal.importId !== "") refuseReplacedImport(run, urn, replaceKeys);
    refuseProtected(run, old, state);
    if (provider && !targeted) {
      const change = { urn, olds: {}, news: goal.properties };
      state.inputs = requireValid(run, state, await provider.check(change));
    }
    if (!(goal.deleteBeforeReplace ?? found.deleteBeforeReplace))
      return inOrder(["create-replacement", "replace"], step);
    const deletions = await deleteBeforeReplacement(run, old, new Set(decided.keys()));
    return [...deletions, ...inOrder(["replace", "create-replacement"], step)];
  }
  if (found.changes || hasInitErrors) return [{ operation: "update", ...step }];
  if (!isImport) return [{ operation: "same", old, new: state }];
  // What was read stays in the state as it is: also the inputs that the program does not declare.
  Object.assign(state, old);
  return [];
}

/** Imports an object into the state. The checks that follow see it as the old state, and do not undo it if they fail. */
async function imported(
  run: Run,
  goal: Goal,
  state: ResourceState,
  old: ResourceState | undefined,
  provider: Provider,
): Promise<ResourceState> {
  const read = await readImported(provider, state.urn, goal.importId);
  const found: ResourceState = { ...state, ...read };
  const isReplacement = old !== undefined && !run.deleted.has(old.urn);
  await performAll(
    run,
    isReplacement
      ? inOrder(["import-replacement", "replace"], { old, new: found })
      : [{ operation: "import", new: found }],
  );
  if (found.created) state.created = found.created;
  return found;
}

/** The inputs of a check. Stops the run if they are invalid. */
function requireValid(
  run: Run,
  { urn, type }: ResourceState,
  { inputs, failures }: CheckedInputs,
): Properties {
  for (const { property, reason } of failures) {
    // The real engine also shows the value of the property, even if it is a secret.
    const about = property && `: property ${property} value ${JSON.stringify(inputs[property])}`;
    run.fail(`${type} resource '${nameInUrn(urn)}'${about} has a problem: ${reason}`, urn);
  }
  if (failures.length > 0) {
    run.stop();
    throw shuttingDown();
  }
  return inputs;
}

/** Whether and how a resource differs from its goal. */
async function compare(
  { run, decided }: Decisions,
  old: ResourceState,
  state: ResourceState,
  provider: Provider | undefined,
  targeted: boolean,
): Promise<DiffResult> {
  if (targeted) return difference(true, ["id"]);
  if (state.deletedWith && decided.get(state.deletedWith) === "replace")
    return difference(true, ["deletedWith"]);
  // Only a change between a component and a managed resource replaces: all providers here can manage the same
  // resources.
  if ((old.provider === undefined) !== (state.provider === undefined)) return difference(true, ["provider"]);
  const news = state.inputs ?? {};
  if (isProviderType(state.type)) {
    const configuration = { urn: state.urn, olds: old.inputs ?? {}, news };
    const changes = await run.providers.changes(state.type, configuration);
    return difference(changes ?? !equalValues(old.outputs ?? {}, withoutInternal(news)));
  }
  if (!provider) return difference(!equalValues(old.inputs ?? {}, news));
  if (!provider.known) {
    const message =
      "The provider for this resource has inputs that are not known during preview: an update is assumed.";
    run.report({ severity: "warning", message, urn: state.urn });
  }
  return askProvider(provider, changeOf(old, news, state));
}

/** Stops the run if a replacement would give a resource another id than the one that it imports. A preview only warns. */
function refuseReplacedImport(run: Run, urn: string, keys: readonly string[]): void {
  const message = `previously-imported resources that still specify an ID may not be replaced; please remove the \`import\` declaration from your program;\n${keys.join("\n")}`;
  if (!run.dryRun) throw new Error(message);
  run.report({ severity: "warning", message, urn });
}

/** Stops the run if a replacement would delete a protected resource. A preview continues, to show the other changes. */
function refuseProtected(run: Run, old: ResourceState, state: ResourceState): void {
  if (!state.protect || !old.protect) return;
  const message = `${state.urn} is protected and is not replaced. Remove the option protect first, or the option import, which implies it.`;
  if (!run.dryRun) run.abort(message, state.urn);
  run.fail(message, state.urn);
}

/** Whether a provider manages the resource, and not the engine itself. */
function reallyManaged({ custom, type }: ResourceState): boolean {
  return custom && !isProviderType(type);
}
