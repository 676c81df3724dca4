/**
 * Decides the steps for a resource that a program registers, in the order of Pulumi's engine: see
 * docs/internals/engine.md#replacement-order and docs/internals/engine.md#forced-replacement.
 */
import type { Goal } from "../protocol/goal";
import { shuttingDown } from "../protocol/grpc";
import { withoutInternal } from "../protocol/plugin";
import { isProviderType, nameInUrn } from "../protocol/urn";
import { equalValues } from "../protocol/values";
import { type CheckedInputs, changeOf, type Provider } from "../providers/provider";
import type { Run } from "../run/run";
import { inOrder, type RunStep } from "../run/step";
import type { ResourceState } from "../state/snapshot";
import { deleteBeforeReplacement } from "./deletions";
import { askProvider, type DiffResult, difference, ignoreChanges, namesIn, replaceOnChanges } from "./diff";

/** What a decision depends on, besides the goal. */
export interface Situation {
  readonly run: Run;
  /** The operations that this run has decided on, by URN. */
  readonly decided: ReadonlyMap<string, RunStep["operation"]>;
  /** The resource in the state, or what its import has read. Absent if it is new. */
  readonly old?: ResourceState | undefined;
  readonly isImported: boolean;
  /** Whether this run deletes it first: a resource that it depends on is deleted before its replacement is created. */
  readonly isDeleted: boolean;
  readonly isForced: boolean;
}

/** What a resource becomes, and the steps that lead there. */
export interface Decision {
  readonly state: ResourceState;
  readonly steps: readonly RunStep[];
}

/**
 * Decides what becomes of a resource. Asks its provider, and changes nothing.
 *
 * @param declared the new state, as far as the goal determines it.
 */
export async function decide(situation: Situation, goal: Goal, declared: ResourceState): Promise<Decision> {
  const { run, decided, old, isDeleted, isForced } = situation;
  const provider = isManaged(declared) ? await run.providerOf(declared) : undefined;
  const state = { ...declared, inputs: await checkedInputs(situation, goal, declared, provider) };
  if (old === undefined) return { state, steps: [{ operation: "create", new: state }] };
  if (isDeleted) return { state, steps: inOrder(["replace", "create-replacement"], { old, new: state }) };
  if (old.external) return { state, steps: inOrder(["create-replacement", "replace"], { old, new: state }) };
  const hasInitErrors = (old.initErrors ?? []).length > 0;
  const compared = await compare(situation, old, state, provider);
  const found = replaceOnChanges(compared, goal.replaceOnChanges, hasInitErrors);
  const { replaceKeys } = found;
  const changedKeys = namesIn(found.paths);
  if ((found.changes && replaceKeys.length > 0) || old.pendingReplacement) {
    if (goal.importId !== "") refuseReplacedImport(run, state.urn, replaceKeys);
    refuseProtected(run, old, state);
    const isChecked = provider === undefined || isForced;
    const inputs = isChecked ? state.inputs : await inputsOfNew(run, goal, state, provider);
    const replacement = { ...state, inputs };
    const step = { old, new: replacement, replaceKeys, changedKeys };
    if (!(goal.deleteBeforeReplace ?? found.deleteBeforeReplace))
      return { state: replacement, steps: inOrder(["create-replacement", "replace"], step) };
    const deletions = await deleteBeforeReplacement(run, old, new Set(decided.keys()));
    return { state: replacement, steps: [...deletions, ...inOrder(["replace", "create-replacement"], step)] };
  }
  if (found.changes || hasInitErrors)
    return { state, steps: [{ operation: "update", old, new: state, replaceKeys, changedKeys }] };
  // What was read stays in the state as it is: also the inputs that the program does not declare.
  if (situation.isImported) return { state: { ...state, ...old }, steps: [] };
  return { state, steps: [{ operation: "same", old, new: state }] };
}

async function checkedInputs(
  { run, old, isDeleted, isForced }: Situation,
  goal: Goal,
  declared: ResourceState,
  provider: Provider | undefined,
) {
  const { urn, type } = declared;
  const olds = old?.inputs ?? {};
  if (isProviderType(type)) {
    const checked = await run.providers.check(type, { urn, olds, news: goal.properties });
    return requireValid(run, declared, checked);
  }
  if (provider === undefined) return goal.properties;
  if (old === undefined || isDeleted || isForced || old.external)
    return await inputsOfNew(run, goal, declared, provider);
  const news = ignoreChanges(goal.ignoreChanges, olds, goal.properties);
  return requireValid(run, declared, await provider.check({ urn, olds, news }));
}

/** The inputs of a resource that is checked as a new one. */
async function inputsOfNew(run: Run, goal: Goal, declared: ResourceState, provider: Provider) {
  const checked = await provider.check({ urn: declared.urn, olds: {}, news: goal.properties });
  return requireValid(run, declared, checked);
}

/** The inputs of a check. Stops the run if they are invalid. */
function requireValid(run: Run, { urn, type }: ResourceState, { inputs, failures }: CheckedInputs) {
  for (const { property, reason } of failures) {
    // The real engine also shows the value of the property, even if it is a secret.
    const about = property && `: property ${property} value ${JSON.stringify(inputs[property])}`;
    run.outcome.fail(`${type} resource '${nameInUrn(urn)}'${about} has a problem: ${reason}`, urn);
  }
  if (failures.length > 0) {
    run.outcome.stop();
    throw shuttingDown();
  }
  return inputs;
}

/** Whether and how a resource differs from its goal. */
async function compare(
  { run, decided, isForced }: Situation,
  old: ResourceState,
  state: ResourceState,
  provider: Provider | undefined,
): Promise<DiffResult> {
  if (isForced) return difference(true, ["id"]);
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
    run.outcome.report({ severity: "warning", message, urn: state.urn });
  }
  return askProvider(provider, changeOf(old, news, state));
}

/** Stops the run if a replacement would give a resource another id than the one that it imports. A preview only warns. */
function refuseReplacedImport(run: Run, urn: string, keys: readonly string[]): void {
  const message = `previously-imported resources that still specify an ID may not be replaced; please remove the \`import\` declaration from your program;\n${keys.join("\n")}`;
  if (!run.dryRun) throw new Error(message);
  run.outcome.report({ severity: "warning", message, urn });
}

/** Stops the run if a replacement would delete a protected resource. A preview continues, to show the other changes. */
function refuseProtected(run: Run, old: ResourceState, state: ResourceState): void {
  if (!state.protect || !old.protect) return;
  const message = `${state.urn} is protected and is not replaced. Remove the option protect first, or the option import, which implies it.`;
  if (!run.dryRun) run.outcome.abort(message, state.urn);
  run.outcome.fail(message, state.urn);
}

/** Whether a provider manages the resource, and not the engine itself. */
function isManaged({ custom, type }: ResourceState): boolean {
  return custom && !isProviderType(type);
}
