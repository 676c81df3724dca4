/** The messages of a run, whether it has failed, and whether it may start anything else. */
import { shuttingDown } from "../protocol/grpc";
import type { Diagnostic } from "../protocol/monitor";

/** @param onStop called once, when the run must not start anything. */
export function runOutcome(onStop: () => void) {
  const diagnostics: Diagnostic[] = [];
  let failed = false;
  let stopped = false;
  let over = false;
  const outcome = {
    diagnostics,
    get failed(): boolean {
      return failed;
    },
    get stopped(): boolean {
      return stopped;
    },

    report(diagnostic: Diagnostic): void {
      if (!over) diagnostics.push(diagnostic);
    },

    /** Reports an error. Operations in progress continue. */
    fail(message: string, urn?: string): void {
      failed = true;
      outcome.report({ severity: "error", message, ...(urn && { urn }) });
    },

    /** Prevents new operations. */
    stop(): void {
      failed = true;
      if (!stopped) onStop();
      stopped = true;
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
