/** Fake timers, which a test turns on for its own code: they do not stop the engine. */
import { errorsOf, failure, OWN_HOSTS, openStacks, type ThingStack, thing } from "../things";

const { newStack } = openStacks();
const { setTimeout: real } = globalThis;

function newThing(): ThingStack {
  const stack = newStack({}, OWN_HOSTS);
  stack.declare([thing("a")]);
  return stack;
}

afterEach(() => {
  jest.useRealTimers();
});

test("commands end although timers are fake, also two at a time, and the timers are fake again afterwards", async () => {
  const stacks = [newThing(), newThing()];
  jest.useFakeTimers();
  const { setTimeout: fake } = globalThis;
  expect(fake).not.toBe(real);
  const ups = await Promise.all(stacks.map((stack) => stack.up()));
  expect(ups.map(({ changes }) => changes)).toEqual([{ create: 2 }, { create: 2 }]);
  expect(globalThis.setTimeout).toBe(fake);
  expect((await stacks[0]?.destroy())?.changes).toEqual({ delete: 2 });
});

test("timers that become real during a command stay real", async () => {
  jest.useFakeTimers();
  const up = newThing().up();
  jest.useRealTimers();
  await up;
  expect(globalThis.setTimeout).toBe(real);
});

test("the time limit of a command ends it although timers become fake during it, and leaves them", async () => {
  const program = Promise.withResolvers<null>();
  let fake: unknown;
  const startProgram = () => {
    // As in Vitest.
    jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask"] });
    fake = globalThis.setTimeout;
    return { exited: program.promise, kill: () => program.resolve(null) };
  };
  const stack = newStack({ timeoutMs: 1_000 }, { startProgram });
  expect(errorsOf(await failure(stack.up()))).toEqual([
    "The up did not end within 1000 ms; it waited for the program.",
  ]);
  expect(globalThis.setTimeout).toBe(fake);
});
