/** What an update sends, what counts as applied, and what is saved if an object does not become ready. */
import { NotReadyError } from "../../../provider/errors";
import type { Found, ResourceDescription } from "../../../provider/lifecycle/description";
import {
  applyChange,
  notApplied,
  unapplied,
  whenReady,
  writing,
} from "../../../provider/lifecycle/operations/write";
import type { Properties } from "../../../provider/lifecycle/properties";
import type { ResourceRun } from "../../../provider/lifecycle/run/runContext";
import { newRunMemory } from "../../../provider/lifecycle/run/runMemory";
import { fakeClock, fakeContext } from "../../support/values/fakeClock";
import { BROKEN, CONFLICT, CONFLICT_AGAIN, FOR_30_S, REFUSED, REFUSED_AGAIN, replyWith } from "./things";

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

test.each<[string, Properties, changed: string[], actual: Properties, notApplied: string]>([
  ["as declared", { a: 1 }, ["a"], { a: 1, b: 2 }, ""],
  ["another value", { a: 1 }, ["a"], { a: 2 }, "a"],
  ["another value that begins like one that was sent", { a: 1, ab: 1 }, ["a"], { a: 1, ab: 2 }, ""],
  ["another member of what was sent", { a: { b: 1, c: 1 } }, ["a"], { a: { b: 2, c: 1 } }, "a.b"],
  ["nothing where a member was sent", { a: { b: 1 } }, ["a.b"], { a: null }, "a"],
  ["values that are no longer declared", { b: null }, ["a", "b"], { a: 1, b: 2 }, "a,b"],
  ["a value that the service adds itself", {}, ["a", "c.d"], { c: { d: 1 } }, ""],
])("the service has %s", (_name, inputs, changed, properties, expected) => {
  const description = descriptionWith(expected === "" ? { computed: ["c.d"] } : {});
  const differing = unapplied(description, { inputs, changed: changed as never }, { ...FOUND, properties });
  expect(String(differing.map(({ path }) => path))).toBe(expected);
});

const ADVICE = "\n.*getThing.*\nDeclare what the service has. Otherwise, each update sends the same again.$";
test.each<[string, hidden: readonly string[] | undefined, name: string, color: string]>([
  ["are shown", [], '" Shop" in the program, "Shop" in', 'not declared in the program, "red" in the service'],
  ["may be secret", ["name"], "declared with a value that differs", 'not declared in the program, "red" in'],
  // A policy has changed what was checked.
  ["were not checked", undefined, "declared with a value that", "not declared, but set in the service"],
])("the error about values that the service changes says which, if they %s", (_name, hidden, name, color) => {
  const memory = newRunMemory();
  if (hidden) memory.notShown.set("urn:a", new Set(hidden));
  const session = { client: { sanitized: (value: unknown) => value } };
  const description = descriptionWith({ type: "Thing" });
  const run = { description, memory, session, urn: "urn:a" } as unknown as ResourceRun;
  const message = notApplied(run, { inputs: {} }, "1", [
    { path: "name", declared: " Shop", actual: "Shop" },
    { path: "color", declared: undefined, actual: "red" },
  ]);
  const head = "^The service did not apply name, color of thing 1 as declared:\n";
  expect(message).toMatch(new RegExp(`${head}  name: ${name}.*\n  color: ${color}.*${ADVICE}`));
});

const LATER: Found = { ...FOUND, properties: { name: "Store" } };
const NOT_READY = new NotReadyError("1", { name: "Store", createdAt: "then" }, ["slow"]);
const WAITING = { ...failingWith(BROKEN), creates: { is: "nothing" } };
const AS_FOUND = { name: "Shop", createdAt: "now", __organization: "o" };

test.each<[string, object, before: Properties | undefined, Found | Error, saved: Properties | undefined]>([
  ["it need not wait", {}, undefined, FOUND, undefined],
  ["it is not ready in time", failingWith(NOT_READY), {}, NOT_READY, { ...AS_FOUND, ...NOT_READY.state }],
  ["the wait after a create fails", failingWith(BROKEN), undefined, BROKEN, AS_FOUND],
  ["the wait after an update fails", failingWith(BROKEN), {}, BROKEN, undefined],
  ["a resource that only waits fails", WAITING, undefined, BROKEN, undefined],
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
    list: async () => [{ ...LATER, uuid: "2" }],
    ...kind,
  });
  const inputs = { name: "Store", color: "red" };
  const change = { inputs, changed: changed as never, state: {} };
  const outcome = await applyChange(
    { description, memory: newRunMemory() } as unknown as ResourceRun,
    CONTEXT,
    { uuid: "1", state: { createdAt: "now" } },
    change,
  ).catch((error: unknown) => error);
  if (typeof result !== "string") expect(outcome).toBe(result);
  else expect(outcome).toMatchObject({ message: expect.stringContaining(result), cause: CONFLICT });
  const call = [CONTEXT, "1", { createdAt: "now", ...inputs }];
  const isRefused = typeof result === "string" || result === CONFLICT;
  if (!isRefused) expect(read.mock.calls).toEqual(result === FOUND ? [call] : []);
});

const NEWER: Found = { ...LATER, updatedAt: "2026-01-02T00:00:00Z" };
const OLDER: Found = { ...LATER, updatedAt: "2025-12-31T00:00:00Z" };

/** What becomes of an update that the service refuses, by the reads after it. The last one is repeated. */
test.each<[string, kind: object, Error, reads: (Found | Error)[], isChanged: boolean, waits: number[]]>([
  ["was made by the attempt before", {}, CONFLICT_AGAIN, [NEWER], true, []],
  ["was made by one before, which a replica shows late", {}, REFUSED_AGAIN, [FOUND, NEWER], true, [250]],
  ["was not made", {}, REFUSED_AGAIN, [FOUND], false, FOR_30_S],
  ["was made by an earlier run", {}, REFUSED, [NEWER], true, []],
  ["was made by no attempt", {}, CONFLICT, [FOUND, NEWER], false, []],
  ["is shown by a read that is older than the state", {}, REFUSED_AGAIN, [OLDER], false, FOR_30_S],
  ["cannot be read", {}, REFUSED_AGAIN, [BROKEN], false, []],
  ["is not shown, and may be computed", { computed: ["name"] }, REFUSED, [FOUND], false, []],
])("a change that is refused %s", async (_name, kind, error, reads, isChanged, waits) => {
  const read = replyWith(reads);
  const clock = fakeClock(0);
  const description = descriptionWith({ read, ...failingUpdate(error), ...kind });
  const run = { description, memory: newRunMemory() } as unknown as ResourceRun;
  const state = { __changed: { at: "2026-01-01T00:00:00Z" } };
  const change = { inputs: "computed" in kind ? {} : { name: "Store" }, changed: ["name"] as never, state };
  // A stopped call looks for its result as well.
  const context = fakeContext({ clock, waits: AbortSignal.abort() });
  const outcome = applyChange(run, context, { uuid: "1", state }, change);
  expect(await outcome.catch((reason: unknown) => reason)).toBe(isChanged ? NEWER : error);
  expect([clock.waits, read.mock.calls.length]).toEqual([waits, waits.length + 1]);
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
