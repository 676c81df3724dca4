/** Writes to the engine's log. Each host passes its own connection, because each loads Pulumi's modules differently. */
import type { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { Report } from "../report";

/** Options of the connection to the engine, without a proxy: see docs/internals/engine.md#engine-log. */
export const ENGINE_CHANNEL_OPTIONS = { "grpc.enable_http_proxy": 0 } as const;

export interface EngineLog {
  readonly client: { log(request: LogRequest, callback: (error: unknown) => void): void };
  readonly LogRequest: typeof LogRequest;
  readonly LogSeverity: typeof LogSeverity;
}

/** Resolves when the engine has all messages that were sent so far. */
let delivered: Promise<unknown> = Promise.resolve();

/**
 * Reports to the user: in the resource list while the operation runs, or among the diagnostics if it is persistent. The
 * engine shows the last message that it got, so progress is sent after all earlier messages have arrived.
 *
 * @param log undefined if there is no engine.
 * @param urn the resource on whose row the message is shown. Default: the stack.
 */
export function reportTo(log: EngineLog | undefined, urn = ""): Report {
  return (message, { persistent = false, warning = false } = {}) => {
    if (log === undefined) return;
    const request = new log.LogRequest();
    request.setSeverity(warning ? log.LogSeverity.WARNING : log.LogSeverity.INFO);
    request.setMessage(message);
    request.setUrn(urn);
    request.setEphemeral(!persistent);
    // An operation does not fail because its message cannot be logged.
    const send = () => new Promise((resolve) => log.client.log(request, resolve));
    delivered = Promise.all([delivered, persistent ? send() : delivered.then(send)]);
  };
}
