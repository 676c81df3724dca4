/** The directory where Node.js keeps compiled code for later processes. */
import { dirname, resolve } from "node:path";

/**
 * The variable that sets the directory: one beside the installed packages. Node.js runs the code in it, and whoever can
 * write there can change the packages too. If the user cannot, Node.js keeps nothing.
 */
export function compileCache(): { readonly NODE_COMPILE_CACHE: string } {
  const packages = resolve(dirname(require.resolve("@pulumi/pulumi/package.json")), "..", "..");
  return { NODE_COMPILE_CACHE: resolve(packages, ".cache", "pulumi-test-engine") };
}
