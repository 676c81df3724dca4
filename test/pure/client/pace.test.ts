/** What is known about the rate limit after responses: which of them are refusals, and what follows from these. */
import {
  type Answer,
  afterAnswer,
  afterSending,
  isRefusal,
  type Pace,
  UNLIMITED,
} from "../../../provider/client/connection/pace";

/** When a response came, in seconds, what it was, and how long it asked to wait. */
type Event = readonly [second: number, is: Answer["is"], retryAfterMs?: number];

function got(is: Answer["is"], ...seconds: number[]): Event[] {
  return seconds.map((second) => [second, is]);
}

function paceAfter(events: readonly Event[], before = UNLIMITED): Pace {
  return events.reduce((pace, [second, is, retryAfterMs]) => {
    const nowMs = second * 1_000;
    return afterAnswer(afterSending(pace, nowMs), { sentAtMs: nowMs, nowMs, is, retryAfterMs });
  }, before);
}

const YES = true;
const NO = false;

const DOWN_ONCE = [...got("refused", 0), ...got("unavailable", 100)];
const DOWN_TWICE = [...got("served", 0), ...got("unavailable", 1, 2)];

// Each row: the responses before, when the one in question comes, and whether it is a refusal if it is a 503 that the
// service did not send.
test.each<[string, readonly Event[][], number, boolean]>([
  ["at first", [], 0, NO],
  ["after no response", [got("unanswered", 0)], 1, NO],
  ["after another one", [got("unavailable", 0)], 1, NO],
  ["after something was served", [got("served", 0)], 1, YES],
  ["a minute after something was served", [got("served", 0)], 60, YES],
  ["later", [got("served", 0)], 60.001, NO],
  ["a minute after the last that was served", [got("served", 0, 40)], 100, YES],
  ["after a 429", [got("refused", 0)], 1, YES],
  ["after two 429", [got("refused", 0, 60)], 120, YES],
  ["long after a 429", [got("refused", 0)], 1_000, YES],
  ["as the second after a 429", [got("refused", 0), got("unavailable", 100)], 200, YES],
  ["as the third after a 429", [got("refused", 0), got("unavailable", 100, 200)], 300, NO],
  ["as the second", [got("served", 0), got("unavailable", 1)], 100, YES],
  ["as the third", [got("served", 0), got("unavailable", 1, 100)], 200, NO],
  ["as one of many, soon", [got("served", 0), got("unavailable", 1, 2, 4)], 8, YES],
  ["as one of many in flight", [got("served", 0), got("unavailable", 1, 1, 1)], 100, YES],
  ["after a 429 between", [DOWN_ONCE, got("refused", 200), got("unavailable", 300)], 400, YES],
  ["after something was served between", [DOWN_TWICE, got("served", 3), got("unavailable", 100)], 200, YES],
  ["after an outage", [got("served", 0), got("unavailable", 1, 100, 200), got("unanswered", 300)], 400, NO],
])("a 503 %s", (_, events, second, expected) => {
  const nowMs = second * 1_000;
  expect(isRefusal(paceAfter(events.flat()), { is: "unavailable", nowMs })).toBe(expected);
});

test.each([
  ["refused", YES],
  ["served", NO],
  ["unanswered", NO],
] as const)("whatever was before, what is %s is as it says", (is, expected) => {
  for (const pace of [UNLIMITED, paceAfter([...got("served", 0), ...got("unavailable", 1)])])
    expect(isRefusal(pace, { is, nowMs: 2_000 })).toBe(expected);
});

test("an outage changes nothing, and lets the next request pass", () => {
  expect(paceAfter([[0, "unavailable", 5_000]])).toEqual(UNLIMITED);
  const limited = paceAfter([...got("served", 0), ...got("unavailable", 1, 100)]);
  expect(paceAfter([[200, "unavailable", 5_000]], limited)).toMatchObject({
    ...limited,
    nextMs: expect.anything(),
  });
});

test("the rate falls to one request in two seconds, and not lower", () => {
  const rates = [0, 4, 8, 12, 16].map((rounds) => {
    const events = Array.from({ length: rounds }, (_, round) => [
      ...got("served", round * 2 + 0.25),
      ...got("refused", round * 2 + 2),
    ]);
    return paceAfter([...got("refused", 0), ...events.flat()]).rate;
  });
  expect(rates.map((rate) => Number(rate.toFixed(2)))).toEqual([7, 2.87, 1.17, 0.5, 0.5]);
});
