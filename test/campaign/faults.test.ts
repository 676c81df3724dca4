/**
 * A short fault campaign: sequences that together have every move, incident and fault. `npm run test:faults` runs a longer
 * one. It is slow because each stack must converge, which takes at least seven commands.
 */
import { runCampaign } from "./runCampaign";
import { SEED, sequencesWithAll } from "./selection";

const TIMEOUT_MS = 240_000;
const NOTHING_BROKEN = "0 duplicates | 0 orphans | 0 leaks |";

// The hosts have no part in the faults of the service, so these run with one of them.
test.each([
  ["inProcess", sequencesWithAll("everything")],
  ["plugin", sequencesWithAll("moves")],
] as const)(
  "no fault causes a lost object, a duplicate or a leaked key, and every sequence converges (hosts: %s)",
  async (hosts, paths) => {
    for (const path of paths) {
      const { failure, row } = await runCampaign({ sequences: 1, seed: SEED, hosts, path });
      expect(failure).toBeUndefined();
      expect(row).toMatch(/^\| 1 sequences /);
      expect(row).toContain(NOTHING_BROKEN);
    }
  },
  TIMEOUT_MS,
);
