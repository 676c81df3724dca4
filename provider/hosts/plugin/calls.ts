/**
 * The calls under way, and what ends them: the engine's Cancel, a signal of the system, or the time that the engine
 * gives a call.
 */
import { CancelledError } from "../../client/errors";
import { UserError } from "../../lifecycle/errors";
import { explain } from "../../lifecycle/explain";
import { capitalized } from "../../shapes/words";
import { InitFailure } from "./failures";

/** How long a request under way may go on when its call has ended, so that what it creates is saved. */
const GRACE_MS = 500;
/** The longest time that a timer can hold. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What ends a call. */
export interface CallLimits {
  /** Ends waits, and what only reads. */
  readonly waits: AbortSignal;
  /** Ends requests: a moment later, because a request that creates something must be saved. */
  readonly requests: AbortSignal;
}

/** One call. */
interface Call {
  /** What a sentence calls the resource. */
  readonly title: string;
  /** How long it may take, in seconds; 0 for as long as it takes. */
  readonly timeoutSeconds: number;
}

/** The calls of one plugin process. */
export interface Calls {
  /** Runs a call. @throws UserError when it was stopped. */
  run<Value>(call: Call, operation: (limits: CallLimits) => Promise<Value>): Promise<Value>;
  /** Ends every call under way, and refuses others. It may come more than once. */
  cancel(): void;
}

/**
 * Creates the calls of a process.
 *
 * @param whenOver called once, when they have been cancelled and the last one is answered.
 */
export function newCalls(whenOver: () => void): Calls {
  const waits = new AbortController();
  const requests = new AbortController();
  let underWay = 0;

  function endWhenOver(): void {
    // The answer is sent first.
    if (waits.signal.aborted && underWay === 0) setImmediate(whenOver);
  }

  return {
    async run({ title, timeoutSeconds }, operation) {
      if (waits.signal.aborted) throw stopped("the run was cancelled");
      const limits = {
        waits: bounded(waits.signal, timeoutSeconds),
        requests: bounded(requests.signal, timeoutSeconds, GRACE_MS),
      };
      underWay++;
      try {
        return await operation(limits);
      } catch (error) {
        if (!limits.waits.aborted) throw error;
        const reason = waits.signal.aborted
          ? "the run was cancelled"
          : `it reached the limit of ${timeoutSeconds} s that the resource option customTimeouts sets`;
        throw whenStopped(error, { title, reason });
      } finally {
        underWay--;
        endWhenOver();
      }
    },

    cancel() {
      if (waits.signal.aborted) return;
      waits.abort();
      setTimeout(() => requests.abort(), GRACE_MS).unref();
      endWhenOver();
    },
  };
}

/** The signal, or the end of the time that a call has, and of the grace after it. */
function bounded(signal: AbortSignal, timeoutSeconds: number, graceMs = 0): AbortSignal {
  if (timeoutSeconds <= 0) return signal;
  const limitMs = Math.min(Math.round(timeoutSeconds * 1_000) + graceMs, LONGEST_TIMER_MS);
  return AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
}

/** Waits for a value that nothing is lost with, or until the signal aborts. */
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

/** The error of a call that was stopped. What it created is saved, and what is not known is said. */
function whenStopped(
  error: unknown,
  { title, reason }: { readonly title: string; readonly reason: string },
): unknown {
  if (error instanceof InitFailure) {
    const { id, saved } = error;
    const state = `${capitalized(title)} ${id} exists and is saved, but is not ready yet: ${reason}.`;
    return new InitFailure(id, [`${state} Run \`pulumi up\` to continue.`], saved);
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
