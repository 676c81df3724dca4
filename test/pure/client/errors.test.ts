/** What the messages of errors say about calls. Their classes and fields are tested with the responses that cause them. */
import {
  type ClientError,
  type FailureFacts,
  InvalidResponseError,
  ReadOnlyError,
  ServiceError,
  TimeoutError,
  UnrecognizedResponseError,
} from "../../../provider/client";

const FACTS: FailureFacts = {
  operation: "getProject",
  activity: "Reading the project",
  attempts: 1,
  requestId: "r",
  effect: "none",
};
const NOT_SENT = { ...FACTS, attempts: 0, requestId: undefined };
const TWO = ["No.", "So."];
const FIVE = ["a", "b", "c", "d", "e"];
const SEVEN = [...FIVE, "f", "g"];
const UNRECOGNIZED = new UnrecognizedResponseError(FACTS, { status: 404, problems: TWO });

function invalid(problems: readonly string[]) {
  return new InvalidResponseError(FACTS, { status: 200, problems });
}

test.each<[string, ClientError]>([
  ["failed: late (request r).", new TimeoutError(FACTS, "late")],
  ["failed after 2 attempts: late (request r).", new TimeoutError({ ...FACTS, attempts: 2 }, "late")],
  ["failed: late.", new TimeoutError(NOT_SENT, "late")],
  [
    'failed: 404 Not Found, "No.", "So." (request r).',
    new ServiceError(FACTS, { status: 404, messages: TWO }),
  ],
  ["failed: 499 (request r).", new ServiceError(FACTS, { status: 499, messages: [] })],
  ["failed: 200 OK, but the response is invalid: a, b, c, d, e (request r).", invalid(FIVE)],
  ["failed: 200 OK, but the response is invalid: a, b, c, d, e, and 2 more (request r).", invalid(SEVEN)],
  ["failed: 404 Not Found, but not from the service: No., So. (request r).", UNRECOGNIZED],
  ["failed: the client is read-only, so nothing was sent.", new ReadOnlyError(NOT_SENT)],
])("%s", (message, error) => {
  expect(error.message).toBe(`Reading the project ${message}`);
});

test.each([{ readOnly: "the variable READ_ONLY" }, undefined])(
  "the error of a read-only client has its source, for %j",
  (sources) => {
    expect(new ReadOnlyError({ ...NOT_SENT, sources }).sources).toEqual(sources ?? {});
  },
);
