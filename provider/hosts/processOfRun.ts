/** What a provider process of either host has of its run: the shared log, a clock, and whether it may still write. */
import type { Clock } from "../client";
import { UserError } from "../errors";
import type { RunEngine } from "./runEngine";
import { sharedLog } from "./sharedLog";

const ENDED = "Pulumi's engine has ended";

/**
 * Makes a process a part of the run of its engine.
 *
 * @param engine undefined as long as the process does not know its engine. Then it can be part of no run.
 */
export function processOfRun(engine: () => RunEngine | undefined, clock: Clock) {
  const ended = async () => ((await engine()?.isRunning()) === false ? ENDED : undefined);
  return {
    runLog: sharedLog(() => engine()?.run),
    /** Why nothing may be written: the engine has ended, so another run may have started. Undefined if it may be. */
    beforeWrite: ended,
    /** A clock on which a wait fails if the engine has ended by its end: nobody would save what follows. */
    clock: {
      now: () => clock.now(),
      async sleep(milliseconds: number, signal?: AbortSignal) {
        await clock.sleep(milliseconds, signal);
        if ((await ended()) !== undefined) throw new UserError(`Stopped: ${ENDED}.`);
      },
    },
  };
}
