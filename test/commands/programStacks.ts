/** Stacks of the programs that commands write, on the test engine. */
import type { Emulator } from "../../testing/emulator";
import type { TestStack, TestStackOptions } from "../../testing/engine";
import { sharedStacks } from "../support/stacks/sharedProcess";
import { KEY } from "../support/values/organizations";

/** Creates stacks that read from an emulator. Each is closed after its test. */
export function programStacks() {
  const newStack = sharedStacks();
  const open: TestStack[] = [];
  afterEach(async () => {
    for (const stack of open.splice(0)) await stack.close();
  });
  return (program: string, service: Emulator, options: Partial<TestStackOptions> = {}): TestStack => {
    const stack = newStack({
      program,
      config: { "dynamiclink:apiUrl": service.url },
      environment: { DYNAMICLINK_API_KEY: KEY, DYNAMICLINK_READ_ONLY: "1" },
      ...options,
    });
    open.push(stack);
    return stack;
  };
}
