/** Writes to the engine's log from the process of Pulumi's dynamic-provider host. */
import type { Report } from "../../report";
import { ENGINE_CHANNEL_OPTIONS, type EngineLog, reportTo } from "../engineLog";

let log: EngineLog | undefined;

/** Reports to the user on the stack's row: the host does not know which resource the message is about. */
export function reportToEngine(...[message, options]: Parameters<Report>): void {
  log ??= connect();
  reportTo(log)(message, options);
}

/** Connects with the host's own modules of `@pulumi/pulumi`: see docs/internals/dynamic-host.md#host-modules. */
function connect(): EngineLog | undefined {
  const { main } = require;
  const address = process.argv[2];
  // Another process than such a host has no engine.
  if (main === undefined || address === undefined || !/dynamic-provider/.test(main.filename))
    return undefined;
  const { EngineClient } = main.require("../../proto/engine_grpc_pb");
  const { LogRequest, LogSeverity } = main.require("../../proto/engine_pb");
  const { credentials } = main.require("@grpc/grpc-js");
  const client = new EngineClient(address, credentials.createInsecure(), ENGINE_CHANNEL_OPTIONS);
  return { client, LogRequest, LogSeverity };
}
