/** The gRPC server of the plugin. Methods of the protocol that it does not have answer UNIMPLEMENTED, by name. */
import { Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { newCalls } from "./calls";
import { methodsOf } from "./methods";
import type { PluginProcess } from "./run";

/** A plugin that listens. */
export interface RunningPlugin {
  readonly port: number;
  /** Does what the engine's Cancel does. */
  cancel(): void;
  /** Answers no more calls. */
  close(): void;
}

/** The messages are as large as the resources are. */
const SERVER_OPTIONS = {
  "grpc.max_receive_message_length": 400 * 1024 * 1024,
  "grpc.max_send_message_length": -1,
};

/** Starts the plugin on a free port of this machine. */
export async function startPlugin(host: PluginProcess): Promise<RunningPlugin> {
  const calls = newCalls(() => host.end());
  const server = new Server(SERVER_OPTIONS);
  server.addService(ResourceProviderService, methodsOf(host, calls) as UntypedServiceImplementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { port, cancel: calls.cancel, close: () => server.forceShutdown() };
}
