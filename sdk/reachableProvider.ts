/** Checks that Pulumi's host can load the providers. It resolves the package from the program's directory. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { runError } from "./runError";

const PROVIDER_MODULE = "pulumi-dynamiclink/provider";

// The directory in which the program was started. The program may change its directory; the host does not.
const programDirectory = process.cwd();
let reachable = false;

/**
 * Requires that the host can load the providers. Otherwise the host would fail with a message that does not explain the
 * cause. A success is remembered for the process.
 *
 * @throws RunError if the package cannot be resolved.
 */
export function requireReachableProvider(): void {
  // Tests with mocks do not start a host.
  if (reachable || process.env.PULUMI_NODEJS_ENGINE === undefined) return;
  try {
    createRequire(join(programDirectory, "index.js")).resolve(PROVIDER_MODULE);
  } catch {
    throw runError(
      `Pulumi loads the providers of pulumi-dynamiclink from ${programDirectory}, but the package cannot be found from there. Add it to the dependencies of the program: npm install pulumi-dynamiclink. The package manager must create a node_modules folder.`,
    );
  }
  reachable = true;
}
