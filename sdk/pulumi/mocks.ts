import * as pulumi from "@pulumi/pulumi";

/**
 * Whether the program runs under `pulumi.runtime.setMocks`: then there is no engine, no host and no state.
 *
 * The SDK has no function that says this, so a monitor counts as a mock if it has no connection to an engine. See
 * docs/internals/sdk.md#mocks.
 */
export function isMocked(): boolean {
  const monitor = pulumi.runtime.getMonitor() as { readonly getChannel?: unknown } | undefined;
  return monitor !== undefined && typeof monitor.getChannel !== "function";
}
