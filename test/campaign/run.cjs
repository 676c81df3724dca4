/**
 * Runs a fault campaign of any length: `npm run test:faults -- --sequences 500 --seed 1`. To repeat a failed sequence,
 * use the `--seed` and `--path` that the failure prints. With `--hosts plugin`, the native plugin runs the providers.
 */
const { parseArgs } = require("node:util");

require("../../scripts/fromSource.cjs");
const { DEFAULT_SEQUENCES, runCampaign } = require("./runCampaign.ts");

const { values } = parseArgs({
  options: {
    hosts: { type: "string", default: "inProcess" },
    sequences: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    path: { type: "string" },
  },
});

const { hosts, sequences = DEFAULT_SEQUENCES[hosts], seed, path } = values;
if (sequences === undefined)
  throw new Error(`--hosts must be ${Object.keys(DEFAULT_SEQUENCES).join(" or ")}.`);

runCampaign({ sequences: Number(sequences), seed: Number(seed), hosts, path }).then(
  ({ failure, numRuns }) => {
    console.log(failure ?? `${numRuns} sequences broke no rule.`);
    process.exitCode = failure === undefined ? 0 : 1;
  },
);
