/** Whether Pulumi's host will find the code of the providers: it looks from the program's directory. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { runError } from "./runError";

const PROVIDER_MODULE = "pulumi-dynamiclink/provider";

// Where the program started: it may change its directory, and the host does not.
const programDirectory = process.cwd();
let reachable = false;

/**
 * Fails the program when the host could not find the providers, which it would report in words of its own. Looks
 * once per process.
 */
export function requireReachableProvider(): void {
  // Tests with mocks start no host.
  if (reachable || process.env.PULUMI_NODEJS_ENGINE === undefined) return;
  try {
    createRequire(join(programDirectory, "index.js")).resolve(PROVIDER_MODULE);
  } catch {
    throw runError(
      `Pulumi runs the providers of pulumi-dynamiclink from ${programDirectory}, and the package cannot be found from there. Make it a dependency of the program itself: npm install pulumi-dynamiclink. Package managers must write a node_modules folder.`,
    );
  }
  reachable = true;
}
