/** Provider processes in this process, for the test engine: dynamic-provider hosts and plugins. */
import { newCalls } from "../../../provider/hosts/plugin/calls";
import { methodsOf } from "../../../provider/hosts/plugin/methods";
import type { Report } from "../../../provider/report";
import type { Processes } from "../../../testing/engine/commands/processes";
import { connectedProvider } from "../../../testing/engine/providers/providerClient";
import type {
  ProviderProcess,
  ProviderProcessRequest,
} from "../../../testing/engine/providers/providerProcess";
import { inProcessClient, type Methods } from "./inProcessClient";
import { inProcessHost } from "./inProcessHost";
import { type InProcessOptions, inProcessSurrogate, type Surrogate } from "./inProcessSurrogate";

/** Starts provider processes in this process. Each is configured once, and runs until it is killed. */
export function inProcessProviders(
  options: InProcessOptions = {},
): Pick<Processes, "startHost" | "startPlugin"> {
  return {
    startHost: (request) => inProcessHost(inProcessSurrogate(options), request),
    startPlugin: (_executable, request) => inProcessPlugin(inProcessSurrogate(options), request),
  };
}

function inProcessPlugin(
  { clock, session, killed, kill }: Surrogate,
  { environment, log, trace }: ProviderProcessRequest,
): ProviderProcess {
  const ended = Promise.withResolvers<null>();
  // A request without a response does not keep a process that is killed.
  const end = (): void => {
    void kill();
    ended.resolve(null);
  };
  const reportTo =
    (urn: string): Report =>
    (message, { persistent = false, warning = false } = {}) =>
      log({
        severity: warning ? "warning" : "info",
        message,
        ephemeral: !persistent,
        ...(urn !== "" && { urn }),
      });
  const methods = methodsOf(
    {
      environment,
      clock,
      session: (settings) => session(settings, reportTo("")),
      schema: () => "{}",
      terraformMapping: () => "{}",
      version: "0.0.0",
      attach: () => {},
      reportTo,
      end: () => {},
    },
    // After the last response has been received.
    newCalls(() => setImmediate(() => setImmediate(end))),
  );
  return {
    exited: ended.promise,
    kill: end,
    ...connectedProvider(inProcessClient(methods as unknown as Methods, killed), "plugin", trace),
  };
}
