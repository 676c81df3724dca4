/** Checks that Pulumi's host can load the providers. It resolves the package from its own directory. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { type HostDirectory, hostDirectory } from "./hostDirectory";
import { runError } from "./runError";

const PROVIDER_MODULE = "pulumi-dynamiclink/provider";

/** The directories from which the package was found. */
const reachable = new Set<string>();

/**
 * Requires that the host can load the providers. Otherwise the host would fail with a message that does not explain the
 * cause. A success is remembered for the process.
 *
 * @throws RunError if the package cannot be resolved.
 */
export function requireReachableProvider(): void {
  const directory = hostDirectory();
  if (directory === undefined || reachable.has(directory.path)) return;
  try {
    createRequire(join(directory.path, "index.js")).resolve(PROVIDER_MODULE);
  } catch {
    throw runError(unreachable(directory));
  }
  reachable.add(directory.path);
}

function unreachable({ path, inline }: HostDirectory): string {
  return inline
    ? `Pulumi loads the providers of pulumi-dynamiclink from ${path}, the directory of this inline program's project, but the package cannot be found from there. Set main in the project settings to the absolute path of a directory from which it can be found, such as the directory of your script.`
    : `Pulumi loads the providers of pulumi-dynamiclink from ${path}, but the package cannot be found from there. Add it to the dependencies of the program: npm install pulumi-dynamiclink. The package manager must create a node_modules folder.`;
}
