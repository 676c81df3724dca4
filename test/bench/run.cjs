/** `npm run bench`: measures what the package costs, and prints the table of docs/performance.md. Option: `--rounds`. */
const { parseArgs } = require("node:util");

require("../../scripts/fromSource.cjs");
const { runBenchmarks } = require("./runBenchmarks.ts");
const { figureTable } = require("./figures.ts");

/** A single round says nothing on a machine that does other things. */
const MIN_ROUNDS = 3;

const { values } = parseArgs({ options: { rounds: { type: "string", default: String(MIN_ROUNDS) } } });

runBenchmarks(Math.max(MIN_ROUNDS, Number(values.rounds)), console.log).then(
  (results) => console.log(`\n${figureTable(results)}`),
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);
