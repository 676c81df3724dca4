/** Plugins in this process, for the test engine. It calls them over gRPC, as it calls one in a separate process. */
import { startPlugin } from "../../../provider/hosts/plugin/server";
import type { Report } from "../../../provider/report";
import { connect, PLUGIN_CAPABILITIES } from "../../../testing/engine/providers/providerClient";
import {
  connectedProvider,
  type ProviderProcess,
  type ProviderProcessRequest,
} from "../../../testing/engine/providers/providerProcess";
import type { Surrogate } from "./inProcessSurrogate";

/** Starts a plugin in this process. It is configured once, and runs until it is killed. */
export function inProcessPlugin(
  { clock, session, marks, kill }: Surrogate,
  { environment, log, trace }: ProviderProcessRequest,
): ProviderProcess {
  const ended = Promise.withResolvers<null>();
  const reportTo =
    (urn: string): Report =>
    (message, { persistent = false } = {}) =>
      log({ severity: "info", message, ephemeral: !persistent, ...(urn !== "" && { urn }) });
  const plugin = startPlugin({
    environment,
    clock,
    session: (settings) => session(settings, reportTo("")),
    schema: () => "{}",
    terraformMapping: () => "{}",
    version: "0.0.0",
    attach: () => {},
    reportTo,
    marks,
    end: () => {},
  });
  const connected = plugin.then(({ port }) => connect(port));
  return {
    exited: ended.promise,
    kill() {
      void Promise.all([
        kill(),
        plugin.then(({ close }) => close()),
        connected.then((client) => client.close()),
      ]).then(() => ended.resolve(null));
    },
    ...connectedProvider(connected, PLUGIN_CAPABILITIES, trace),
  };
}
