/** Which attempts are retried, after which wait, and what is known about their effect. */
import type { Method } from "../../../provider/client";
import {
  answerOf,
  backoffMs,
  type Effect,
  effectOf,
  MAX_ATTEMPTS,
  MAX_RETRY_AFTER_MS,
  type Outcome,
  retryAfterMs,
  retryWaitMs,
} from "../../../provider/client/retry";

const notSent: Outcome = { kind: "failure", sent: false };
const broken: Outcome = { kind: "failure", sent: true };
const timedOut: Outcome = { kind: "timeout", sent: true };
const timedOutUnsent: Outcome = { kind: "timeout", sent: false };
const cancelled: Outcome = { kind: "cancellation", sent: true };

function answer(status: number, wait?: number, notFromService = false): Outcome {
  return { kind: "response", status, retryAfterMs: wait, notFromService };
}

function foreign(status: number, wait?: number): Outcome {
  return answer(status, wait, true);
}

const unreadable = answer(200);
const untrusted: Outcome = { kind: "failure", sent: false, permanentCause: "certificate" };
const YES = true;
const NO = false;

// Each row: the outcome of the attempt; then, for GET, for PUT, PATCH and DELETE, and for POST, whether it is retried
// and what is known about its effect.
const TABLE: [string, Outcome, [boolean, Effect], [boolean, Effect], [boolean, Effect]][] = [
  ["no connection", notSent, [YES, "none"], [YES, "none"], [YES, "none"]],
  ["an untrusted certificate", untrusted, [NO, "none"], [NO, "none"], [NO, "none"]],
  ["a time-out before sending", timedOutUnsent, [YES, "none"], [YES, "none"], [YES, "none"]],
  ["a broken connection", broken, [YES, "none"], [YES, "unknown"], [NO, "unknown"]],
  ["a time-out", timedOut, [YES, "none"], [YES, "unknown"], [NO, "unknown"]],
  ["a cancellation", cancelled, [NO, "none"], [NO, "unknown"], [NO, "unknown"]],
  ["an unreadable success", unreadable, [NO, "none"], [NO, "unknown"], [NO, "unknown"]],
  ["a redirect", answer(307), [NO, "none"], [NO, "unknown"], [NO, "unknown"]],
  ["400", answer(400), [NO, "none"], [NO, "none"], [NO, "none"]],
  ["404", answer(404), [NO, "none"], [NO, "none"], [NO, "none"]],
  ["409", answer(409), [NO, "none"], [NO, "none"], [NO, "none"]],
  ["429", answer(429), [YES, "none"], [YES, "none"], [YES, "none"]],
  ["500", answer(500), [NO, "none"], [NO, "unknown"], [NO, "unknown"]],
  ["502", answer(502), [YES, "none"], [YES, "unknown"], [NO, "unknown"]],
  ["502 with Retry-After", answer(502, 1000), [YES, "none"], [YES, "unknown"], [NO, "unknown"]],
  ["503", answer(503), [YES, "none"], [YES, "unknown"], [NO, "unknown"]],
  ["503 with Retry-After", answer(503, 1000), [YES, "none"], [YES, "none"], [YES, "none"]],
  ["503 with Retry-After now", answer(503, 0), [YES, "none"], [YES, "none"], [YES, "none"]],
  ["504", answer(504), [YES, "none"], [YES, "unknown"], [NO, "unknown"]],
  ["a foreign 409", foreign(409), [NO, "none"], [NO, "unknown"], [NO, "unknown"]],
  ["a foreign 429", foreign(429), [YES, "none"], [YES, "none"], [YES, "none"]],
  ["a foreign 503", foreign(503), [YES, "none"], [YES, "unknown"], [NO, "unknown"]],
  ["a foreign 503 with Retry-After", foreign(503, 0), [YES, "none"], [YES, "unknown"], [NO, "unknown"]],
];

const facts = { attempt: 1, leastMs: 10, remainingMs: 100_000 };

describe.each(TABLE)("after %s", (_, outcome, get, absolute, post) => {
  const rows: [Method, [boolean, Effect]][] = [
    ["GET", get],
    ["PUT", absolute],
    ["PATCH", absolute],
    ["DELETE", absolute],
    ["POST", post],
  ];
  test.each(rows)("the retry and the effect of a %s are as in the table", (method, [retry, effect]) => {
    expect(retryWaitMs({ ...facts, method, outcome }) !== undefined).toBe(retry);
    expect(effectOf(method, 1, outcome)).toBe(effect);
  });
});

test("a conflict on a retried POST leaves its effect unknown", () => {
  expect(effectOf("POST", 2, answer(409))).toBe("unknown");
  expect(effectOf("PATCH", 2, answer(409))).toBe("none");
  expect(effectOf("POST", 2, answer(400))).toBe("none");
  expect(retryWaitMs({ ...facts, attempt: 2, method: "POST", outcome: answer(409) })).toBeUndefined();
});

test.each<[string, Outcome, ReturnType<typeof answerOf>]>([
  ["no response", broken, { is: "unanswered" }],
  ["a success", answer(200), { is: "served" }],
  ["an error of the service", answer(404, 1000), { is: "served" }],
  ["its 503 with Retry-After", answer(503, 1000), { is: "served" }],
  ["429", answer(429), { is: "refused" }],
  ["429 with Retry-After", answer(429, 1000), { is: "refused", retryAfterMs: 1000 }],
  ["a foreign 429", foreign(429, 1000), { is: "refused", retryAfterMs: 1000 }],
  ["a foreign 503", foreign(503), { is: "unavailable" }],
  ["a foreign 503 with Retry-After", foreign(503, 1000), { is: "unavailable", retryAfterMs: 1000 }],
  ["a foreign success", foreign(200), { is: "unanswered" }],
])("what %s says about the rate limit", (_, outcome, expected) => {
  expect(answerOf(outcome)).toEqual(expected);
});

const unavailable = answer(503);

test.each<[string, number | undefined, Partial<Parameters<typeof retryWaitMs>[0]>]>([
  ["the backoff", 10, {}],
  ["Retry-After, if that is longer", 2000, { outcome: answer(503, 2000) }],
  ["the backoff, if that is longer", 10, { outcome: answer(503, 0) }],
  ["limited, whatever Retry-After is", MAX_RETRY_AFTER_MS, { outcome: answer(429, 3_600_000) }],
  ["short enough for another attempt", 10, { remainingMs: 11 }],
  ["none if no time is left", undefined, { remainingMs: 10 }],
  ["none if Retry-After leaves no time", undefined, { outcome: answer(429, 5000), remainingMs: 5000 }],
  ["the same before the last attempt", 10, { attempt: MAX_ATTEMPTS - 1 }],
  ["none after the last attempt", undefined, { attempt: MAX_ATTEMPTS }],
  ["the same before the last attempt of the call", 10, { attempt: 1, maxAttempts: 2 }],
  ["none after the last attempt of the call", undefined, { attempt: 2, maxAttempts: 2 }],
])("the wait is %s: %p ms", (_, expected, more) => {
  expect(retryWaitMs({ ...facts, method: "GET", outcome: unavailable, ...more })).toBe(expected);
});

test.each([
  ["the smallest random number", 0, [250, 500, 1000, 2000, 4000, 5000, 5000]],
  ["the largest random number", 1, [500, 1000, 2000, 4000, 8000, 10_000, 10_000]],
])("waits double up to a cap, with %s", (_, chance, expected) => {
  const waits = expected.map((_, index) => backoffMs(index + 1, () => chance));
  expect(waits).toEqual(expected);
});

const NOW_MS = Date.UTC(2025, 0, 2, 3, 4, 5);

test.each<[string, number | undefined]>([
  ["0", 0],
  ["120", 120_000],
  [" 2 ", 2000],
  ["1.25", 1250],
  ["5 s", undefined],
  ["Thu, 02 Jan 2025 03:04:15 GMT", 10_000],
  ["Thu, 02 Jan 2025 03:04:04 GMT", 0],
  ["Thursday, 02-Jan-25 03:04:15 GMT", 10_000],
  ["02-Jan-2025 03:04:15 GMT", undefined],
  ["x, 02 Jan 2025 03:04:15 GMT", undefined],
  ["-5", undefined],
  ["", undefined],
])("Retry-After %j is a wait of %p ms", (header, expected) => {
  expect(retryAfterMs(header, NOW_MS)).toBe(expected);
});
