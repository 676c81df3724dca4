/** Imported first by the modules of the package: fails on a Node.js that is too old, before anything else is loaded. */
import { unsupportedNode } from "./nodeVersion";

const problem = unsupportedNode();
if (problem !== undefined) {
  // Pulumi prints the message of such an error without a stack. Its own class for them is not loaded yet.
  throw Object.assign(new Error(problem), { __pulumiRunError: true, stack: problem });
}
