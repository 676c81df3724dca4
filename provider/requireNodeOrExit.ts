/** Imported first by the executables of the package: ends the process if its Node.js is too old. */
import { unsupportedNode } from "./nodeVersion";

const problem = unsupportedNode();
if (problem !== undefined) {
  process.stderr.write(`error: ${problem}\n`);
  process.exit(1);
}
