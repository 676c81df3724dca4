/**
 * A short fault campaign. `npm run test:faults` runs a longer one. It is slow because each stack must converge, which takes
 * at least seven commands.
 */
import { runCampaign } from "./runCampaign";

const SEED = 2;

const SEQUENCES = 2;

test.each(["inProcess", "plugin"] as const)(
  "no fault causes a lost object, a duplicate or a leaked key, and every sequence converges (hosts: %s)",
  async (hosts) => {
    const { failure, numRuns } = await runCampaign({ sequences: SEQUENCES, seed: SEED, hosts });
    expect(failure).toBeUndefined();
    expect(numRuns).toBe(SEQUENCES);
  },
);
