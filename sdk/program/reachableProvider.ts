/** Checks that Pulumi's host can load the providers: see docs/internals/dynamic-host.md#resolution. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { runError } from "./runError";

const PROVIDER_MODULE = "pulumi-dynamiclink/provider";

// The program may change its directory; the host does not.
const START_DIRECTORY = process.cwd();

let isReachable = false;

/**
 * Requires that the host of a program which Pulumi has started can load the providers. Otherwise the host would fail with
 * a message that does not explain the cause. A success is remembered for the process.
 *
 * @throws RunError if the package cannot be resolved.
 */
export function requireReachableProvider(): void {
  if (isReachable || process.env.PULUMI_NODEJS_ENGINE === undefined) return;
  try {
    createRequire(join(START_DIRECTORY, "index.js")).resolve(PROVIDER_MODULE);
  } catch {
    throw runError(
      `Pulumi loads the providers of pulumi-dynamiclink from ${START_DIRECTORY}, but the package cannot be found from there. Add it to the dependencies of the program: npm install pulumi-dynamiclink. The package manager must create a node_modules folder.`,
    );
  }
  isReachable = true;
}
