/** Imported first by the executables of the package: ends the process if its Node.js is too old. */
import { unsupportedRuntime } from "./nodeVersion";

const problem = unsupportedRuntime();
if (problem !== undefined) {
  process.stderr.write(`error: ${problem}\n`);
  process.exit(1);
}
