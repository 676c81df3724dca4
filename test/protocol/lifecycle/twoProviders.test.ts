/** Two providers of one stack, each with a process of its own, that create or adopt at the same time. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DYNAMIC_HOST, type Host, NATIVE_HOST } from "../../../provider/hosts/hosts";
import { sharedLog } from "../../../provider/hosts/sharedLog";
import { requireAdoptable } from "../../../provider/lifecycle/adoption";
import { newRunMemory } from "../../../provider/lifecycle/run/runMemory";
import { projectDescription } from "../../../provider/resources/project";
import { type Emulator, type FaultEffect, startEmulator } from "../../../testing/emulator";
import { inProcessRun, operationsOf } from "../../support/providers/inProcess";
import { inProcessSurrogates } from "../../support/providers/inProcessSurrogate";
import { type Declaration, type DeclaredStack, errorOf } from "../../support/stacks/declaredStack";
import { emulatedStack } from "../../support/stacks/inProcessStack";
import { failureOf, KEY, ORGANIZATION, seedWith } from "../../support/stacks/scenarios";

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
    expect(error).toMatch(/another resource (already imports|of the program declares) project/i);
    expect(idsIn(stack).length).toBeLessThan(2);
  });
});

describe("a create whose response was lost", () => {
  /** Two processes of a run. */
  function twoProcesses() {
    const begin = inProcessSurrogates({});
    const inProcess = inProcessRun(service, KEY);
    const [first, second] = [begin(), begin()].map(({ runLog }) =>
      operationsOf(projectDescription, {
        ...inProcess,
        run: { ...inProcess.run, memory: newRunMemory(runLog) },
      }),
    );
    if (first === undefined || second === undefined) throw new Error("There are two processes.");
    open.push(inProcess.run.session.client);
    return { first, second };
  }
  const SHOP = { name: "Shop" };

  test("does not get an object that another process has created", async () => {
    const { first, second } = twoProcesses();
    await first.create(SHOP);
    service.inject({ operation: "createProject", effect: { reset: "before" } });
    await expect(second.create(SHOP)).rejects.toThrow("the service does not list it");
    expect(created()).toHaveLength(1);
  });

  test("does not get an object that an earlier create of another process may have created", async () => {
    const { first, second } = twoProcesses();
    service.inject({ operation: "createProject", effect: { reset: "before" } });
    await expect(first.create(SHOP)).rejects.toThrow("the service does not list it");
    service.inject({ operation: "createProject", effect: { reset: "after" } });
    const message = await failureOf(second.create(SHOP));
    expect(created()).toHaveLength(1);
    expect(message).toContain(`${created()[0]}, created `);
  });

  test("is followed by no equal one of the same process, which may be the same one called again", async () => {
    const { first } = twoProcesses();
    service.inject({ operation: "createProject", effect: { reset: "before" } });
    await expect(first.create(SHOP)).rejects.toThrow("the service does not list it");
    await expect(first.create(SHOP)).rejects.toThrow("The program declares several equal projects");
    expect(created()).toEqual([]);
  });

  test("gets its object after a create of another process was rejected", async () => {
    const { first, second } = twoProcesses();
    service.inject({ operation: "createProject", effect: { status: 400 } });
    await expect(first.create(SHOP)).rejects.toThrow("400 Bad Request");
    service.inject({ operation: "createProject", effect: { reset: "after" } });
    expect((await second.create(SHOP)).uuid).toBe(created()[0]);
  });

  test("has an object of another resource only until any process of the run compares that one", async () => {
    const { first, second } = twoProcesses();
    // The service's clock is behind, and the list before the create is lost, so an older object matches.
    service.setBehaviour({ dateHeader: { secondsBehind: 60 } });
    const { id } = service.createProject(ORGANIZATION, SHOP);
    service.inject({ operation: "listProjects", effect: { status: 403 } });
    service.clock.advance(60_000);
    service.inject({ operation: "createProject", effect: { reset: "before" } });
    expect((await first.create(SHOP)).uuid).toBe(id);
    const state = { ...SHOP, __organization: ORGANIZATION };
    await expect(second.diff(id, state, SHOP)).rejects.toThrow(
      `Project ${id} of this resource was adopted by another resource with the same properties in this run`,
    );
  });
});

test("a resource whose reservation could not be shared does not adopt the object again when it is replaced", async () => {
  const parent = mkdtempSync(join(tmpdir(), "dynamiclink-claims-"));
  const { run } = inProcessRun(service, KEY);
  const shared = { ...run, memory: newRunMemory(sharedLog(() => "127.0.0.1:1", parent)) };
  const claimed = (isNew: boolean) =>
    requireAdoptable({ ...shared, description: projectDescription as never }, MARKET, {
      by: "market",
      isNew,
    });
  try {
    chmodSync(parent, 0o777);
    expect(claimed(false)).toEqual([]);
    expect(() => claimed(true)).toThrow(`Project ${MARKET} was not adopted.\n`);
    chmodSync(parent, 0o700);
    expect(claimed(true)).toEqual([]);
  } finally {
    rmSync(parent, { recursive: true });
    await run.session.client.close();
  }
});
