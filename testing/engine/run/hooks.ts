/** Calls the error hooks of a resource, as the engine of Pulumi does. */
import type { ErrorHookEvent, HookedOperation } from "../protocol/hooks";
import { InitFailure } from "../providers/provider";
import type { ResourceState } from "../state/snapshot";
import type { Run } from "./run";
import type { RunStep } from "./step";

/** The number of attempts after which Pulumi asks no error hook. */
const MAX_ATTEMPTS = 100;

/** The operation of each step that calls hooks. */
const HOOKED: Readonly<Partial<Record<RunStep["operation"], HookedOperation>>> = {
  create: "create",
  "create-replacement": "create",
  update: "update",
  delete: "delete",
  "delete-replaced": "delete",
};

/** The resource whose hooks a step calls. */
function subject(step: RunStep): ResourceState {
  return (step.new ?? step.old) as ResourceState;
}

function eventOf(step: RunStep): Omit<ErrorHookEvent, "failedOperation" | "errors"> {
  const { new: state } = step;
  // A replacement is a new resource.
  const old = step.operation === "create-replacement" ? undefined : step.old;
  const { urn } = subject(step);
  return {
    urn,
    id: state?.id ?? old?.id ?? "",
    ...(state && { newInputs: state.inputs ?? {} }),
    ...(old && { oldInputs: old.inputs ?? {}, oldOutputs: old.outputs ?? {} }),
  };
}

/**
 * Calls the operation of a provider for a step, and again as long as it fails and an error hook asks for it. Rejects with
 * the last error. As in the engine of Pulumi, previews call error hooks too.
 */
export async function withRetries<Result>(
  run: Run,
  step: RunStep,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const errors: string[] = [];
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      errors.unshift(messageOf(error));
      // Pulumi keeps the reasons even if a later attempt succeeds, so that the next run updates the resource.
      if (step.new && error instanceof InitFailure) step.new.initErrors = error.reasons;
      if (!(await isRetried(run, step, errors, error))) throw error;
    }
  }
}

/** The message of an error as an error hook gets it. */
function messageOf(error: Error): string {
  return error instanceof InitFailure && error.reasons.length > 0 ? `${error.message}\n\n` : error.message;
}

/** Whether an error hook asks for another attempt. All hooks are called. */
async function isRetried(run: Run, step: RunStep, errors: readonly string[], last: Error): Promise<boolean> {
  const names = subject(step).resourceHooks?.OnError ?? [];
  const operation = HOOKED[step.operation];
  if (names.length === 0 || operation === undefined) return false;
  const { urn } = subject(step);
  const warn = (message: string): void => run.outcome.report({ severity: "warning", message, urn });
  if (errors.length >= MAX_ATTEMPTS) {
    warn(`maximum number of error hook retries (${MAX_ATTEMPTS}) reached`);
    throw new Error("maximum number of error hook retries reached");
  }
  const event = eventOf(step);
  let retry = false;
  try {
    for (const name of names) {
      const hook = run.hooks.errorHook(name);
      const asked = await hook
        .call({ ...event, failedOperation: operation, errors })
        .catch((error: Error) => {
          throw new Error(`error hook "${name}" failed: ${error.message}`);
        });
      retry ||= asked;
    }
  } catch (error) {
    // The error of a deletion, and that of a resource which exists, hides the hook's.
    if (operation === "delete" || last instanceof InitFailure) return false;
    throw new Error(`error hooks execution failed: ${(error as Error).message}`);
  }
  if (retry) warn(`retrying ${operation} due to on-error hook request (${errors.length}/${MAX_ATTEMPTS})`);
  return retry;
}
