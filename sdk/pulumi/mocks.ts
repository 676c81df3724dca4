import * as pulumi from "@pulumi/pulumi";

/**
 * Whether the program runs under `pulumi.runtime.setMocks`: then there is no engine, no host and no state.
 *
 * The SDK has no function that says this. Its class for mocks (runtime/mocks.ts) exists once for each copy of the SDK in the
 * process, of which any can have set the mocks, so a monitor counts as one if it has no connection to an engine.
 */
export function isMocked(): boolean {
  const monitor = pulumi.runtime.getMonitor() as { readonly getChannel?: unknown } | undefined;
  return monitor !== undefined && typeof monitor.getChannel !== "function";
}
