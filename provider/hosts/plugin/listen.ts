/** The gRPC server of the plugin's process. Loads nothing that depends on the version of a package. */
import { Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { type IResourceProviderServer, ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";

export type Methods = Partial<IResourceProviderServer>;

/** Messages are as large as the resources, which may exceed the defaults of gRPC. */
const SERVER_OPTIONS = {
  "grpc.max_receive_message_length": 400 * 1024 * 1024,
  "grpc.max_send_message_length": -1,
};

/** Serves methods on a free port of this machine. Those that are missing fail with UNIMPLEMENTED and their name. */
export async function listen(methods: Methods) {
  const server = new Server(SERVER_OPTIONS);
  server.addService(ResourceProviderService, methods as UntypedServiceImplementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { port, close: () => server.forceShutdown() };
}
