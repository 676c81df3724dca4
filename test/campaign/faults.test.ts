/**
 * A short fault campaign. `npm run test:faults` runs a longer one. It is slow because each stack must converge, which takes
 * at least seven commands.
 */
import { runCampaign } from "./runCampaign";

const SEED = 2;

// The hosts have no part in the faults of the service, so one of them runs more.
test.each([
  ["inProcess", 3],
  ["plugin", 2],
] as const)(
  "no fault causes a lost object, a duplicate or a leaked key, and every sequence converges (hosts: %s)",
  async (hosts, sequences) => {
    const { failure, numRuns } = await runCampaign({ sequences, seed: SEED, hosts });
    expect(failure).toBeUndefined();
    expect(numRuns).toBe(sequences);
  },
);
