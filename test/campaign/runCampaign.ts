/**
 * The fault campaign: runs sequences of commands on a stack with injected faults, and checks the invariants after each
 * command. Then the faults stop, and it checks that the stack converges. The first sequence that breaks a rule is shrunk.
 */
import fc from "fast-check";
import { DYNAMIC_HOST, NATIVE_HOST } from "../../provider/hosts/hosts";
import { type SeedProject, startEmulator } from "../../testing/emulator";
import { declaredStack } from "../support/stacks/declaredStack";
import { ORGANIZATION, OTHER_ORGANIZATION } from "../support/values/organizations";
import { converge } from "./convergence";
import { CANARY, OTHER_KEY } from "./disruptions";
import { performStep } from "./moves";
import { type Sequence, sequence } from "./plan";
import { Scene } from "./scene";

/** Which hosts run the providers: dynamic-provider hosts or plugins, both in this process. */
type Hosts = "inProcess" | "plugin";

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
 * Runs a campaign. Resolves with the number of sequences, and the failure: the broken rule, the sequence, and the command
 * that repeats it.
 */
export async function runCampaign({ sequences, seed, hosts, path }: CampaignOptions) {
  const { failed, numRuns, errorInstance, counterexample, counterexamplePath } = await fc.check(
    fc.asyncProperty(sequence, (one) => runSequence(one, hosts)),
    {
      numRuns: sequences,
      seed,
      ...(path !== undefined && { path }),
      ...(path === undefined && { interruptAfterTimeLimit: sequences * SEQUENCE_MS + SHRINKING_MS }),
      markInterruptAsFailure: true,
    },
  );
  if (!failed) return { numRuns };
  // Null if no sequence failed.
  const cause = (errorInstance ?? undefined) as Error | undefined;
  const repeat = `npm run test:faults -- --hosts ${hosts} --seed ${seed} --path ${counterexamplePath}`;
  const lines = [cause?.message, JSON.stringify(counterexample?.[0]), `To repeat it: ${repeat}`];
  return { numRuns, failure: cause ? lines.join("\n") : "The campaign did not end in time." };
}

/** A project of the other organization. A program of the campaign declares one with the same name. */
const OTHER_PROJECT: SeedProject = {
  name: "project 0 0",
  applications: [{ appType: "WEB" }],
  customDomains: [{ hostname: "theirs.shop.example" }],
};

/** Runs one sequence. @throws BrokenRule */
async function runSequence(sequence: Sequence, hosts: Hosts): Promise<void> {
  await using service = await startEmulator({
    behaviour: sequence.behaviour,
    seed: {
      organizations: [
        { id: ORGANIZATION, keys: [{ key: `${CANARY}0` }] },
        { id: OTHER_ORGANIZATION, keys: [{ key: OTHER_KEY }], projects: [OTHER_PROJECT] },
      ],
    },
  });
  const scene = new Scene(service);
  scene.stack = declaredStack(service, {
    environment: () => ({ DYNAMICLINK_API_KEY: scene.environmentKey }),
    host: hosts === "plugin" ? NATIVE_HOST : DYNAMIC_HOST,
    timeoutMs: () => scene.timeoutMs,
    random: () => sequence.chance,
  });
  try {
    for (const step of sequence.steps) await performStep(scene, step);
    await converge(scene);
  } finally {
    await scene.stack.close();
  }
}
