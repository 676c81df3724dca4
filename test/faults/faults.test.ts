/** The fault campaign in small: `npm run test:faults` runs more of it. */
import { runCampaign } from "./runCampaign";

const TIMEOUT_MS = 240_000;

// In this process sequences are cheap; one shows that real hosts, killed as processes, come to the same.
test.each([
  ["inProcess", 40, 1],
  ["spawned", 1, 3],
] as const)(
  "whatever goes wrong, nothing is lost, doubled or given away, and in the end all comes right (hosts: %s)",
  async (hosts, sequences, seed) => {
    const { failure, row } = await runCampaign({ sequences, seed, hosts });
    expect(failure).toBeUndefined();
    expect(row).toMatch(
      new RegExp(`^\\| ${sequences} sequences .* 0 duplicates \\| 0 orphans \\| 0 leaks \\|$`),
    );
  },
  TIMEOUT_MS,
);
