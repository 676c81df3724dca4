/** Runs the cases: on the test engine, with program and hosts in this process. */
import type { Host } from "../../../provider/hosts/hosts";
import { startEmulator } from "../../../testing/emulator";
import { emulatedStack, errorOf, type Outcome } from "../../support/stacks/declaredStack";
import { KEY } from "../../support/values/organizations";
import { type CaseTools, market, type Step, seed } from "./cases";

/** What cases start with: an emulator, and a stack without resources. */
export async function openCase(host?: Host): Promise<CaseTools & AsyncDisposable> {
  const service = await startEmulator({ seed });
  // The seed is older than anything that a case creates, even in whole seconds.
  service.clock.advance(5_000);
  const config: Record<string, string> = { "dynamiclink:apiUrl": service.url };
  const environment: Record<string, string> = { DYNAMICLINK_API_KEY: KEY };
  const stack = emulatedStack(service, KEY, {
    config,
    environment: () => environment,
    ...(host && { host }),
  });
  return { stack, service, config, environment, [Symbol.asyncDispose]: () => service.close() };
}

/** Runs a case. Returns the errors of its last command, or what it prints if it succeeds. */
export async function messageOf(tools: CaseTools, steps: readonly Step[]): Promise<string> {
  let outcome: Outcome | undefined;
  for (const step of steps) {
    expect(outcome?.failed ?? false).toBe(false);
    outcome = (await step(tools)) as Outcome | undefined;
  }
  outcome ??= await tools.stack.preview([market]);
  return outcome.failed ? errorOf(outcome) : outcome.diagnostics.map(({ message }) => message).join("\n");
}
