/**
 * Measures what the package costs: `npm run bench` writes docs/performance.md and its plot, `npm run bench -- --quick`
 * prints the ratios in one line within a minute. `--minutes` limits how long the long run repeats its measurements.
 */
const { parseArgs } = require("node:util");

require("../../scripts/fromSource.cjs");
const { FULL_PLAN, QUICK_PLAN, runBenchmarks } = require("./runBenchmarks.ts");
const { ratioLine } = require("./ratios.ts");
const { writeReport } = require("./report.ts");

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, minutes: { type: "string", default: "12" } },
});

async function main() {
  const plan = values.quick ? QUICK_PLAN : { ...FULL_PLAN, budgetMs: Number(values.minutes) * 60_000 };
  const results = await runBenchmarks(plan, (line) => console.log(line));
  if (!values.quick) await writeReport(results);
  console.log(ratioLine(results));
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
