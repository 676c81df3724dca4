/**
 * Performs single steps: calls the provider, and records the result in the state.
 */
import { randomUUID } from "node:crypto";
import { shuttingDown } from "../protocol/grpc";
import { withoutInternal } from "../protocol/plugin";
import { isProviderType, providerReference } from "../protocol/urn";
import { equalValues, isSecret, type Properties, secret, UNKNOWN_VALUE } from "../protocol/values";
import { InitFailure } from "../providers/provider";
import type { PendingOperation, ResourceState } from "../state/snapshot";
import type { Run, RunStep } from "./run";

/** Performs steps in order, as one unit of parallel work. Rejects after it has reported the error of a step. */
export function performAll(run: Run, steps: readonly RunStep[]): Promise<void> {
  return run.work(async () => {
    for (const step of steps) {
      if (run.stopped) throw shuttingDown();
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
  const pending = PENDING[step.operation];
  if (pending) journal.begin(state, pending);
  const doing = `${step.operation} of ${state.urn}`;
  run.inProgress.add(doing);
  let failure: unknown;
  try {
    await ACTIONS[step.operation]?.(run, step);
  } catch (error) {
    failure = error;
  }
  run.inProgress.delete(doing);
  journal.end(state);
  if (failure === undefined || failure instanceof InitFailure) {
    if (step.new && step.operation !== "replace") markSecretOutputs(step.new);
    commit(run, step);
  }
  if (failure instanceof ProtectedError) {
    run.fail(failure.message, state.urn);
    throw failure;
  }
  if (failure !== undefined) run.abortWith(failure, state.urn);
  run.record(step, countable(step));
}

/** The types of pending operations, for steps that were interrupted. */
const PENDING: Partial<Record<RunStep["operation"], PendingOperation["type"]>> = {
  create: "creating",
  "create-replacement": "creating",
  update: "updating",
  delete: "deleting",
  "delete-replaced": "deleting",
  read: "reading",
  "read-replacement": "reading",
  import: "importing",
  "import-replacement": "importing",
};

/** Whether to count a step: a read only if it found a change, and the others as usual. */
function countable({ operation, old, new: found }: RunStep): boolean | undefined {
  return operation === "read"
    ? old?.outputs !== undefined && !equalValues(old.outputs, found?.outputs)
    : undefined;
}

/** The error of a deletion of a protected resource. Other resources are still deleted. */
export class ProtectedError extends Error {
  constructor(urn: string) {
    super(
      `${urn} is protected and is not deleted. Remove the option protect, or the option import, which implies it, and update first.`,
    );
  }
}

/** Records the result of a step in the journal. */
function commit({ journal }: Run, { operation, old, new: state }: RunStep): void {
  switch (operation) {
    case "create":
    case "create-replacement":
    case "import-replacement":
      if (old?.pendingReplacement) journal.remove(old);
      break;
    case "same":
    case "update":
    case "read":
    case "delete":
    case "delete-replaced":
    case "discard":
    case "discard-replaced":
    case "remove-pending-replace":
      if (old && !(operation === "delete-replaced" && old.pendingReplacement)) journal.remove(old);
  }
  if (state && operation !== "replace") journal.add(state);
}

type Action = (run: Run, step: RunStep) => Promise<void>;

function now(): string {
  return new Date().toISOString();
}

/** The references of a provider: under its own URN, and under its former ones. */
function references(state: ResourceState): string[] {
  return [state.urn, ...(state.aliases ?? [])].map((urn) => providerReference(urn, state.id as string));
}

async function same(run: Run, { old, new: state }: RunStep): Promise<void> {
  const [before, after] = [old, state] as [ResourceState, ResourceState];
  if (before.id !== undefined) after.id = before.id;
  if (before.outputs) after.outputs = before.outputs;
  if (isProviderType(after.type) && !run.providers.has(references(after)[0] as string)) {
    await run.providers.configure(references(after), after.type, before.inputs ?? {});
  }
}

async function create(run: Run, { operation, old, new: state }: RunStep): Promise<void> {
  const created = state as ResourceState;
  const inputs = created.inputs ?? {};
  created.created = created.modified = now();
  // A replaced resource that still exists is deleted at the end of the run.
  const afterCreation = (): void => {
    if (operation === "create-replacement" && old && !old.pendingReplacement) old.delete = true;
  };
  if (isProviderType(created.type)) {
    created.id = run.dryRun ? UNKNOWN_VALUE : randomUUID();
    created.outputs = withoutInternal(inputs);
    await run.providers.configure(references(created), created.type, inputs);
  } else if (created.custom) {
    const provider = await run.providerOf(created);
    const { urn, customTimeouts } = created;
    const timeoutSeconds = customTimeouts?.create ?? 0;
    await withInitErrors(created, async () => {
      const { id, outputs } = await provider.create({ urn, inputs, preview: run.dryRun, timeoutSeconds });
      created.id = id;
      created.outputs = outputs;
    }).catch((error) => {
      if (error instanceof InitFailure) afterCreation();
      throw error;
    });
  }
  afterCreation();
}

/** Records a resource that was created or updated but is not ready in its state. */
async function withInitErrors(state: ResourceState, work: () => Promise<void>): Promise<void> {
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

async function update(run: Run, { old, new: state }: RunStep): Promise<void> {
  const [before, after] = [old, state] as [ResourceState, ResourceState];
  if (before.id !== undefined) after.id = before.id;
  if (!after.custom) return;
  const news = after.inputs ?? {};
  if (isProviderType(after.type)) {
    after.outputs = withoutInternal(news);
    await run.providers.configure(references(after), after.type, news);
  } else {
    const provider = await run.providerOf(after);
    const request = {
      urn: after.urn,
      id: before.id as string,
      oldInputs: before.inputs ?? {},
      oldOutputs: before.outputs ?? {},
      news,
      ignoreChanges: after.ignoreChanges ?? [],
      preview: run.dryRun,
      timeoutSeconds: after.customTimeouts?.update ?? 0,
    };
    await withInitErrors(after, async () => {
      after.outputs = (await provider.update(request)).outputs;
    }).catch((error) => {
      // The old inputs are kept, so that the next run sees the new ones as a change.
      if (error instanceof InitFailure && before.inputs) after.inputs = before.inputs;
      throw error;
    });
  }
  after.modified = now();
}

async function read(run: Run, { operation, old, new: state }: RunStep): Promise<void> {
  const found = state as ResourceState;
  const inputs = found.inputs ?? {};
  if (found.id === UNKNOWN_VALUE) {
    found.outputs = {};
  } else {
    const provider = await run.providerOf(found);
    const answer = await provider.read({ urn: found.urn, id: found.id as string, inputs, state: inputs });
    found.outputs = answer.outputs;
    if (answer.id !== "") found.id = answer.id;
  }
  if (operation === "read-replacement" && old) old.delete = true;
  if (old?.created) found.created = old.created;
  const unchanged =
    old === undefined || (equalValues(old.inputs, inputs) && equalValues(old.outputs, found.outputs));
  const modified = unchanged ? old?.modified : now();
  if (modified) found.modified = modified;
}

async function remove(run: Run, { operation, old }: RunStep): Promise<void> {
  const state = old as ResourceState;
  if (operation === "delete" && state.protect) throw new ProtectedError(state.urn);
  const leave =
    run.dryRun || !state.custom || state.external || state.retainOnDelete || isProviderType(state.type);
  if (leave || (state.deletedWith && run.deleted.has(state.deletedWith))) return;
  const provider = await run.providerOf(state);
  const { urn, id, inputs = {}, outputs = {} } = state;
  const timeoutSeconds = state.customTimeouts?.delete ?? 0;
  await provider.delete({ urn, id: id as string, inputs, outputs: outputs as Properties, timeoutSeconds });
}

/** Deletes a resource before its replacement is created. Until then, the state keeps it as `pendingReplacement`. */
async function removeReplaced(run: Run, step: RunStep): Promise<void> {
  await remove(run, step);
  const state = step.old as ResourceState;
  if (!state.delete) state.pendingReplacement = true;
}

async function adopt(_run: Run, { old, new: state }: RunStep): Promise<void> {
  const adopted = state as ResourceState;
  adopted.created = adopted.modified = now();
  // A replaced resource that still exists is deleted at the end of the run.
  if (old && !old.pendingReplacement) old.delete = true;
}

const ACTIONS: Partial<Record<RunStep["operation"], Action>> = {
  same,
  create,
  "create-replacement": create,
  update,
  read,
  "read-replacement": read,
  delete: remove,
  "delete-replaced": removeReplaced,
  import: adopt,
  "import-replacement": adopt,
};
