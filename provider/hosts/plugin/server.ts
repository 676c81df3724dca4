/** The gRPC server of the plugin. Methods that the plugin lacks fail with UNIMPLEMENTED and their name. */
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { type IResourceProviderServer, ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
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

/** Starts the plugin on a free port of this machine. @throws UserError if a package has an unsupported version. */
export async function startPlugin(plugin: PluginProcess): Promise<RunningPlugin> {
  const { newCalls } = require("./calls") as typeof import("./calls");
  const { methodsOf } = require("./methods") as typeof import("./methods");
  const calls = newCalls(() => plugin.end());
  return { ...(await listen(methodsOf(plugin, calls))), cancel: calls.end };
}

/**
 * Starts a server in place of a plugin that cannot be loaded: Pulumi reports a process that ends early as a bug of the
 * provider. Only what precedes the configuration of a provider succeeds.
 */
export async function startUnloadable(details: string): Promise<RunningPlugin> {
  const failing: handleUnaryCall<unknown, never> = (_, callback) =>
    callback({ code: status.FAILED_PRECONDITION, details });
  const running = await listen({
    getPluginInfo: (_, callback) => callback(null, new PluginInfo()),
    getSchema: failing,
    getMapping: failing,
    checkConfig: failing,
    configure: failing,
  });
  return { ...running, cancel: () => process.exit(0) };
}

async function listen(methods: Partial<IResourceProviderServer>) {
  const server = new Server(SERVER_OPTIONS);
  server.addService(ResourceProviderService, methods as UntypedServiceImplementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { port, close: () => server.forceShutdown() };
}
