/** Plugins in this process, for the test engine. Calls have the form that they have over a connection, but need none. */
import { type Client, type Metadata, type MethodDefinition, type ServiceError, status } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { newCalls } from "../../../provider/hosts/plugin/calls";
import { methodsOf } from "../../../provider/hosts/plugin/methods";
import type { Report } from "../../../provider/report";
import { connectedProvider } from "../../../testing/engine/providers/providerClient";
import type {
  ProviderProcess,
  ProviderProcessRequest,
} from "../../../testing/engine/providers/providerProcess";
import type { Surrogate } from "./inProcessSurrogate";

/** Starts a plugin in this process. It is configured once, and runs until it is killed. */
export function inProcessPlugin(
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
    ...connectedProvider(
      Promise.resolve(clientOf(methods as unknown as Record<string, Method>, killed)),
      "plugin",
      trace,
    ),
  };
}

type Method = (
  call: { readonly request: unknown },
  respond: (error: Partial<ServiceError> | null, response: unknown) => void,
) => void;

/** A client of the methods of a plugin. When it is killed, the calls in progress fail as those of a broken connection. */
function clientOf(methods: Readonly<Record<string, Method>>, killed: AbortSignal): Client {
  function makeUnaryRequest(
    path: string,
    serialize: (request: unknown) => Buffer,
    deserialize: (bytes: Buffer) => unknown,
    request: unknown,
    ...[, , respond]: [Metadata, object, (error: Partial<ServiceError> | null, response?: unknown) => void]
  ): void {
    const [name, { requestDeserialize, responseSerialize }] = SERVICE.get(path) as ServiceMethod;
    const broken = () => respond({ code: status.UNAVAILABLE, details: "" });
    if (killed.aborted) {
      broken();
      return;
    }
    killed.addEventListener("abort", broken);
    const received = requestDeserialize(serialize(request));
    // A connection takes at least a turn of the event loop in each direction.
    setImmediate(() =>
      methods[name]?.({ request: received }, (error, response) =>
        setImmediate(() => {
          killed.removeEventListener("abort", broken);
          if (killed.aborted) return;
          if (error) respond(error);
          else respond(null, deserialize(responseSerialize(response)));
        }),
      ),
    );
  }
  return { makeUnaryRequest, close() {} } as unknown as Client;
}

type ServiceMethod = readonly [string, MethodDefinition<unknown, unknown>];

const SERVICE = new Map(
  (Object.entries(ResourceProviderService) as unknown as ServiceMethod[]).map((method) => [
    method[1].path,
    method,
  ]),
);
