/**
 * Measures what the package costs: `npm run bench` writes docs/performance.md and its plot, `npm run bench -- --quick`
 * prints the ratios in one line within a minute. `--minutes` limits how long the long run repeats its measurements.
 */
const { transformFileSync } = require("@swc/core");
const { parseArgs } = require("node:util");

// The benchmarks run from source, as the tests do.
require.extensions[".ts"] = (module, path) => {
  const { code } = transformFileSync(path, {
    jsc: { parser: { syntax: "typescript" }, target: "es2023" },
    // Dynamic imports are not transformed, because the plotting library cannot be required.
    module: { type: "commonjs", ignoreDynamic: true },
  });
  module._compile(code, path);
};
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
