/**
 * A short fault campaign: sequences that together have every move, incident and fault. `npm run test:faults` runs a longer
 * one. It is slow because each stack must converge, which takes at least seven commands; with a host in a process of its
 * own, each takes about a second.
 */
import { sharedProcess } from "../support/stacks/sharedProcess";
import { runSequence } from "./campaign";
import type { Sequence } from "./plan";
import { runCampaign } from "./runCampaign";
import { SEED, sequencesWithAll } from "./selection";
import { newTally, tableRow } from "./tally";

const { startProgram } = sharedProcess();
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

test(
  "a machine that dies has the same effect on hosts in separate processes: the object is reported, and the stack converges",
  async () => {
    const tally = newTally();
    const present = { present: true, variant: 0, project: 0 };
    const plan = {
      projects: [present],
      applications: [{ ...present, platform: 1 }],
      domains: [present],
      others: true,
    };
    const steps: Sequence["steps"] = [
      { do: "program", plan },
      {
        do: "up",
        disruption: [{ kind: "incident", incident: "machine", atRequest: 3, response: "at once" }],
      },
      { do: "up", disruption: [] },
    ];
    await runSequence(
      { behaviour: {}, chance: 0.5, skipsPreview: false, hooks: "all", retries: 1, steps },
      tally,
      "spawned",
      startProgram,
    );
    expect(tableRow(tally, {})).toContain("1 incidents (machine 1), 0 console changes | 1 lost and reported");
  },
  TIMEOUT_MS,
);
