/** The messages of a run, whether it has failed, and whether it may start anything else. */
import { shuttingDown } from "../protocol/grpc";
import type { Diagnostic } from "../protocol/monitor";

/** @param onStop called once, when the run must not start anything. */
export function runOutcome(onStop: () => void) {
  let over = false;
  const outcome = {
    diagnostics: [] as Diagnostic[],
    failed: false,
    stopped: false,

    report(diagnostic: Diagnostic): void {
      if (!over) outcome.diagnostics.push(diagnostic);
    },

    /** Reports an error. Operations in progress continue. */
    fail(message: string, urn?: string): void {
      outcome.failed = true;
      outcome.report({ severity: "error", message, ...(urn && { urn }) });
    },

    /** Prevents new operations. */
    stop(): void {
      outcome.failed = true;
      if (!outcome.stopped) onStop();
      outcome.stopped = true;
    },

    /** Reports an error and prevents new operations. */
    abort(message: string, urn?: string): never {
      outcome.fail(message, urn);
      outcome.stop();
      throw shuttingDown();
    },

    /** Reports a thrown error on a resource, unless it is already reported, and prevents new operations. */
    abortWith(error: unknown, urn?: string): never {
      if (!(error instanceof Error)) throw error;
      return outcome.abort(error.message, urn);
    },

    /** Ends the run immediately. Later messages are ignored. */
    crash(reason: string): void {
      outcome.fail(reason);
      over = true;
      outcome.stop();
    },
  };
  return outcome;
}

export type RunOutcome = ReturnType<typeof runOutcome>;
