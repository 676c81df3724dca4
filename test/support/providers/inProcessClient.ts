/** Calls a provider in this process. Calls have the form that they have over a connection, but need none. */
import { type Client, type Metadata, type MethodDefinition, type ServiceError, status } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";

export type Respond = (error: Partial<ServiceError> | null, response?: unknown) => void;

/** The methods of a provider, as a server gets them. */
export type Methods = Readonly<
  Record<string, (call: { readonly request: never }, respond: Respond) => unknown>
>;

/** A client of a provider. When it is killed, the calls in progress fail as those of a broken connection. */
export function inProcessClient(methods: Methods, killed: AbortSignal): Promise<Client> {
  function makeUnaryRequest(
    path: string,
    serialize: (request: unknown) => Buffer,
    deserialize: (bytes: Buffer) => unknown,
    request: unknown,
    ...[, , respond]: [Metadata, object, Respond]
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
      methods[name]?.({ request: received as never }, (error, response) =>
        setImmediate(() => {
          killed.removeEventListener("abort", broken);
          if (killed.aborted) return;
          if (error) respond(error);
          else respond(null, deserialize(responseSerialize(response)));
        }),
      ),
    );
  }
  return Promise.resolve({ makeUnaryRequest, close() {} } as unknown as Client);
}

type ServiceMethod = readonly [string, MethodDefinition<unknown, unknown>];

const SERVICE = new Map(
  (Object.entries(ResourceProviderService) as unknown as ServiceMethod[]).map((method) => [
    method[1].path,
    method,
  ]),
);
