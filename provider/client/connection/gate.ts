/** Limits the requests to an origin, in number and in pace. All clients of a process share the gate of an origin. */
import { type Answer, afterAnswer, afterSending, isRefusal, type Pace, UNLIMITED } from "./pace";

/** How many requests are in flight at most, at first and after as many were served. An engine sends fewer. */
const FIRST_IN_FLIGHT = 4;
export const MAX_IN_FLIGHT = 24;
/** How many more after each that is served. When the first request is refused, most others in flight are refused too. */
const GROWTH = 0.25;

/** The clock of a client. */
export interface Clock {
  /** Milliseconds since a fixed time. Waits and deadlines use it, because it never goes back. */
  now(): number;
  /** The machine's date, which may be set back. Only dates of a service that does not send its own are compared with it. */
  date(): Date;
  /** Waits for the given milliseconds, or until the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export interface Turn {
  /** Whether it goes before others that wait. */
  readonly isFirst: boolean;
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/** How a request ended that was let through. */
export type Passed = Omit<Answer, "nowMs">;

interface Waiting extends Turn {
  /** Ends the wait: whether it may pass, or a rejection. */
  end(passes: boolean | Promise<never>): void;
}

export type Gate = ReturnType<typeof newGate>;

const gates = new WeakMap<Clock, Map<string, Gate>>();

/** The gate of an origin. Each clock has its own. */
export function gateOf(origin: string, clock: Clock): Gate {
  const ofClock = gates.get(clock) ?? new Map<string, Gate>();
  gates.set(clock, ofClock);
  const gate = ofClock.get(origin) ?? newGate(clock);
  ofClock.set(origin, gate);
  return gate;
}

export function newGate(clock: Clock) {
  let pace: Pace = UNLIMITED;
  let inFlight = 0;
  let limit = FIRST_IN_FLIGHT;
  const queue = newQueue(letPass);
  const setAlarm = newAlarm(clock, { ring: letPass, fail: queue.fail });

  function letPass(): void {
    const nowMs = clock.now();
    const next = queue.next(Math.max(nowMs, pace.nextMs));
    // What no request needs does not keep the process alive.
    if (next === undefined) setAlarm(undefined);
    if (next === undefined || inFlight >= limit || pace.isProbing) return;
    if (pace.nextMs > nowMs) {
      setAlarm(pace.nextMs);
      return;
    }
    inFlight += 1;
    pace = afterSending(pace, nowMs);
    next.end(true);
    letPass();
  }

  return {
    /** Waits until a request may be sent. False if its signal aborts before, or its deadline passes. */
    enter(turn: Turn): Promise<boolean> {
      if (turn.signal?.aborted) return Promise.resolve(false);
      const passes = queue.add(turn);
      letPass();
      return passes;
    },

    /** Lets others pass after a request has ended. Returns whether it was refused, and the pause if it was the first. */
    leave(passed: Passed): { readonly isRefused: boolean; readonly pauseMs: number | undefined } {
      const answer = { ...passed, nowMs: clock.now() };
      const isRefused = isRefusal(pace, answer);
      inFlight -= 1;
      if (passed.is === "served") limit = Math.min(MAX_IN_FLIGHT, limit + GROWTH);
      const { resumedAtMs } = pace;
      pace = afterAnswer(pace, answer);
      letPass();
      return { isRefused, pauseMs: pace.resumedAtMs === resumedAtMs ? undefined : pace.pauseMs };
    },
  };
}

/** The requests that wait. @param left is called when the signal of one aborts. */
function newQueue(left: () => void) {
  let waiting: readonly Waiting[] = [];
  return {
    /** Resolves when the wait ends. */
    add: (turn: Turn): Promise<boolean> =>
      new Promise((resolve) => {
        const own: Waiting = {
          ...turn,
          end(passes) {
            waiting = waiting.filter((each) => each !== own);
            turn.signal?.removeEventListener("abort", stop);
            resolve(passes);
          },
        };
        function stop(): void {
          own.end(false);
          left();
        }
        turn.signal?.addEventListener("abort", stop);
        waiting = [...waiting, own];
      }),
    /** The next one that may pass at a time. Ends the waits whose deadline is over by then. */
    next(atMs: number): Waiting | undefined {
      for (const late of waiting.filter(({ deadline }) => deadline <= atMs)) late.end(false);
      return waiting.find(({ isFirst }) => isFirst) ?? waiting[0];
    },
    fail(error: unknown): void {
      for (const each of waiting) each.end(Promise.reject(error));
    },
  };
}

/** An alarm that rings at the time to which it was set last, if any. */
function newAlarm(
  clock: Clock,
  { ring, fail }: { readonly ring: () => void; readonly fail: (error: unknown) => void },
) {
  let pending: { readonly atMs: number; readonly cancelled: AbortController } | undefined;
  return (atMs: number | undefined): void => {
    if (pending?.atMs === atMs) return;
    pending?.cancelled.abort();
    pending = undefined;
    if (atMs === undefined) return;
    const cancelled = new AbortController();
    pending = { atMs, cancelled };
    const { signal } = cancelled;
    clock
      .sleep(Math.ceil(atMs - clock.now()), signal)
      .then(() => {
        if (signal.aborted) return;
        pending = undefined;
        ring();
      })
      .catch((error: unknown) => signal.aborted || fail(error));
  };
}
