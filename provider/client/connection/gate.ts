/**
 * Lets the requests to an origin pass: a limited number at a time, and at the pace that the origin allows. All clients of
 * a process share the gate of an origin.
 */
import { afterAnswer, afterSending, UNLIMITED } from "./pace";

/** How many requests are in flight at most, at first and after as many were served. An engine sends fewer. */
const FIRST_IN_FLIGHT = 4;
export const MAX_IN_FLIGHT = 24;

interface GateClock {
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export interface Turn {
  /** Whether it goes before others that wait. */
  readonly isFirst: boolean;
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/** How a request ended that was let through. */
export interface Passed {
  readonly sentAtMs: number;
  /** Without a response, nothing is known about the pace. */
  readonly is: "served" | "refused" | "unanswered";
  /** How long a refusal asks to wait. */
  readonly retryAfterMs?: number | undefined;
}

interface Waiting extends Turn {
  end(error?: unknown): void;
  pass(): void;
}

export type Gate = ReturnType<typeof newGate>;

const gates = new WeakMap<GateClock, Map<string, Gate>>();

/** The gate of an origin. Each clock has its own. */
export function gateOf(origin: string, clock: GateClock): Gate {
  const ofClock = gates.get(clock) ?? new Map<string, Gate>();
  gates.set(clock, ofClock);
  const gate = ofClock.get(origin) ?? newGate(clock);
  ofClock.set(origin, gate);
  return gate;
}

export function newGate(clock: GateClock) {
  let pace = UNLIMITED;
  let inFlight = 0;
  let limit = FIRST_IN_FLIGHT;
  let waiting: Waiting[] = [];
  let alarm: { readonly atMs: number; readonly cancelled: AbortController } | undefined;

  function letPass(): void {
    const nowMs = clock.now();
    for (const late of waiting.filter(({ deadline }) => deadline <= Math.max(nowMs, pace.nextMs))) late.end();
    if (waiting.length === 0) cancelAlarm();
    if (waiting.length === 0 || inFlight >= limit || pace.isProbing) return;
    if (pace.nextMs > nowMs) {
      wakeAt(pace.nextMs, nowMs);
      return;
    }
    inFlight += 1;
    pace = afterSending(pace, nowMs);
    (waiting.find(({ isFirst }) => isFirst) ?? waiting[0])?.pass();
    letPass();
  }

  function wakeAt(atMs: number, nowMs: number): void {
    if (alarm?.atMs === atMs) return;
    cancelAlarm();
    const own = { atMs, cancelled: new AbortController() };
    alarm = own;
    const { signal } = own.cancelled;
    clock
      .sleep(Math.ceil(atMs - nowMs), signal)
      .then(() => {
        if (signal.aborted) return;
        alarm = undefined;
        letPass();
      })
      .catch((error: unknown) => {
        if (!signal.aborted) for (const each of waiting) each.end(error);
      });
  }

  /** Ends the wait for what no request needs, so that it does not keep the process alive. */
  function cancelAlarm(): void {
    alarm?.cancelled.abort();
    alarm = undefined;
  }

  return {
    /** Waits until a request may be sent. False if its signal aborts before, or its deadline passes. */
    enter(turn: Turn): Promise<boolean> {
      return new Promise((resolve, reject) => {
        const leaveQueue = () => {
          waiting = waiting.filter((each) => each !== own);
          turn.signal?.removeEventListener("abort", onAbort);
        };
        const own: Waiting = {
          ...turn,
          pass() {
            leaveQueue();
            resolve(true);
          },
          end(error) {
            leaveQueue();
            if (error === undefined) resolve(false);
            else reject(error);
          },
        };
        const onAbort = () => {
          own.end();
          letPass();
        };
        if (turn.signal?.aborted) return resolve(false);
        turn.signal?.addEventListener("abort", onAbort);
        waiting = [...waiting, own];
        letPass();
      });
    },

    /** Lets others pass after a request has ended. Returns how long all pause, if its refusal is the first that says so. */
    leave({ sentAtMs, is, retryAfterMs }: Passed): number | undefined {
      inFlight -= 1;
      if (is === "served") limit = Math.min(MAX_IN_FLIGHT, limit + 1);
      const { resumedAtMs } = pace;
      pace = afterAnswer(pace, { sentAtMs, nowMs: clock.now(), is, retryAfterMs });
      letPass();
      return pace.resumedAtMs === resumedAtMs ? undefined : pace.pauseMs;
    },
  };
}
