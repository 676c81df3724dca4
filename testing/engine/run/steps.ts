/** Performs single steps: calls the provider, and records the result in the state. */
import { randomUUID } from "node:crypto";
import { shuttingDown } from "../protocol/grpc";
import { withoutInternal } from "../protocol/plugin";
import { isProviderType, providerReference } from "../protocol/urn";
import { equalValues, isSecret, secret, UNKNOWN_VALUE } from "../protocol/values";
import { changeOf, InitFailure } from "../providers/provider";
import type { PendingOperation, ResourceState } from "../state/snapshot";
import type { Run } from "./run";
import type { RunStep } from "./step";

/** Performs steps in order, as one unit of parallel work. Rejects after it has reported the error of a step. */
export function performAll(run: Run, steps: readonly RunStep[]): Promise<void> {
  return run.work.inParallel(async () => {
    for (const step of steps) {
      if (run.outcome.stopped) throw shuttingDown();
      await perform(run, step);
    }
  });
}

/** Marks outputs as secret if `additionalSecretOutputs` names them or the input of the same name is secret. */
export function markSecretOutputs(state: ResourceState): void {
  const outputs = state.outputs;
  if (outputs === undefined) return;
  const asked = state.additionalSecretOutputs ?? [];
  state.outputs = Object.fromEntries(
    Object.entries(outputs).map(([name, value]) => {
      const marked = (asked.includes(name) && name !== "id") || isSecret(state.inputs?.[name]);
      return [name, marked ? secret(value) : value];
    }),
  );
}

/** Performs one step. Until it ends, the journal has it as a pending operation, in case of a crash. */
async function perform(run: Run, step: RunStep): Promise<void> {
  const { journal } = run;
  const state = (step.new ?? step.old) as ResourceState;
  const { act, pending, removesOld, replacesOld } = STEPS[step.operation];
  if (pending) journal.begin(state, pending);
  const activity = `${step.operation} of ${state.urn}`;
  run.work.inProgress.add(activity);
  let failure: unknown;
  try {
    await act?.(run, state, step);
  } catch (error) {
    failure = error;
  }
  run.work.inProgress.delete(activity);
  journal.end(state);
  if (failure === undefined || failure instanceof InitFailure) {
    if (step.old && removesOld?.(step.old)) journal.remove(step.old);
    // A replaced resource that still exists is deleted at the end of the run.
    else if (step.old && replacesOld) step.old.delete = true;
    if (step.new && step.operation !== "replace") {
      markSecretOutputs(step.new);
      journal.add(step.new);
    }
  }
  if (failure instanceof ProtectedError) {
    run.outcome.fail(failure.message, state.urn);
    throw failure;
  }
  if (failure !== undefined) run.outcome.abortWith(failure, state.urn);
  run.record.add(step, countable(step));
}

/** Whether to count a step: a read only if it found a change, and the others as usual. */
function countable({ operation, old, new: found }: RunStep): boolean | undefined {
  if (operation !== "read") return undefined;
  return old?.outputs !== undefined && !equalValues(old.outputs, found?.outputs);
}

/** The error of a deletion of a protected resource. Other resources are still deleted. */
export class ProtectedError extends Error {}

/** Calls the provider, and fills in the state: the new one, or the old one of a deletion. */
type Action = (run: Run, state: ResourceState, step: RunStep) => Promise<void>;

function now(): string {
  return new Date().toISOString();
}

/** The references of a provider: under its own URN, and under its former ones. */
function references(state: ResourceState): string[] {
  return [state.urn, ...(state.aliases ?? [])].map((urn) => providerReference(urn, state.id));
}

async function same(run: Run, state: ResourceState, { old = state }: RunStep): Promise<void> {
  if (old.id !== undefined) state.id = old.id;
  if (old.outputs) state.outputs = old.outputs;
  if (isProviderType(state.type) && !run.providers.has(providerReference(state.urn, state.id)))
    await run.providers.configure(references(state), state.type, old.inputs ?? {});
}

async function create(run: Run, state: ResourceState): Promise<void> {
  const { urn, type, inputs = {}, customTimeouts } = state;
  state.created = state.modified = now();
  if (isProviderType(type)) {
    state.id = run.dryRun ? UNKNOWN_VALUE : randomUUID();
    state.outputs = withoutInternal(inputs);
    await run.providers.configure(references(state), type, inputs);
  } else if (state.custom) {
    const provider = await run.providerOf(state);
    const request = { urn, inputs, preview: run.dryRun, timeoutSeconds: customTimeouts?.create ?? 0 };
    await withUnready(state, async () => void Object.assign(state, await provider.create(request)));
  }
}

/** Fills in the state of a resource that was created or updated but is not ready. */
async function withUnready(state: ResourceState, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof InitFailure) {
      state.id = state.id || error.id;
      state.outputs = error.outputs;
      state.initErrors = error.reasons;
    }
    throw error;
  }
}

async function update(run: Run, state: ResourceState, step: RunStep): Promise<void> {
  const { old = state } = step;
  if (old.id !== undefined) state.id = old.id;
  if (!state.custom) return;
  const { inputs: news = {} } = state;
  if (isProviderType(state.type)) {
    state.outputs = withoutInternal(news);
    await run.providers.configure(references(state), state.type, news);
  } else {
    const provider = await run.providerOf(state);
    const request = {
      ...changeOf(old, news, state),
      preview: run.dryRun,
      timeoutSeconds: state.customTimeouts?.update ?? 0,
    };
    await withUnready(state, async () => {
      state.outputs = (await provider.update(request)).outputs;
    }).catch((error) => {
      // The old inputs are kept, so that the next run sees the new ones as a change.
      if (error instanceof InitFailure && old.inputs) state.inputs = old.inputs;
      throw error;
    });
  }
  state.modified = now();
}

async function read(run: Run, state: ResourceState, { old }: RunStep): Promise<void> {
  const { urn, id = "", inputs = {} } = state;
  if (id === UNKNOWN_VALUE) {
    state.outputs = {};
  } else {
    const provider = await run.providerOf(state);
    const answer = await provider.read({ urn, id, inputs, state: inputs });
    state.outputs = answer.outputs;
    if (answer.id !== "") state.id = answer.id;
  }
  if (old?.created) state.created = old.created;
  const unchanged =
    old === undefined || (equalValues(old.inputs, inputs) && equalValues(old.outputs, state.outputs));
  const modified = unchanged ? old?.modified : now();
  if (modified) state.modified = modified;
}

async function remove(run: Run, state: ResourceState, step: RunStep): Promise<void> {
  const refusal = `${state.urn} is protected and is not deleted. Remove the option protect, or the option import, which implies it, and update first.`;
  if (step.operation === "delete" && state.protect) throw new ProtectedError(refusal);
  const leave =
    run.dryRun || !state.custom || state.external || state.retainOnDelete || isProviderType(state.type);
  if (leave || (state.deletedWith && run.deleted.has(state.deletedWith))) return;
  const provider = await run.providerOf(state);
  const { urn, id = "", inputs = {}, outputs = {} } = state;
  await provider.delete({ urn, id, inputs, outputs, timeoutSeconds: state.customTimeouts?.delete ?? 0 });
}

/** Deletes a resource before its replacement is created. Until then, the state keeps it as `pendingReplacement`. */
async function removeReplaced(run: Run, state: ResourceState, step: RunStep): Promise<void> {
  await remove(run, state, step);
  if (!state.delete) state.pendingReplacement = true;
}

async function adopt(_run: Run, state: ResourceState): Promise<void> {
  state.created = state.modified = now();
}

function isDeleted({ pendingReplacement = false }: ResourceState): boolean {
  return pendingReplacement;
}

interface StepKind {
  readonly act?: Action;
  /** The type of the pending operation that an interrupted step leaves. */
  readonly pending?: PendingOperation["type"];
  /** Whether the old resource is no longer in the state after the step. Default: it is. */
  readonly removesOld?: (old: ResourceState) => boolean;
  /** Whether the new resource takes the place of the old one. Default: no. */
  readonly replacesOld?: boolean;
}

function always(): boolean {
  return true;
}

const STEPS: Readonly<Record<RunStep["operation"], StepKind>> = {
  same: { act: same, removesOld: always },
  create: { act: create, pending: "creating", removesOld: isDeleted },
  "create-replacement": { act: create, pending: "creating", removesOld: isDeleted, replacesOld: true },
  update: { act: update, pending: "updating", removesOld: always },
  replace: {},
  delete: { act: remove, pending: "deleting", removesOld: always },
  "delete-replaced": { act: removeReplaced, pending: "deleting", removesOld: (old) => !isDeleted(old) },
  read: { act: read, pending: "reading", removesOld: always },
  "read-replacement": { act: read, pending: "reading", replacesOld: true },
  refresh: {},
  discard: { removesOld: always },
  "discard-replaced": { removesOld: always },
  "remove-pending-replace": { removesOld: always },
  import: { act: adopt, pending: "importing" },
  "import-replacement": { act: adopt, pending: "importing", removesOld: isDeleted, replacesOld: true },
};
