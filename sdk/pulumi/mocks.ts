import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";

/**
 * Whether the program runs under `pulumi.runtime.setMocks`: then there is no engine, no host and no state.
 *
 * The SDK does not export `MockMonitor` (runtime/mocks.ts) from its main module, and has no function that says this.
 */
export function isMocked(): boolean {
  return pulumi.runtime.getMonitor() instanceof MockMonitor;
}
