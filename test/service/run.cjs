/** Acceptance tests against a real service: `npm run test:service`. CONTRIBUTING.md describes it. */
require("../../scripts/fromSource.cjs");
const { runAcceptance } = require("./runAcceptance.ts");

const interruption = new AbortController();
// A second one ends the process at once. The next run then offers to delete the rest.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => interruption.abort());

runAcceptance({
  args: process.argv.slice(2),
  environment: process.env,
  print: (line) => console.log(line),
  signal: interruption.signal,
}).then((code) => {
  process.exitCode = code;
});
