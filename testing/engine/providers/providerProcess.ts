/** The processes of providers: the dynamic-provider host of `@pulumi/pulumi`, and plugins. Each serves one provider. */
import {
  type OnLine,
  pulumiScript,
  type RunningProcess,
  startNode,
  startProcess,
} from "../process/nodeProcess";
import type { Trace } from "../protocol/grpc";
import type { Diagnostic } from "../protocol/monitor";
import { type ConnectedProvider, connect, connectedProvider, type ProviderKind } from "./providerClient";

export interface ProviderProcessRequest {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly project: string;
  /** The address of the engine, to which the process sends log messages. */
  readonly engineAddress: string;
  /** Reports a message, for a host that runs in this process. */
  readonly log: (diagnostic: Diagnostic) => void;
  readonly onLine: OnLine;
  readonly trace: Trace;
}

export interface ProviderProcess extends RunningProcess, ConnectedProvider {}

export function startHost(request: ProviderProcessRequest): ProviderProcess {
  const script = pulumiScript(request.directory, "cmd/dynamic-provider/index.js");
  return providerProcess(request, "dynamic host", (onLine) =>
    startNode([script, request.engineAddress], {
      directory: request.directory,
      environment: {
        ...request.environment,
        PULUMI_NODEJS_PROJECT: request.project,
        PULUMI_PROJECT: request.project,
        PULUMI_CONFIG: "{}",
      },
      onLine,
    }),
  );
}

export function startPlugin(executable: string, request: ProviderProcessRequest): ProviderProcess {
  const { directory, environment, engineAddress } = request;
  return providerProcess(request, "plugin", (onLine) =>
    startProcess(executable, [engineAddress], { directory, environment, onLine }),
  );
}

/** A process that announces the port at which it listens in its first line of output. */
export function providerProcess(
  { onLine, trace }: Pick<ProviderProcessRequest, "onLine" | "trace">,
  kind: ProviderKind,
  start: (onLine: OnLine) => RunningProcess,
): ProviderProcess {
  const port = Promise.withResolvers<string>();
  let announced = false;
  const child = start((line, stream) => {
    if (announced || stream === "stderr") return onLine(line, stream);
    announced = true;
    port.resolve(line.trim());
  });
  const connected = Promise.race([
    port.promise,
    child.exited.then((code): never => {
      throw new Error(`The provider process ended with code ${code} before it announced its port.`);
    }),
  ])
    .then(requirePort)
    .then(connect);
  // A process that is never configured may end early.
  connected.catch(() => {});
  return {
    exited: child.exited,
    kill() {
      child.kill();
      connected.then((client) => client.close()).catch(() => {});
    },
    ...connectedProvider(connected, kind, trace),
  };
}

/** The port in the first line of a provider process. Pulumi takes no other line either, such as one in colour. */
function requirePort(line: string): number {
  const port = /^\d+$/.test(line) ? Number(line) : 0;
  if (port > 0 && port < 65_536) return port;
  throw new Error(`The provider process wrote an invalid port to standard output: ${JSON.stringify(line)}.`);
}
