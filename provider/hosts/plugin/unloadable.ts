/** Stands in for a plugin that cannot be loaded: Pulumi reports a process that ends early as a bug of the provider. */
import { type handleUnaryCall, status } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { listen } from "./listen";
import type { RunningPlugin } from "./server";

/** Starts a server that fails with the message. The calls that precede the configuration of a provider must succeed. */
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
