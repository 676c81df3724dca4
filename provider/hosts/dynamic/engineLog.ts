/** The engine's log, as the process of Pulumi's dynamic-provider host reaches it. */
import type { Report } from "../../lifecycle/description";
import { type EngineLog, reportTo } from "../engineLog";

let log: EngineLog | undefined;

/** Reports to the user on the row of the stack: the host does not know which resource it is about. */
export const reportToEngine: Report = (message, options) => {
  log ??= connect();
  reportTo(log)(message, options);
};

/**
 * Connects with the modules of the host's own `@pulumi/pulumi`: a second copy would cost memory and start-up,
 * and the host's main module is the only certain way to the first.
 */
function connect(): EngineLog | undefined {
  const address = process.argv[2];
  const main = require.main;
  if (address === undefined || main === undefined || !/dynamic-provider/.test(main.filename))
    return undefined;
  const { EngineClient } = main.require("../../proto/engine_grpc_pb");
  const { LogRequest, LogSeverity } = main.require("../../proto/engine_pb");
  const { credentials } = main.require("@grpc/grpc-js");
  return { client: new EngineClient(address, credentials.createInsecure()), LogRequest, LogSeverity };
}
