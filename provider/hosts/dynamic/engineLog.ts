/** The engine's log, as the process of Pulumi's dynamic-provider host reaches it. */
import type { Report } from "../../lifecycle/description";

interface EngineClient {
  log(request: LogRequest, callback: (error: unknown) => void): void;
}
interface LogRequest {
  setSeverity(severity: number): void;
  setMessage(message: string): void;
  setEphemeral(ephemeral: boolean): void;
}
interface EngineModules {
  EngineClient: new (address: string, credentials: unknown) => EngineClient;
  LogRequest: new () => LogRequest;
  LogSeverity: { INFO: number };
  insecure(): unknown;
}

let log: { client: EngineClient; modules: EngineModules } | undefined;

/** Tells the user what is going on: in the resource list while it runs, among the diagnostics when it stays. */
export const reportToEngine: Report = (message, { persistent = false } = {}) => {
  log ??= connect();
  if (log === undefined) return;
  const request = new log.modules.LogRequest();
  request.setSeverity(log.modules.LogSeverity.INFO);
  request.setMessage(message);
  request.setEphemeral(!persistent);
  // A message that does not arrive is no reason to fail the operation that it is about.
  log.client.log(request, () => {});
};

/**
 * Connects with the modules of the host's own `@pulumi/pulumi`: a second copy would cost memory and start-up,
 * and the host's main module is the only certain way to the first.
 */
function connect(): typeof log {
  const address = process.argv[2];
  const main = require.main;
  if (address === undefined || main === undefined || !/dynamic-provider/.test(main.filename))
    return undefined;
  const service = main.require("../../proto/engine_grpc_pb");
  const messages = main.require("../../proto/engine_pb");
  const { credentials } = main.require("@grpc/grpc-js");
  const modules: EngineModules = {
    EngineClient: service.EngineClient,
    LogRequest: messages.LogRequest,
    LogSeverity: messages.LogSeverity,
    insecure: () => credentials.createInsecure(),
  };
  return { client: new modules.EngineClient(address, modules.insecure()), modules };
}
