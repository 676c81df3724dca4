/** Refresh: reads every resource in the state and applies what it finds. */
import { askProvider } from "../planning/diff";
import { isProviderType } from "../protocol/urn";
import { equalValues } from "../protocol/values";
import { changeOf, InitFailure } from "../providers/provider";
import type { Run } from "../run/run";
import type { RunStep } from "../run/step";
import { markSecretOutputs } from "../run/steps";
import { withoutVanished } from "../state/journal";
import type { ResourceState } from "../state/snapshot";

/**
 * Refreshes the state that a run starts from. An error on one resource does not affect the others. The summary counts what
 * was found only if the command does nothing else.
 */
export async function refreshState(run: Run, isCounted = false): Promise<void> {
  const vanished = new Set<ResourceState>();
  const found = await Promise.all(
    run.base.resources.map((state) =>
      run.work
        .inParallel(() => refreshResource(run, state))
        .then((step) => {
          run.record.add(step, isCounted);
          if (!step.new) vanished.add(state);
          return step.new ?? state;
        })
        .catch((error: unknown) => {
          run.outcome.fail((error as Error).message, state.urn);
          return state;
        }),
    ),
  );
  run.base.resources = withoutVanished(found, vanished);
}

async function refreshResource(run: Run, old: ResourceState): Promise<RunStep> {
  if (!old.custom || isProviderType(old.type) || old.pendingReplacement || !run.includes(old.urn))
    return { operation: "refresh", old, new: old, result: "same" };
  const { urn, id = "", inputs: oldInputs = {}, outputs: oldOutputs = {} } = old;
  const provider = await run.providerOf(old);
  const timeoutSeconds = old.customTimeouts?.read ?? 0;
  const request = { urn, id, inputs: oldInputs, state: oldOutputs, timeoutSeconds };
  let initErrors: readonly string[] = [];
  const answer = await provider.read(request).catch((error: unknown) => {
    if (!(error instanceof InitFailure)) throw error;
    initErrors = error.reasons;
    const message = `Refreshed resource is in an unhealthy state:\n* ${initErrors.join("\n* ")}`;
    run.outcome.report({ severity: "warning", message, urn });
    return { id: error.id, inputs: error.inputs ?? oldInputs, outputs: error.outputs };
  });
  if (answer.id === "") return { operation: "refresh", old, result: "delete" };
  const { initErrors: _, ...rest } = old;
  const state: ResourceState = {
    ...rest,
    id: answer.id,
    inputs: answer.inputs ?? oldInputs,
    outputs: answer.outputs,
    ...(initErrors.length > 0 && { initErrors }),
  };
  markSecretOutputs(state);
  if (!equalValues(state.inputs, oldInputs) || !equalValues(state.outputs, oldOutputs))
    state.modified = new Date().toISOString();
  // A refresh reports the changes that an update of the unchanged program would revert.
  const changes = old.external
    ? !equalValues(answer.outputs, oldOutputs)
    : (await askProvider(provider, changeOf(state, oldInputs))).changes;
  return { operation: "refresh", old, new: state, result: changes ? "update" : "same" };
}
