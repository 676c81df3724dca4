/** The gRPC server of the plugin. Methods that the plugin lacks fail with UNIMPLEMENTED and their name. */
import { Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { newCalls } from "./calls";
import { methodsOf } from "./methods";
import type { PluginProcess } from "./run";

export interface RunningPlugin {
  readonly port: number;
  /** Has the same effect as the engine's Cancel, and ends the process although the engine may call again. */
  cancel(): void;
  close(): void;
}

/** Messages are as large as the resources, which may exceed the defaults of gRPC. */
const SERVER_OPTIONS = {
  "grpc.max_receive_message_length": 400 * 1024 * 1024,
  "grpc.max_send_message_length": -1,
};

/** Starts the plugin on a free port of this machine. */
export async function startPlugin(plugin: PluginProcess): Promise<RunningPlugin> {
  const calls = newCalls(() => plugin.end());
  const server = new Server(SERVER_OPTIONS);
  server.addService(ResourceProviderService, methodsOf(plugin, calls) as UntypedServiceImplementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { port, close: () => server.forceShutdown(), cancel: calls.end };
}
