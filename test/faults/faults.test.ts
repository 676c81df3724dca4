/** A short fault campaign. `npm run test:faults` runs a longer one. */
import { runCampaign } from "./runCampaign";

const TIMEOUT_MS = 240_000;

// Sequences in this process are fast. One with separate processes shows that killed hosts have the same effect.
test.each([
  ["inProcess", 20, 1],
  ["plugin", 10, 2],
  ["spawned", 1, 3],
] as const)(
  "no fault causes a lost object, a duplicate or a leaked key, and every sequence converges (hosts: %s)",
  async (hosts, sequences, seed) => {
    const { failure, row } = await runCampaign({ sequences, seed, hosts });
    expect(failure).toBeUndefined();
    expect(row).toMatch(
      new RegExp(`^\\| ${sequences} sequences .* 0 duplicates \\| 0 orphans \\| 0 leaks \\|$`),
    );
  },
  TIMEOUT_MS,
);
