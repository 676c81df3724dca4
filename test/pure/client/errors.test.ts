/** What the errors of calls say and have. */
import {
  AnswerError,
  type ClientError,
  ConflictError,
  ConnectionError,
  type FailureFacts,
  ForeignAnswerError,
  ReadOnlyError,
  RedirectError,
  TimeoutError,
} from "../../../provider/client";
import { serviceError } from "../../../provider/client/errors";

const FACTS: FailureFacts = {
  operation: "getProject",
  activity: "Reading the project",
  attempts: 1,
  requestId: "r",
  effect: "none",
};
const SOURCES = { apiKey: "the variable KEY", readOnly: "the variable READ_ONLY" };

test.each<[ClientError, string]>([
  [new TimeoutError(FACTS, "late"), "failed: late (request r)."],
  [new TimeoutError({ ...FACTS, attempts: 2 }, "late"), "failed after 2 attempts: late (request r)."],
  [new TimeoutError({ ...FACTS, attempts: 0, requestId: undefined }, "late"), "failed: late."],
  [new ConnectionError(FACTS, { reason: "reset" }), "failed: reset (request r)."],
  [
    serviceError(FACTS, { status: 404, messages: ["No.", "Really."] }),
    'failed: 404 Not Found, "No.", "Really." (request r).',
  ],
  [serviceError(FACTS, { status: 499, messages: [] }), "failed: 499 (request r)."],
  [
    new AnswerError(FACTS, { status: 200, problems: ["a", "b", "c", "d", "e"] }),
    "failed: 200 OK, but the response is invalid: a, b, c, d, e (request r).",
  ],
  [
    new AnswerError(FACTS, { status: 200, problems: ["a", "b", "c", "d", "e", "f", "g"] }),
    "failed: 200 OK, but the response is invalid: a, b, c, d, e, and 2 more (request r).",
  ],
  [
    new ForeignAnswerError(FACTS, { status: 404, problems: ["a", "b"] }),
    "failed: 404 Not Found, but not from the service: a, b (request r).",
  ],
  [
    new RedirectError(FACTS, { status: 302, location: "/x" }),
    'failed: 302 Found, a redirect to "/x", which is not followed (request r).',
  ],
  [
    new RedirectError(FACTS, { status: 302, location: undefined }),
    "failed: 302 Found, a redirect, which is not followed (request r).",
  ],
  [
    new ReadOnlyError({ ...FACTS, attempts: 0, requestId: undefined }),
    "failed: the client is read-only, so nothing was sent.",
  ],
])("%#: the message is complete", (error, message) => {
  expect(error.message).toBe(`Reading the project ${message}`);
});

test("an error has the facts of its call, and no `id`, which Pulumi would treat as that of a resource", () => {
  const error = new ConflictError(
    { ...FACTS, attempts: 2, effect: "unknown" },
    { status: 409, messages: [] },
  );
  expect(error.name).toBe("ConflictError");
  expect({ ...error }).toEqual({
    operation: "getProject",
    attempts: 2,
    requestId: "r",
    effect: "unknown",
    status: 409,
    messages: [],
    code: undefined,
  });
  expect(error.cause).toBeUndefined();
});

test.each<[ClientError, object]>([
  [serviceError({ ...FACTS, sources: SOURCES }, { status: 401, messages: [] }), { source: SOURCES.apiKey }],
  [
    serviceError({ ...FACTS, missingScope: "links:read" }, { status: 403, messages: [] }),
    { missingScope: "links:read" },
  ],
  [new ReadOnlyError({ ...FACTS, sources: SOURCES }), { source: SOURCES.readOnly }],
  [new ReadOnlyError(FACTS), { source: undefined }],
  [new ConnectionError(FACTS, { reason: "reset", permanentCause: "tls" }), { permanentCause: "tls" }],
])("%#: the error has %j", (error, expected) => {
  expect(error).toMatchObject(expected);
});
