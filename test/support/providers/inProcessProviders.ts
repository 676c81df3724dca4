/** Provider processes in this process, for the test engine: dynamic-provider hosts and plugins. */
import type { Processes } from "../../../testing/engine/commands/processes";
import { inProcessHost } from "./inProcessHost";
import { inProcessPlugin } from "./inProcessPlugin";
import { type InProcessOptions, inProcessSurrogate } from "./inProcessSurrogate";

/** Starts provider processes in this process. Each runs until it is killed. */
export function inProcessProviders(
  options: InProcessOptions = {},
): Pick<Processes, "startHost" | "startPlugin"> {
  return {
    startHost: (request) => inProcessHost(inProcessSurrogate(options), request),
    startPlugin: (_executable, request) => inProcessPlugin(inProcessSurrogate(options), request),
  };
}
