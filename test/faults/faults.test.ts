/** The fault campaign in small: `npm run test:faults` runs more of it. */
import { runCampaign } from "./runCampaign";

const SEQUENCES = 40;
const SEED = 1;
const TIMEOUT_MS = 240_000;

test(
  "whatever goes wrong, nothing is lost, doubled or given away, and in the end all comes right",
  async () => {
    const { failure, row } = await runCampaign({ sequences: SEQUENCES, seed: SEED, hosts: "inProcess" });
    expect(failure).toBeUndefined();
    expect(row).toMatch(
      new RegExp(`^\\| ${SEQUENCES} sequences .* 0 duplicates \\| 0 orphans \\| 0 leaks \\|$`),
    );
  },
  TIMEOUT_MS,
);
