/**
 * Tracks the calls in progress, and stops them on the engine's Cancel, on a signal of the operating system, or at the
 * time limit of the call.
 */
import { CancelledError } from "../../client/errors";
import { UserError } from "../../errors";
import { explain } from "../../lifecycle/explain";
import { capitalized } from "../../shapes/words";
import { UnreadyResource } from "./failures";

/** How long a request may continue after its call was stopped, so that what it creates is saved. */
const GRACE_MS = 500;
/** The longest delay that a timer supports. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface CallLimits {
  /** Aborts waits and lookups. */
  readonly waits: AbortSignal;
  /** Aborts requests after a grace period, so that what they create is saved. */
  readonly requests: AbortSignal;
}

interface Call {
  /** What messages call the resource or function. */
  readonly title: string;
  /** The time limit in seconds. 0 means none. */
  readonly timeoutSeconds: number;
}

export type Calls = ReturnType<typeof newCalls>;

/**
 * Creates the calls of a process.
 *
 * @param onDrained called once, when the calls were cancelled and the last one has been answered.
 */
export function newCalls(onDrained: () => void) {
  const waits = new AbortController();
  const requests = new AbortController();
  let inProgress = 0;

  function notifyIfDrained(): void {
    // The response is sent first.
    if (waits.signal.aborted && inProgress === 0) setImmediate(onDrained);
  }

  return {
    /** Runs a call. @throws UserError if it was stopped. */
    async run<Value>(
      { title, timeoutSeconds }: Call,
      operation: (limits: CallLimits) => Promise<Value>,
    ): Promise<Value> {
      if (waits.signal.aborted) throw stopped("the run was cancelled");
      const limits = {
        waits: bounded(waits.signal, timeoutSeconds),
        requests: bounded(requests.signal, timeoutSeconds, GRACE_MS),
      };
      inProgress++;
      try {
        return await operation(limits);
      } catch (error) {
        if (!limits.waits.aborted) throw error;
        const reason = waits.signal.aborted
          ? "the run was cancelled"
          : `it exceeded the time limit of ${timeoutSeconds} s set by the resource option customTimeouts`;
        throw stoppedError(error, { title, reason });
      } finally {
        inProgress--;
        notifyIfDrained();
      }
    },

    /** Stops all calls in progress and refuses new ones. Further calls of this function do nothing. */
    cancel(): void {
      if (waits.signal.aborted) return;
      waits.abort();
      setTimeout(() => requests.abort(), GRACE_MS).unref();
      notifyIfDrained();
    },
  };
}

/** A signal that also aborts when the time limit and the grace period have passed. */
function bounded(signal: AbortSignal, timeoutSeconds: number, graceMs = 0): AbortSignal {
  if (timeoutSeconds <= 0) return signal;
  const limitMs = Math.min(Math.round(timeoutSeconds * 1_000) + graceMs, LONGEST_TIMER_MS);
  return AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
}

/** Waits for a value until the signal aborts. Only for values that are safe to abandon. */
export async function unlessAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([value, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** The error for a stopped call. The engine saves what the call created, and the message reports what is unknown. */
function stoppedError(
  error: unknown,
  { title, reason }: { readonly title: string; readonly reason: string },
): unknown {
  if (error instanceof UnreadyResource) {
    const { id, saved } = error;
    const state = `${capitalized(title)} ${id} exists and is saved, but is not ready yet: ${reason}.`;
    return new UnreadyResource(id, [`${state} Run \`pulumi up\` to continue.`], saved);
  }
  const known = explain(error);
  const cancelled = [error, known.cause].find((each) => each instanceof CancelledError);
  if (/^(Abort|Timeout)Error$/.test(known.name) || cancelled?.effect === "none") return stopped(reason);
  if (!(known instanceof UserError)) return error;
  return new UserError(`Stopped: ${reason}.\n${known.message}`, { cause: error });
}

function stopped(reason: string): UserError {
  return new UserError(`Stopped: ${reason}. Run this again.`);
}
