/** What an update sends, what counts as applied, and what is saved if an object does not become ready. */
import { NotReadyError } from "../../../provider/errors";
import type { Found, ResourceDescription } from "../../../provider/lifecycle/description";
import { applyChange, notApplied, whenReady, writing } from "../../../provider/lifecycle/operations/write";
import type { Properties } from "../../../provider/lifecycle/properties";
import type { ResourceRun } from "../../../provider/lifecycle/run/runContext";
import { newRunMemory } from "../../../provider/lifecycle/run/runMemory";
import { fakeContext } from "../../support/values/fakeClock";
import { BROKEN, CONFLICT } from "./things";

const CONTEXT = fakeContext();
const FOUND: Found = { uuid: "1", properties: { name: "Shop", createdAt: "now" }, createdAt: "now" };

function descriptionWith(more: object): ResourceDescription {
  return {
    title: "thing",
    inputs: { shape: { name: {} } },
    outputs: { shape: { createdAt: {} } },
    ...more,
  } as unknown as ResourceDescription;
}

test.each<[string, Properties, changed: string[], actual: Properties, notApplied: string | undefined]>([
  ["as declared", { a: 1 }, ["a"], { a: 1, b: 2 }, undefined],
  ["another value", { a: 1 }, ["a"], { a: 2 }, "a"],
  ["another value that begins like one that was sent", { a: 1, ab: 1 }, ["a"], { a: 1, ab: 2 }, undefined],
  ["another member of what was sent", { a: { b: 1, c: 1 } }, ["a"], { a: { b: 2, c: 1 } }, "a.b"],
  ["nothing where a member was sent", { a: { b: 1 } }, ["a.b"], { a: null }, "a"],
  ["values that are no longer declared", { b: null }, ["a", "b"], { a: 1, b: 2 }, "b, a"],
  ["a value that the service adds itself", {}, ["a", "c.d"], { c: { d: 1 } }, undefined],
])("the service has %s", (_name, inputs, changed, properties, expected) => {
  const description = descriptionWith(expected === undefined ? { computed: ["c.d"] } : {});
  const message = notApplied(description, { inputs, changed: changed as never }, { ...FOUND, properties });
  expect(message).toEqual(
    expected && expect.stringMatching(`^The service did not apply ${expected} of thing 1\\.`),
  );
});

const LATER: Found = { ...FOUND, properties: { name: "Store" } };
const NOT_READY = new NotReadyError("1", { name: "Store", createdAt: "then" }, ["slow"]);
const AS_FOUND = { name: "Shop", createdAt: "now", __organization: "o" };

test.each<[string, object, before: Properties | undefined, Found | Error, saved: Properties | undefined]>([
  ["it need not wait", {}, undefined, FOUND, undefined],
  ["it is not ready in time", failingWith(NOT_READY), {}, NOT_READY, { ...AS_FOUND, ...NOT_READY.state }],
  ["the wait after a create fails", failingWith(BROKEN), undefined, BROKEN, AS_FOUND],
  ["the wait after an update fails", failingWith(BROKEN), {}, BROKEN, undefined],
  [
    "a resource that only waits fails",
    { ...failingWith(BROKEN), creates: { is: "nothing" } },
    undefined,
    BROKEN,
    undefined,
  ],
])("if %s, that is the result", async (_name, kind, before, result, saved) => {
  const kept = { organizationId: "o", inputs: { name: "Shop" } };
  const ready = whenReady(descriptionWith(kind), CONTEXT, FOUND, kept, before);
  if (!(result instanceof Error)) return expect(await ready).toBe(result);
  const error = await ready.catch((reason: unknown) => reason);
  expect((error as Error).message).toBe(result.message);
  if (saved === undefined) expect(error).not.toBeInstanceOf(NotReadyError);
  else expect(error).toMatchObject({ uuid: "1", state: saved });
});

function failingWith(error: Error) {
  return { waitUntilReady: () => Promise.reject(error) };
}

test.each<[string, kind: object, changed: string[], result: unknown]>([
  ["is sent", { update: async () => LATER }, ["name"], LATER],
  ["without a change is a read", { update: async () => LATER }, [], FOUND],
  ["of a kind that cannot change is a read", {}, ["name"], FOUND],
  ["may fail", failingUpdate(BROKEN), ["name"], BROKEN],
  ["may fail with a conflict about another value", failingUpdate(CONFLICT), ["color"], CONFLICT],
  ["may fail with one of its name", failingUpdate(CONFLICT), ["name"], "is used by thing 2. Choose another"],
])("an update %s", async (_name, kind, changed, result) => {
  const read = jest.fn(async () => FOUND);
  const description = descriptionWith({
    uniqueBy: "name",
    read,
    list: async () => [{ ...FOUND, uuid: "2" }],
    ...kind,
  });
  const change = { inputs: { name: "Shop" }, changed: changed as never, state: {} };
  const outcome = await applyChange(
    { description, memory: newRunMemory() } as unknown as ResourceRun,
    CONTEXT,
    { uuid: "1", state: { createdAt: "now" } },
    change,
  ).catch((error: unknown) => error);
  if (typeof result !== "string") expect(outcome).toBe(result);
  else expect(outcome).toMatchObject({ message: expect.stringContaining(result), cause: CONFLICT });
  const call = [CONTEXT, "1", { createdAt: "now", name: "Shop" }];
  expect(read.mock.calls).toEqual(result === FOUND ? [call] : []);
});

function failingUpdate(error: Error) {
  return { update: () => Promise.reject(error) };
}

test("lists that were requested before or during a write are discarded, also if it fails", async () => {
  const forget = jest.fn();
  const run = { description: descriptionWith({}), memory: { reads: { forget } } } as unknown as ResourceRun;
  const write = async () => {
    expect(forget.mock.calls).toEqual([[run.description]]);
    throw BROKEN;
  };
  await expect(writing(run, write)).rejects.toBe(BROKEN);
  expect(forget.mock.calls).toEqual([[run.description], [run.description]]);
});
