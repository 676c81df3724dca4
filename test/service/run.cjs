/** Acceptance tests against a real service: `npm run test:service`. CONTRIBUTING.md describes it. */
require("../../scripts/fromSource.cjs");
const { runAcceptance } = require("./runAcceptance.ts");

const interruption = new AbortController();
// A second one ends the process at once. The next run then finds the rest.
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => interruption.abort());

const { signal } = interruption;
const [, , ...args] = process.argv;
runAcceptance({ args, environment: process.env, signal, print: console.log }).then((code) => {
  process.exitCode = code;
});
