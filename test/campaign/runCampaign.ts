/** Runs and counts many sequences of the fault campaign. The first that breaks a rule is shrunk. */
import fc from "fast-check";
import { type Hosts, runSequence } from "./campaign";
import { sequence } from "./plan";
import { BrokenRule, newTally, tableRow } from "./tally";

/** The number of sequences in a long campaign. */
export const DEFAULT_SEQUENCES: Readonly<Record<Hosts, number>> = { inProcess: 500, plugin: 300 };
/** The average time limit of a sequence. When it is exceeded, the campaign is stopped. */
const SEQUENCE_MS = 2_000;
/** The time for shrinking a failed sequence, in milliseconds. */
const SHRINKING_MS = 300_000;

interface CampaignOptions {
  readonly sequences: number;
  readonly seed: number;
  readonly hosts: Hosts;
  /** The path of a failed sequence, to run it again. */
  readonly path?: string | undefined;
}

/**
 * Runs a campaign. Resolves with the counts as a row of a table, and the failure: the broken rule, the sequence, and the
 * command that repeats it.
 */
export async function runCampaign({ sequences, seed, hosts, path }: CampaignOptions) {
  const tally = newTally();
  const result = await fc.check(
    fc.asyncProperty(sequence, (one) => runSequence(one, tally, hosts)),
    {
      numRuns: sequences,
      seed,
      ...(path !== undefined && { path }),
      ...(path === undefined && { interruptAfterTimeLimit: sequences * SEQUENCE_MS + SHRINKING_MS }),
      markInterruptAsFailure: true,
    },
  );
  const { failed, errorInstance, counterexample, counterexamplePath } = result;
  // Null if no sequence failed.
  const cause = (errorInstance ?? undefined) as Error | undefined;
  const broken = cause instanceof BrokenRule ? { [cause.rule]: 1 } : {};
  const repeat = `npm run test:faults -- --hosts ${hosts} --seed ${seed} --path ${counterexamplePath}`;
  const failure =
    failed && cause === undefined
      ? "The campaign did not end in time."
      : cause && [cause.message, JSON.stringify(counterexample?.[0]), `To repeat it: ${repeat}`].join("\n");
  return { failure, row: tableRow(tally, broken) };
}
