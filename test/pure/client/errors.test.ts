/**
 * What the messages of errors say about calls, and what they advise. Their classes and fields are tested with the responses
 * that cause them.
 */
import * as errors from "../../../provider/client/errors";
import { UserError } from "../../../provider/errors";
import { explain } from "../../../provider/lifecycle/explain";

const { InvalidResponseError, ReadOnlyError, ServiceError, TimeoutError, UnrecognizedResponseError } = errors;
type ClientError = errors.ClientError;
type FailureFacts = errors.FailureFacts;

const FACTS: FailureFacts = {
  operation: "getProject",
  activity: "Reading the project",
  attempts: 1,
  requestId: "r",
  effect: "none",
};
const NOT_SENT = { ...FACTS, attempts: 0, requestId: undefined };
const TWO = ["No.", "So."];
const MISSING = { status: 404, messages: TWO };
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
  ['failed: 404 Not Found, "No.", "So." (request r).', new ServiceError(FACTS, MISSING)],
  ["failed: 499 (request r).", new ServiceError(FACTS, { status: 499, messages: [] })],
  ["failed: 200 OK, but the response is invalid: a, b, c, d, e (request r).", invalid(FIVE)],
  ["failed: 200 OK, but the response is invalid: a, b, c, d, e, and 2 more (request r).", invalid(SEVEN)],
  ["failed: 404 Not Found, but not from the service: No., So. (request r).", UNRECOGNIZED],
  ["failed: the client is read-only, so nothing was sent.", new ReadOnlyError(NOT_SENT)],
])("%s", (message, error) => {
  expect(error.message).toBe(`Reading the project ${message}`);
});

const SOURCES = { apiKey: "KEY", readOnly: "READ_ONLY", check: " Check." };
const REFUSAL = { status: 400, messages: [] };
const LOST = { reason: "reset" };

/** The facts of a call of an operation, whose settings have sources. */
function facts(operation: FailureFacts["operation"] = "getProject"): FailureFacts {
  return { ...FACTS, operation, sources: SOURCES };
}

/** Beside those in the accepted messages of test/scenarios/messages. */
test.each<[RegExp, ClientError]>([
  [/revoked\. Set a valid key of the service at apiUrl\.$/, new errors.AuthenticationError(FACTS, REFUSAL)],
  [/scope a, .* Check\.$/, new errors.ForbiddenError({ ...facts(), missingScope: "a" as never }, REFUSAL)],
  [/\nSomething else in the service conflicts/, new errors.ConflictError(facts("deleteProject"), REFUSAL)],
  [/may forbid this operation/, new errors.ForbiddenError(facts(), REFUSAL)],
  [/turned on by readOnly\./, new ReadOnlyError(FACTS)],
  [/to the service's support/, new errors.BadRequestError(facts("checkProjectNameAvailability"), REFUSAL)],
  [/NODE_EXTRA_CA_CERTS/, new errors.ConnectionError(facts(), { ...LOST, permanentCause: "certificate" })],
  [/does not speak TLS/, new errors.ConnectionError(facts(), { ...LOST, permanentCause: "tls" })],
  [/\nCheck apiUrl, the network/, new TimeoutError(facts(), "late")],
  [/\nRun `pulumi refresh`/, new errors.NotFoundError(facts("deleteProject"), REFUSAL)],
  [/\nThe organization of the API key does not/, new errors.NotFoundError(facts("createProject"), REFUSAL)],
  [/\nCheck its projectId/, new errors.NotFoundError(facts("createCustomDomain"), REFUSAL)],
  [/\nCheck its projectId/, new errors.NotFoundError(facts("createApplication"), REFUSAL)],
  [/no API at this URL/, new errors.NotFoundError(facts("getCurrentApiCredential"), REFUSAL)],
  [/blocked\. .* Check\.$/, new errors.ForbiddenError(facts("getCurrentApiCredential"), REFUSAL)],
  [/Pro entitlement/, new errors.ForbiddenError(facts("createCustomDomain"), REFUSAL)],
  [/^.*\nCorrect in the program/, new errors.BadRequestError(facts("saveProjectSkin"), REFUSAL)],
  [/turned on by READ_ONLY\./, new ReadOnlyError(facts())],
])("the advice is %s", (advice, error) => {
  const explained = explain(error);
  expect(explained).toBeInstanceOf(UserError);
  expect(explained.cause).toBe(error);
  expect(explained.message).toMatch(advice);
});

test("any other error is as it was", () => {
  const defect = new TypeError("broken");
  expect(explain(defect)).toBe(defect);
  expect(explain("broken")).toEqual(new UserError("broken"));
});
