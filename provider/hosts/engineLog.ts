/** What a host reports to the engine's log, whichever way it reached the engine's modules. */
import type { Report } from "../lifecycle/description";

/** A message for the log, as the engine's modules have it. */
interface LogRequest {
  setSeverity(severity: number): void;
  setMessage(message: string): void;
  setUrn(urn: string): void;
  setEphemeral(ephemeral: boolean): void;
}

/** A connection to the engine's log. */
export interface EngineLog {
  readonly client: { log(request: LogRequest, callback: (error: unknown) => void): void };
  readonly LogRequest: new () => LogRequest;
  readonly LogSeverity: { readonly INFO: number };
}

/**
 * Reports to the user: in the resource list while it runs, among the diagnostics when the message is persistent.
 *
 * @param log undefined where there is no engine.
 * @param urn the resource on whose row the message is shown. Default: the stack.
 */
export function reportTo(log: EngineLog | undefined, urn = ""): Report {
  return (message, { persistent = false } = {}) => {
    if (log === undefined) return;
    const request = new log.LogRequest();
    request.setSeverity(log.LogSeverity.INFO);
    request.setMessage(message);
    request.setUrn(urn);
    request.setEphemeral(!persistent);
    // A message that does not arrive is no reason to fail the operation that it is about.
    log.client.log(request, () => {});
  };
}
