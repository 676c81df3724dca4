/**
 * The fault campaign: runs a sequence on a stack with injected faults, and checks the invariants after each command.
 * Then the faults stop, and it checks that the stack converges.
 */
import { DYNAMIC_HOST, NATIVE_HOST } from "../../provider/hosts/hosts";
import { type SeedProject, startEmulator } from "../../testing/emulator";
import { serviceClock } from "../support/providers/clocks";
import { declaredStack } from "../support/stacks/declaredStack";
import { ORGANIZATION, OTHER_ORGANIZATION } from "../support/values/organizations";
import { converge } from "./convergence";
import { CANARY, OTHER_KEY } from "./disruptions";
import { performStep } from "./moves";
import type { Sequence } from "./plan";
import { Scene } from "./scene";
import type { Tally } from "./tally";

/** A project of the other organization. A program of the campaign declares one with the same name. */
const OTHER_PROJECT: SeedProject = {
  name: "project 0 0",
  applications: [{ appType: "WEB" }],
  customDomains: [{ hostname: "theirs.shop.example" }],
};

/** Which hosts run the providers: dynamic-provider hosts or plugins, both in this process. */
export type Hosts = "inProcess" | "plugin";

/** Runs one sequence. @throws BrokenRule */
export async function runSequence(sequence: Sequence, tally: Tally, hosts: Hosts): Promise<void> {
  await using service = await startEmulator({
    behaviour: sequence.behaviour,
    seed: {
      organizations: [
        { id: ORGANIZATION, keys: [{ key: `${CANARY}0` }] },
        { id: OTHER_ORGANIZATION, keys: [{ key: OTHER_KEY }], projects: [OTHER_PROJECT] },
      ],
    },
  });
  const host = hosts === "plugin" ? NATIVE_HOST : DYNAMIC_HOST;
  const scene = new Scene(service, sequence, tally, host);
  scene.stack = declaredStack({
    environment: () => ({ DYNAMICLINK_API_KEY: scene.environmentKey }),
    config: { "dynamiclink:apiUrl": service.url },
    host,
    timeoutMs: () => scene.timeoutMs,
    random: () => sequence.chance,
    // What lags by a time does so while the provider waits.
    clock: (killed) => serviceClock(service, killed),
  });
  try {
    for (const step of sequence.steps) await performStep(scene, step);
    await converge(scene);
    tally.sequences += 1;
  } finally {
    await scene.stack.close();
  }
}
