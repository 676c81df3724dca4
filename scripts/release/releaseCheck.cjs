/**
 * `npm run release:check [-- <tag>]`: fails if the package in the current directory is not ready to be published.
 * `-- --record` records the schema of the version first.
 */
const { parseArgs } = require("node:util");

require("../fromSource.cjs");
const { recordSchema, releaseProblems } = require("./check.ts");

const { values, positionals } = parseArgs({
  options: { record: { type: "boolean" } },
  allowPositionals: true,
});
if (values.record) console.log(recordSchema());
const problems = releaseProblems(positionals[0]);
for (const problem of problems) console.error(`error: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
