/**
 * Runs a fault campaign of any length: `npm run test:faults -- --sequences 500 --seed 1`. To repeat a failed sequence,
 * use the `--seed` and `--path` that the failure prints. With `--hosts plugin`, the native plugin runs the providers.
 */
const { parseArgs } = require("node:util");

require("../../scripts/fromSource.cjs");
const { runCampaign } = require("./runCampaign.ts");

const { values } = parseArgs({
  options: {
    hosts: { type: "string", default: "inProcess" },
    sequences: { type: "string", default: "500" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    path: { type: "string" },
  },
});

const { hosts, sequences, seed, path } = values;
if (hosts !== "inProcess" && hosts !== "plugin") throw new Error("--hosts must be inProcess or plugin.");

const campaign = runCampaign({ sequences: Number(sequences), seed: Number(seed), hosts, path });
campaign.then(({ failure, numRuns }) => {
  console.log(failure ?? `${numRuns} sequences broke no rule.`);
  process.exitCode = failure === undefined ? 0 : 1;
});
