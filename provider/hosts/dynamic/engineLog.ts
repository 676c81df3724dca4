/** Writes to the engine's log from the process of Pulumi's dynamic-provider host. */
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
  readonly EngineClient: new (address: string, credentials: unknown) => EngineClient;
  readonly LogRequest: new () => LogRequest;
  readonly LogSeverity: { readonly INFO: number };
  insecure(): unknown;
}

let log: { readonly client: EngineClient; readonly modules: EngineModules } | undefined;

/** Reports to the user: ephemeral messages next to the resource, persistent ones among the diagnostics. */
export function reportToEngine(...[message, { persistent = false } = {}]: Parameters<Report>): void {
  log ??= connect();
  if (log === undefined) return;
  const request = new log.modules.LogRequest();
  request.setSeverity(log.modules.LogSeverity.INFO);
  request.setMessage(message);
  request.setEphemeral(!persistent);
  // A message that cannot be delivered must not fail the operation.
  log.client.log(request, () => {});
}

/**
 * Connects with the modules of the host's own `@pulumi/pulumi`, because a second copy would cost memory and start-up
 * time. Only the host's main module is certain to resolve to that copy.
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
