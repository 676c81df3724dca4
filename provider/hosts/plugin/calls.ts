/**
 * Tracks the calls in progress, and stops them on Cancel, on a signal, or at their time limit: see
 * docs/internals/native-host.md#cancel. A stopped call ends its waits and starts no write; one that was sent is saved.
 */
import { DEFAULT_BUDGET_MS } from "../../client";
import { CancelledError } from "../../client/errors";
import { UserError } from "../../errors";
import { explain } from "../../lifecycle/explain";
import { objectName } from "../../values/phrases";
import { UnreadyResource } from "./failures";

/** How long a stopped call that has sent no write may continue: it only reads. */
const GRACE_MS = 500;
/** How long a stopped call that has sent a write may continue: a lost response is looked up in lists. */
const WRITE_GRACE_MS = DEFAULT_BUDGET_MS;
/** The longest delay that a timer supports. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const CANCELLED = "the run was cancelled";

export interface CallLimits {
  /** Aborts when the call is stopped. */
  readonly waits: AbortSignal;
  /** Aborts after a grace period, which is longer if a write was sent. */
  readonly requests: AbortSignal;
  hasWritten(): boolean;
  noteWrite(): void;
}

interface Call {
  /** The name of the resource or function in messages. */
  readonly title: string;
  /** The time limit in seconds. 0 means none. */
  readonly timeoutSeconds: number;
}

/** Why a call was stopped, if that is all. It is the reason of the call's signals. */
export class StoppedError extends UserError {
  constructor(readonly why: string) {
    super(`Stopped: ${why}. Run this again.`);
  }
}

export type Calls = ReturnType<typeof newCalls>;

/** Creates the calls of a process. `onDrained` is called once: when they were cancelled, and no other is expected. */
export function newCalls(onDrained: () => void) {
  const inProgress = new Set<ReturnType<typeof newCall>>();
  let cancelled = false;
  /** Whether the engine may call again what has failed, even after Cancel: see docs/internals/engine.md#repeated-calls. */
  let isExpecting = false;
  let ending = false;
  let drained = false;

  function notifyIfDrained(): void {
    if (!cancelled || drained || inProgress.size > 0 || (isExpecting && !ending)) return;
    drained = true;
    // The response is sent first.
    setImmediate(onDrained);
  }

  function cancel(): void {
    cancelled = true;
    for (const call of inProgress) call.stop(CANCELLED);
    notifyIfDrained();
  }

  return {
    /** Runs a call. @throws UserError if it was stopped. */
    async run<Value>(call: Call, operation: (limits: CallLimits) => Promise<Value>): Promise<Value> {
      if (cancelled) throw new StoppedError(CANCELLED);
      const running = newCall(call);
      inProgress.add(running);
      try {
        return await operation(running.limits);
      } catch (error) {
        const { aborted, reason } = running.limits.waits;
        const failure = aborted ? stoppedError(error, call.title, reason) : error;
        if (!(failure instanceof StoppedError)) isExpecting = true;
        throw failure;
      } finally {
        running.end();
        inProgress.delete(running);
        notifyIfDrained();
      }
    },

    /** Stops all calls in progress and refuses new ones. Further calls of this function do nothing. */
    cancel,

    /** The same, for an engine that does not call again. */
    end(): void {
      ending = true;
      cancel();
    },
  };
}

function newCall({ timeoutSeconds }: Call) {
  const waits = new AbortController();
  const requests = new AbortController();
  let hasWritten = false;
  let timer: NodeJS.Timeout | undefined;
  function stop(why: string): void {
    if (waits.signal.aborted) return;
    clearTimeout(timer);
    const reason = new StoppedError(why);
    waits.abort(reason);
    timer = setTimeout(() => requests.abort(reason), hasWritten ? WRITE_GRACE_MS : GRACE_MS);
  }
  if (timeoutSeconds > 0) {
    const why = `it exceeded the time limit of ${timeoutSeconds} s set by the resource option customTimeouts`;
    timer = setTimeout(() => stop(why), Math.min(Math.round(timeoutSeconds * 1_000), LONGEST_TIMER_MS));
  }
  const limits: CallLimits = {
    waits: waits.signal,
    requests: requests.signal,
    hasWritten: () => hasWritten,
    noteWrite() {
      hasWritten = true;
    },
  };
  return {
    limits,
    stop,
    /** Ends the requests that a stopped call has abandoned. */
    end(): void {
      clearTimeout(timer);
      if (waits.signal.aborted) requests.abort(waits.signal.reason);
    },
  };
}

/** The error for a stopped call. The engine saves a created object, and the message says whether anything is unknown. */
function stoppedError(error: unknown, title: string, stop: StoppedError): unknown {
  if (error instanceof UnreadyResource) {
    // Other reasons are about a write.
    if (!error.reasons.includes(stop.message)) return error;
    const { id, saved } = error;
    const state = `${objectName(title, id)} exists and is saved, but is not ready yet: ${stop.why}.`;
    return new UnreadyResource(id, [`${state} Run \`pulumi up\` to continue.`], saved);
  }
  const known = explain(error);
  const cancelled = [error, known.cause].find((each) => each instanceof CancelledError);
  if (error === stop || cancelled?.effect === "none") return stop;
  if (!(known instanceof UserError)) return error;
  return new UserError(`Stopped: ${stop.why}.\n${known.message}`, { cause: error });
}
