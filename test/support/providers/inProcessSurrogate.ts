/** What a provider in this process has in place of a process of its own, and the clocks for it. */
import type { Clock } from "../../../provider/client";
import { systemClock } from "../../../provider/client/client";
import type { Report } from "../../../provider/report";
import { createSession, type Session } from "../../../provider/session/session";
import type { Settings } from "../../../provider/session/settings";
import type { Emulator } from "../../../testing/emulator";

export interface InProcessOptions {
  /** Default: the system clock. */
  readonly clock?: (killed: AbortSignal) => Clock;
  /** The time limit of a request, in real time. Default: the client's limit. */
  readonly timeoutMs?: () => number;
  /** Random numbers from 0 to below 1. Default: Math.random. */
  readonly random?: () => number;
}

export type Surrogate = ReturnType<typeof inProcessSurrogate>;

export function inProcessSurrogate(options: InProcessOptions) {
  const controller = new AbortController();
  const sessions = new Map<string, Session>();
  const clock = options.clock?.(controller.signal) ?? systemClock;
  return {
    /** Aborts when the provider is killed. */
    killed: controller.signal,
    clock,
    /** One session for the same settings, as in a process. */
    session(settings: Settings, report: Report): Session {
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
    /** Kills the provider. Resolves when its connections are closed. */
    async kill(): Promise<void> {
      controller.abort();
      await Promise.all([...sessions.values()].map(({ client }) => client.close()));
    },
  };
}

/** The service's clock: waits take no time, but advance it. After the provider is killed, every wait fails. */
export function serviceClock(
  { clock }: { readonly clock: Pick<Emulator["clock"], "now" | "advance"> },
  killed: AbortSignal,
): Clock {
  return {
    now: () => clock.now().getTime(),
    date: clock.now,
    async sleep(milliseconds, signal) {
      await new Promise(setImmediate);
      if (killed.aborted) throw new Error("The host was killed.");
      signal?.throwIfAborted();
      clock.advance(milliseconds);
    },
  };
}

/** Such a clock, which otherwise is the system's. */
export function instantClock(killed: AbortSignal): Clock {
  let sleptMs = 0;
  const now = () => new Date(Date.now() + sleptMs);
  const advance = (milliseconds: number) => {
    sleptMs += milliseconds;
  };
  return serviceClock({ clock: { now, advance } }, killed);
}
