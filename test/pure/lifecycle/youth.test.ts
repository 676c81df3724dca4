/** Until when the absence of an object proves nothing: tables. That of known.test.ts has what is asked for again. */
import { whileYoung, youngUntilMs, youthOf } from "../../../provider/lifecycle/evidence/youth";
import type { Fact } from "../../../provider/lifecycle/ledger/facts";
import { creationIn } from "../../../provider/lifecycle/state";
import { fakeClock, fakeContext } from "../../support/values/fakeClock";
import { ledgerWith, NOT_FOUND } from "./things";

const OBJECT = "thing 1";
const SERVICE_MS = Date.parse("2030-01-01T00:00:00Z");
const NOW_MS = 1_000_000;

function ago(seconds: number): string {
  return new Date(SERVICE_MS - seconds * 1_000).toISOString();
}

test.each<[what: string, state: object, forSeconds: number]>([
  ["for 33 s, if it was created now", { __created: ago(0) }, 33],
  ["no longer after 33 s", { __created: ago(33) }, 0],
  ["for 33 s, if the clock is behind its creation", { __created: ago(-3_600) }, 33],
  ["by the service's creation time, without another one", { createdAt: ago(10) }, 23],
  ["by a time in the basic form", { createdAt: ago(10).replaceAll(/[-:]/g, "") }, 23],
  ["by its creation, if the two differ", { __created: ago(10), createdAt: ago(900) }, 23],
  ["not, if its creation is unknown", {}, 0],
  ["not, if the state was edited", { __created: 5 }, 0],
])("an object is young %s", (_, state, forSeconds) => {
  const createdAt = creationIn(state as Record<string, unknown>);
  const youth = youthOf(OBJECT, createdAt, { serviceMs: SERVICE_MS, nowMs: NOW_MS });
  const expected: Fact = { is: "young", object: OBJECT, untilMs: NOW_MS + forSeconds * 1_000 };
  expect(youth).toEqual(forSeconds === 0 ? undefined : expected);
});

const YOUNG: Fact = { is: "young", object: OBJECT, untilMs: 30_000 };

test.each<[facts: readonly Fact[], untilMs: number]>([
  [[YOUNG], 30_000],
  [[{ ...YOUNG, object: "thing 2" }], -Infinity],
  // The first look counts, so that a wrong clock makes no object young for ever.
  [[YOUNG, { ...YOUNG, untilMs: 60_000 }], 30_000],
])("with the facts %j, its absence proves nothing until %d ms", (facts, untilMs) => {
  expect(youngUntilMs(ledgerWith(facts), OBJECT)).toBe(untilMs);
});

test("a wait for a young object ends when waits are stopped", async () => {
  const clock = {
    now: () => 0,
    sleep: async (_ms: number, signal?: AbortSignal) => signal?.throwIfAborted(),
  };
  const context = fakeContext({ facts: ledgerWith([YOUNG]), clock, waits: AbortSignal.abort() });
  const reading = whileYoung(context, OBJECT, () => Promise.reject(NOT_FOUND));
  await expect(reading).rejects.toMatchObject({ name: "AbortError" });
});

test("a 404 that was requested while the object was young is not the last one", async () => {
  const clock = fakeClock(0);
  const context = fakeContext({ facts: ledgerWith([{ ...YOUNG, untilMs: 1_000 }]), clock });
  const requestedAt: number[] = [];
  const slowly = async () => {
    requestedAt.push(clock.now());
    await clock.sleep(900);
    throw NOT_FOUND;
  };
  await expect(whileYoung(context, OBJECT, slowly)).rejects.toBe(NOT_FOUND);
  expect(requestedAt).toEqual([0, 1_000]);
});
