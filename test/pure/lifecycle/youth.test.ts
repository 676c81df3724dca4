/** Until when the absence of an object proves nothing: a table of its creation, the times, and what the process has seen. */
import {
  creationIn,
  deleteObject,
  isYoung,
  whileYoung,
  youthOf,
} from "../../../provider/lifecycle/evidence/youth";
import type { Fact } from "../../../provider/lifecycle/ledger/facts";
import { newRunMemory } from "../../../provider/lifecycle/run/runMemory";
import { fakeClock, fakeContext } from "../../support/values/fakeClock";
import { BROKEN, ledgerWith, NOT_FOUND } from "./things";

const OBJECT = "thing 1";
const SERVICE_MS = Date.parse("2030-01-01T00:00:00Z");
const NOW_MS = 1_000_000;

function ago(seconds: number): string {
  return new Date(SERVICE_MS - seconds * 1_000).toISOString();
}

test.each<[what: string, state: object, sinceFirstLookSeconds: number, forSeconds: number]>([
  ["for 30 s, if it was created now", { __created: ago(0) }, 0, 30],
  ["no longer after 30 s", { __created: ago(30) }, 0, 0],
  ["for 30 s, if the clock is behind its creation", { __created: ago(-3_600) }, 0, 30],
  ["no longer than 30 s after the first look of the process", { __created: ago(-3_600) }, 20, 10],
  ["not after the first 30 s of a process", { __created: ago(0) }, 30, 0],
  ["by the service's creation time, if this package has not created it", { createdAt: ago(10) }, 0, 20],
  ["by a time in the basic form", { createdAt: ago(10).replaceAll(/[-:]/g, "") }, 0, 20],
  ["by its creation, if the two differ", { __created: ago(10), createdAt: ago(900) }, 0, 20],
  ["not, if its creation is unknown", {}, 0, 0],
  ["not, if the state was edited", { __created: 5 }, 0, 0],
])("an object is young %s", (_, state, sinceFirstLook, forSeconds) => {
  const youth = youthOf(OBJECT, {
    createdAt: creationIn(state as Record<string, unknown>),
    serviceMs: SERVICE_MS,
    nowMs: NOW_MS,
    firstLookMs: NOW_MS - sinceFirstLook * 1_000,
  });
  const expected: Fact = { is: "young", object: OBJECT, untilMs: NOW_MS + forSeconds * 1_000 };
  expect(youth).toEqual(forSeconds === 0 ? undefined : expected);
});

const YOUNG: Fact = { is: "young", object: OBJECT, untilMs: 30_000 };
const FOUND: Fact = { is: "found", object: OBJECT };

test.each<[facts: readonly Fact[], nowMs: number, isYoung: boolean]>([
  [[YOUNG], 29_999, true],
  [[YOUNG], 30_000, false],
  [[YOUNG, FOUND], 0, false],
  [[YOUNG, { ...FOUND, object: "thing 2" }], 0, true],
  // The first look counts.
  [[YOUNG, { ...YOUNG, untilMs: 60_000 }], 30_000, false],
])("with the facts %j, after %d ms, its absence proves nothing: %s", (facts, nowMs, expected) => {
  expect(isYoung(ledgerWith(facts), OBJECT, nowMs)).toBe(expected);
});

test("the first look of a process is the first time that it needs to know", () => {
  const { firstLookMs } = newRunMemory();
  expect([firstLookMs(5), firstLookMs(9)]).toEqual([5, 5]);
});

test("a deletion that was sent is repeated also after waits are stopped", async () => {
  const facts = ledgerWith([YOUNG]);
  const clock = {
    now: () => 0,
    sleep: async (_ms: number, signal?: AbortSignal) => signal?.throwIfAborted(),
  };
  const context = fakeContext({ facts, clock, waits: AbortSignal.abort() });
  let sent = 0;
  await deleteObject(context, OBJECT, async () => {
    sent += 1;
    if (sent < 3) throw NOT_FOUND;
  });
  expect(sent).toBe(3);
  const reading = whileYoung(context, OBJECT, () => Promise.reject(NOT_FOUND));
  await expect(reading).rejects.toMatchObject({ name: "AbortError" });
});

test.each<[string, readonly Fact[], results: readonly (Error | string)[], waits: readonly number[]]>([
  ["of a young object is asked for again", [YOUNG], [NOT_FOUND, NOT_FOUND, "it"], [250, 500]],
  ["of a young object that was found counts at once", [YOUNG, FOUND], [NOT_FOUND], []],
  ["counts later", [{ ...YOUNG, untilMs: 1_000 }], Array(4).fill(NOT_FOUND), [250, 500, 250]],
  ["is not any other error", [YOUNG], [BROKEN], []],
])("a 404 %s", async (_, facts, results, waits) => {
  const report = jest.fn();
  const context = fakeContext({ facts: ledgerWith(facts), report, clock: fakeClock(0) });
  const asked: boolean[] = [];
  const outcome = whileYoung(context, OBJECT, async (isAgain) => {
    asked.push(isAgain);
    const result = results[asked.length - 1];
    if (result instanceof Error) throw result;
    return result;
  });
  const last = results.at(-1);
  if (last instanceof Error) await expect(outcome).rejects.toBe(last);
  else expect(await outcome).toBe(last);
  expect(asked).toEqual(results.map((_result, index) => index > 0));
  expect(context.clock.waits).toEqual(waits);
  expect(report.mock.calls.join()).toMatch(waits.length > 0 ? /^Waiting for at most 30 s[^W]*$/ : /^$/);
});
