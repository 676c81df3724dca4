/** What a provider in this process has in place of a process of its own, and the clocks for it. */
import type { Clock } from "../../../provider/client";
import { systemClock } from "../../../provider/client/client";
import type { Report } from "../../../provider/report";
import { createSession, type Session } from "../../../provider/session/session";
import type { Settings } from "../../../provider/session/settings";
import type { Emulator } from "../../../testing/emulator";

/** The options of all providers. */
export interface InProcessOptions {
  /** Default: the system clock. */
  readonly clock?: (killed: AbortSignal) => Clock;
  /** The time limit of a request, in real time. Default: the client's limit. */
  readonly timeoutMs?: () => number;
  /** Random numbers from 0 to below 1. Default: Math.random. */
  readonly random?: () => number;
}

/** The surrogate of one process. */
export interface Surrogate {
  /** Aborts when the provider is killed. */
  readonly killed: AbortSignal;
  readonly clock: Clock;
  /** One session for the same settings, as in a process. */
  session(settings: Settings, report: Report): Session;
  /** Kills the provider. Resolves when its connections are closed. */
  kill(): Promise<void>;
}

/** Creates a surrogate. */
export function inProcessSurrogate(options: InProcessOptions): Surrogate {
  const controller = new AbortController();
  const sessions = new Map<string, Session>();
  const clock = options.clock?.(controller.signal) ?? systemClock;
  return {
    killed: controller.signal,
    clock,
    session(settings, report) {
      const key = JSON.stringify(settings);
      const session =
        sessions.get(key) ??
        createSession(settings, {
          clock,
          report,
          ...(options.random && { random: options.random }),
          ...(options.timeoutMs && { timeoutMs: options.timeoutMs() }),
        });
      sessions.set(key, session);
      // A call that began before the process was killed sends nothing afterwards.
      if (controller.signal.aborted) void session.client.close();
      return session;
    },
    async kill() {
      controller.abort();
      await Promise.all([...sessions.values()].map(({ client }) => client.close()));
    },
  };
}

/** A clock on which waits take no time, but advance it. After the provider is killed, every wait fails. */
function skippingClock(
  { now, date, advance }: Pick<Clock, "now" | "date"> & { advance(milliseconds: number): void },
  killed: AbortSignal,
): Clock {
  return {
    now,
    date,
    async sleep(milliseconds, signal) {
      await new Promise(setImmediate);
      if (killed.aborted) throw new Error("The host was killed.");
      signal?.throwIfAborted();
      advance(milliseconds);
    },
  };
}

/** Such a clock, which otherwise is the system's. */
export function instantClock(killed: AbortSignal): Clock {
  let sleptMs = 0;
  const now = () => systemClock.now() + sleptMs;
  const date = () => new Date(Date.now() + sleptMs);
  const advance = (milliseconds: number) => {
    sleptMs += milliseconds;
  };
  return skippingClock({ now, date, advance }, killed);
}

/** Such a clock, which is the service's. */
export function serviceClock({ clock }: Emulator, killed: AbortSignal): Clock {
  const { now: date, advance } = clock;
  return skippingClock({ now: () => date().getTime(), date, advance }, killed);
}
