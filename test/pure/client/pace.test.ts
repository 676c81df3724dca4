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

function paceAfter(events: readonly Event[], before = UNLIMITED): Pace {
  return events.reduce((pace, [second, is, retryAfterMs]) => {
    const nowMs = second * 1_000;
    return afterAnswer(afterSending(pace, nowMs), { sentAtMs: nowMs, nowMs, is, retryAfterMs });
  }, before);
}

const YES = true;
const NO = false;
const MINUTE_MS = 60_000;

// Each row: the responses before, when the one in question comes, and whether it is a refusal if it is a 503 that the
// service did not send.
test.each<[string, readonly Event[], number, boolean]>([
  ["at first", [], 0, NO],
  ["after no response", [[0, "unanswered"]], 1, NO],
  ["after another one", [[0, "unavailable"]], 1, NO],
  ["after something was served", [[0, "served"]], 1, YES],
  ["a minute after something was served", [[0, "served"]], 60, YES],
  ["later", [[0, "served"]], 60.001, NO],
  [
    "a minute after the last that was served",
    [
      [0, "served"],
      [40, "served"],
    ],
    100,
    YES,
  ],
  ["after a 429", [[0, "refused"]], 1, YES],
  [
    "after two 429",
    [
      [0, "refused"],
      [60, "refused"],
    ],
    120,
    YES,
  ],
  ["long after a 429", [[0, "refused"]], 1_000, YES],
  [
    "as the second after a 429",
    [
      [0, "refused"],
      [100, "unavailable"],
    ],
    200,
    YES,
  ],
  [
    "as the third after a 429",
    [
      [0, "refused"],
      [100, "unavailable"],
      [200, "unavailable"],
    ],
    300,
    NO,
  ],
  [
    "as the second",
    [
      [0, "served"],
      [1, "unavailable"],
    ],
    100,
    YES,
  ],
  [
    "as the third",
    [
      [0, "served"],
      [1, "unavailable"],
      [100, "unavailable"],
    ],
    200,
    NO,
  ],
  [
    "as one of many, soon",
    [
      [0, "served"],
      [1, "unavailable"],
      [2, "unavailable"],
      [4, "unavailable"],
    ],
    8,
    YES,
  ],
  [
    "as one of many in flight",
    [
      [0, "served"],
      [1, "unavailable"],
      [1, "unavailable"],
      [1, "unavailable"],
    ],
    100,
    YES,
  ],
  [
    "after a 429 between",
    [
      [0, "refused"],
      [100, "unavailable"],
      [200, "refused"],
      [300, "unavailable"],
    ],
    400,
    YES,
  ],
  [
    "after something was served between",
    [
      [0, "served"],
      [1, "unavailable"],
      [2, "unavailable"],
      [3, "served"],
      [100, "unavailable"],
    ],
    200,
    YES,
  ],
  [
    "after an outage",
    [
      [0, "served"],
      [1, "unavailable"],
      [100, "unavailable"],
      [200, "unavailable"],
      [300, "unanswered"],
    ],
    400,
    NO,
  ],
])("a 503 %s", (_, events, second, expected) => {
  const nowMs = second * 1_000;
  expect(isRefusal(paceAfter(events), { is: "unavailable", nowMs })).toBe(expected);
});

test.each([
  ["refused", YES],
  ["served", NO],
  ["unanswered", NO],
] as const)("whatever was before, what is %s is as it says", (is, expected) => {
  for (const pace of [
    UNLIMITED,
    paceAfter([
      [0, "served"],
      [1, "unavailable"],
    ]),
  ])
    expect(isRefusal(pace, { is, nowMs: 2_000 })).toBe(expected);
});

test("an outage changes nothing, and lets the next request pass", () => {
  expect(paceAfter([[0, "unavailable", 5_000]])).toEqual(UNLIMITED);
  const limited = paceAfter([
    [0, "served"],
    [1, "unavailable"],
    [100, "unavailable"],
  ]);
  expect(paceAfter([[200, "unavailable", 5_000]], limited)).toMatchObject({
    ...limited,
    nextMs: expect.anything(),
  });
});

test("the rate falls to one request in two seconds, and not lower", () => {
  const rates = [0, 4, 8, 12, 16].map((rounds) => {
    const events = Array.from({ length: rounds }, (_, round): readonly Event[] => [
      [round * 2 + 0.25, "served"],
      [round * 2 + 2, "refused"],
    ]);
    return paceAfter([[0, "refused"], ...events.flat()]).rate;
  });
  expect(rates.map((rate) => Number(rate.toFixed(2)))).toEqual([7, 2.87, 1.17, 0.5, 0.5]);
});

test.each(["refused", "unavailable"] as const)(
  "whatever Retry-After is, what is %s pauses for at most a minute",
  (is) => {
    const before = paceAfter([[0, "served"]]);
    expect(paceAfter([[1, is, 2 * MINUTE_MS]], before)).toMatchObject({
      pauseMs: MINUTE_MS,
      nextMs: 1_000 + MINUTE_MS,
    });
    expect(paceAfter([[1, is, MINUTE_MS - 1]], before)).toMatchObject({ pauseMs: MINUTE_MS - 1 });
  },
);
