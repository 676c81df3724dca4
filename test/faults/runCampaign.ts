/** Many sequences of the fault campaign, counted; the first that breaks a rule is made as short as it gets. */
import fc from "fast-check";
import { BrokenRule, type Hosts, newTally, runSequence, tableRow } from "./campaign";
import { sequence } from "./plan";

/** How many sequences the long campaign has. A real host takes half a second to start and waits on a real clock. */
export const DEFAULT_SEQUENCES: Readonly<Record<Hosts, number>> = { inProcess: 500, spawned: 20 };
/** How long a failing sequence is made shorter, in milliseconds. */
const SHRINKING_MS = 120_000;

/** How a campaign is run. */
export interface CampaignOptions {
  readonly sequences: number;
  readonly seed: number;
  readonly hosts: Hosts;
  /** Where a failing sequence was found, to run it again. */
  readonly path?: string | undefined;
}

/** What a campaign found. */
export interface CampaignResult {
  /** What went wrong, with the sequence and how to run it again; undefined when nothing did. */
  readonly failure: string | undefined;
  /** The row of a table that sums it up. */
  readonly row: string;
}

/** Runs a campaign. */
export async function runCampaign({
  sequences,
  seed,
  hosts,
  path,
}: CampaignOptions): Promise<CampaignResult> {
  const tally = newTally();
  const result = await fc.check(
    fc.asyncProperty(sequence, (one) => runSequence(one, tally, hosts)),
    {
      numRuns: sequences,
      seed,
      ...(path !== undefined && { path }),
      // Made shorter, it would take hours on a real clock.
      endOnFailure: hosts === "spawned",
      ...(path === undefined && { interruptAfterTimeLimit: sequences * SEQUENCE_MS[hosts] + SHRINKING_MS }),
    },
  );
  const { failed, errorInstance, counterexample, counterexamplePath } = result;
  const cause = errorInstance as Error | undefined;
  const broken = cause instanceof BrokenRule ? { [cause.rule]: 1 } : {};
  const failure = failed
    ? [
        cause?.message ?? "The campaign did not end in time.",
        JSON.stringify(counterexample?.[0]),
        `Again: npm run test:faults -- --hosts ${hosts} --seed ${seed} --path ${counterexamplePath}`,
      ].join("\n")
    : undefined;
  return { failure, row: tableRow(tally, broken) };
}

/** What a sequence may take at most, on average, before the campaign is given up. */
const SEQUENCE_MS: Readonly<Record<Hosts, number>> = { inProcess: 2_000, spawned: 120_000 };
