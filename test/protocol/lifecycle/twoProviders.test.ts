/** Two providers of one stack, each with a process of its own, that create or adopt at the same time. */
import { DYNAMIC_HOST, type Host, NATIVE_HOST } from "../../../provider/hosts/hosts";
import { type Emulator, type FaultEffect, startEmulator } from "../../../testing/emulator";
import { type Declaration, type DeclaredStack, errorOf } from "../../support/stacks/declaredStack";
import { emulatedStack } from "../../support/stacks/inProcessStack";
import { KEY, seedWith } from "../../support/stacks/scenarios";

const MARKET = "0d0d0d0d-0000-4000-8000-000000000004";

let service: Emulator;
/** What the test closes at its end. */
const open: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  service = await startEmulator({
    seed: seedWith([{ id: MARKET, name: "Market" }]),
    behaviour: { uniqueProjectNames: false },
  });
  // The seed is older than anything that is created from now on, even in whole seconds.
  service.clock.advance(5_000);
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await service.close();
  expect(service.violations).toEqual([]);
});

/** A stack whose requests have time enough, because nothing in these tests depends on a time limit. */
function newStack(host: Host): DeclaredStack {
  const stack = emulatedStack(service, KEY, { host });
  open.push(stack);
  return stack;
}

/** A project that the default provider creates, and an equal one of another provider. */
const EQUAL: readonly Declaration[] = [
  { kind: "Project", name: "shop", properties: { name: "Shop" } },
  { kind: "Project", name: "store", properties: { name: "Shop" }, provider: "second" },
];

function created(): string[] {
  return service.state.projects.map(({ id }) => id).filter((id) => id !== MARKET);
}

function idsIn(stack: DeclaredStack): string[] {
  return stack.resources.map(({ id = "" }) => id);
}

describe.each([
  ["dynamic resources", DYNAMIC_HOST],
  ["the native plugin", NATIVE_HOST],
])("two providers of a stack, with %s,", (_name, host) => {
  test.each<[string, FaultEffect, number]>([
    ["has no effect, while the other one creates its object", { reset: "before" }, 1],
    ["is lost after it took effect, while the other one creates its object", { reset: "after" }, 1],
    ["has no effect, like that of the other one", { reset: "before" }, 2],
    ["is lost after it took effect, like that of the other one", { reset: "after" }, 2],
  ])("never have one object under two entries if one create %s", async (_case, effect, count) => {
    const stack = newStack(host);
    service.inject({ operation: "createProject", effect, count });
    const outcome = await stack.up(EQUAL);
    const ids = idsIn(stack);
    expect(new Set(ids).size).toBe(ids.length);
    const text = JSON.stringify(outcome.diagnostics);
    expect(created().filter((id) => !ids.includes(id) && !text.includes(id))).toEqual([]);
  });

  test("take a lost object for their own as long as no other create can be meant", async () => {
    const stack = newStack(host);
    service.inject({ operation: "createProject", effect: { reset: "after" } });
    const [shop, store] = EQUAL as [Declaration, Declaration];
    const outcome = await stack.up([shop, { ...store, properties: { name: "Store" } }]);
    expect(outcome.failed).toBe(false);
    expect(idsIn(stack).sort()).toEqual(created().sort());
  });

  test("do not adopt one object twice", async () => {
    const stack = newStack(host);
    const market = { kind: "Project", properties: { name: "Market" }, adopt: MARKET } as const;
    const error = errorOf(
      await stack.up([
        { ...market, name: "market" },
        { ...market, name: "bazaar", provider: "second" },
      ]),
    );
    expect(error).toMatch(/imports project .* as well/);
    expect(idsIn(stack).length).toBeLessThan(2);
  });
});
