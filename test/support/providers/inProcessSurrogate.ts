/** What a provider in this process has in place of a process of its own, and the clocks for it. */
import type { Clock } from "../../../provider/client";
import { systemClock } from "../../../provider/client/client";
import { UserError } from "../../../provider/errors";
import { processOfRun } from "../../../provider/hosts/processOfRun";
import type { RunLog } from "../../../provider/lifecycle/ledger/ledger";
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
  /** The engine of the running command, and the directory that its providers share. Default: both are usable. */
  readonly run?: () => RunConditions;
}

/** What a run depends on. */
export interface RunConditions {
  /** Whether the engine still runs. */
  readonly engineRuns: boolean;
  /** Whether the providers can read and write the log that they share. */
  readonly logUsable: boolean;
}

export const GOOD_CONDITIONS: RunConditions = { engineRuns: true, logUsable: true };

/** The surrogate of one process. */
export interface Surrogate {
  /** Aborts when the provider is killed. */
  readonly killed: AbortSignal;
  readonly clock: Clock;
  /** One session for the same settings, as in a process. */
  session(settings: Settings, report: Report): Session;
  /** The log that the providers of a command share. Separate processes share it through files. */
  readonly runLog: RunLog;
  /** Kills the provider. Resolves when its connections are closed. */
  kill(): Promise<void>;
}

/** Creates surrogates. Only the providers of one command exist at the same time. */
export function inProcessSurrogates({
  run = () => GOOD_CONDITIONS,
  ...options
}: InProcessOptions): () => Surrogate {
  const running = new Set<AbortController>();
  const lines: { readonly writer: AbortSignal; readonly line: string }[] = [];
  return () => {
    const controller = new AbortController();
    running.add(controller);
    const sessions = new Map<string, Session>();
    const engine = { run: "run", isRunning: async () => run().engineRuns };
    const { clock, beforeWrite } = processOfRun(
      () => engine,
      options.clock?.(controller.signal) ?? systemClock,
    );
    const problem = () => (run().logUsable ? undefined : new UserError("The log of the run cannot be used."));
    const requireShared = () => {
      const unusable = problem();
      if (unusable !== undefined) throw unusable;
    };
    const writer = controller.signal;
    let read = 0;
    return {
      killed: controller.signal,
      clock,
      session(settings, report) {
        const key = JSON.stringify(settings);
        const session =
          sessions.get(key) ??
          createSession(settings, {
            clock,
            beforeWrite,
            report,
            ...(options.random && { random: options.random }),
            ...(options.timeoutMs && { timeoutMs: options.timeoutMs() }),
          });
        sessions.set(key, session);
        // A call that began before the process was killed sends nothing afterwards.
        if (controller.signal.aborted) void session.client.close();
        return session;
      },
      runLog: {
        append(line) {
          // A killed process writes nothing, also not into the log of the next run.
          if (!writer.aborted) lines.push({ writer, line });
        },
        read() {
          const unusable = problem();
          if (unusable !== undefined) return { lines: [], problem: unusable };
          const added = lines.slice(read).filter((one) => one.writer !== writer);
          read = lines.length;
          return { lines: added.map(({ line }) => line) };
        },
        requireShared,
      },
      async kill() {
        controller.abort();
        running.delete(controller);
        if (running.size === 0) lines.length = 0;
        await Promise.all([...sessions.values()].map(({ client }) => client.close()));
      },
    };
  };
}

/** A clock on which waits take no time. After the provider is killed, every wait fails. */
export function instantClock(killed: AbortSignal): Clock {
  let sleptMs = 0;
  return {
    now: () => Date.now() + sleptMs,
    async sleep(milliseconds) {
      await new Promise(setImmediate);
      if (killed.aborted) throw new Error("The host was killed.");
      sleptMs += milliseconds;
    },
  };
}

/** A clock that is the service's: waits take no time, but advance it. After the provider is killed, every wait fails. */
export function serviceClock({ clock }: Emulator, killed: AbortSignal): Clock {
  return {
    now: () => clock.now().getTime(),
    async sleep(milliseconds, signal) {
      await new Promise(setImmediate);
      if (killed.aborted) throw new Error("The host was killed.");
      signal?.throwIfAborted();
      clock.advance(milliseconds);
    },
  };
}
