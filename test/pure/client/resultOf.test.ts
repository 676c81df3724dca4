import { type FailureFacts, type OperationId, ServiceError } from "../../../provider/client";
import type { HttpOutcome } from "../../../provider/client/connection/http";
import { operations } from "../../../provider/client/operations";
import { type ResultContext, resultOf } from "../../../provider/client/resultOf";
import {
  APPLICATION,
  DOMAIN,
  LINK,
  ORGANIZATION,
  OTHER,
  PROJECT,
  project,
  wireApplication,
  wireDomain,
  wireProject,
} from "../../support/values/wireObjects";

const { created_at: AT } = wireProject;
const SENT = "99999999-9999-4999-8999-999999999999";
const FACTS: FailureFacts = {
  operation: "getProject",
  activity: "Reading",
  attempts: 1,
  requestId: SENT,
  effect: "none",
  sources: { apiKey: "the variable KEY" },
  missingScope: "links:read",
};
const VALUES = {
  organizationId: ORGANIZATION,
  projectId: PROJECT,
  applicationId: APPLICATION,
  customDomainId: DOMAIN,
  linkId: LINK,
};

const wireLink = {
  id: LINK,
  organization_id: ORGANIZATION,
  project_id: PROJECT,
  custom_domain_id: null,
  domain_type: "DEFAULT",
  hostname: "shop.links.example",
  suffix: "sale",
  short_url: null,
  dynamic_link_url: "https://shop.example/sale",
  dynamic_link_name: "Sale",
  apple_options: null,
  android_options: { sha256: "dropped", application_info: { sha256_fingerprint: "AA" } },
  applications: { apple: null, android: null },
  additional_options: null,
  stats_flag: false,
  created_at: AT,
  updated_at: null,
};

const wireSkin = {
  id: OTHER,
  organization_id: ORGANIZATION,
  project_id: PROJECT,
  theme_type: "basic",
  theme_choice_type: "dark",
  default_hookup_msg: null,
  created_at: AT,
  updated_at: AT,
};

function judged(outcome: HttpOutcome, operation: OperationId, more: Partial<ResultContext> = {}) {
  const result = resultOf(outcome, {
    operation: operations[operation],
    values: VALUES,
    sanitized: (text) => text.replaceAll("key", "***"),
    ...more,
  });
  const fromService = result.response !== undefined;
  if (result.ok) return { fromService, value: result.value };
  const error = result.error(FACTS);
  const { name } = error.constructor;
  const { message } = error;
  return { fromService, isOfService: error instanceof ServiceError, ...error, name, message };
}

interface Response {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** An object is sent as JSON. Undefined: more than is read. */
  readonly body?: unknown;
}

function resultFor(response: Response, operation: OperationId = "getProject", more?: Partial<ResultContext>) {
  const { status = 200, body } = response;
  const headers: Response["headers"] = { "x-request-id": SENT, ...response.headers };
  const text = typeof body === "object" ? JSON.stringify(body) : (body as string | undefined);
  return judged({ kind: "response", status, header: (name) => headers[name], body: text }, operation, more);
}

function statusOf(operation: OperationId): number {
  if (operation.startsWith("create")) return 201;
  return operation.startsWith("delete") ? 204 : 200;
}

test.each(Object.keys(operations) as OperationId[])("%s succeeds with its own status only", (operation) => {
  const expected = statusOf(operation);
  for (const status of [200, 201, 202, 203, 204].filter((each) => each !== expected))
    expect(resultFor({ status, body: "{" }, operation)).toMatchObject({
      fromService: false,
      name: "InvalidResponseError",
      problems: [`its status must be ${expected}`],
    });
});

test.each<[string, OperationId, Response, unknown]>([
  ["no id", "getProject", { body: wireProject, headers: { "x-request-id": undefined } }, project],
  ["another content type", "getProject", { body: wireProject, headers: { "content-type": "a" } }, project],
  ["nothing", "deleteProject", { status: 204, body: "" }, undefined],
  ["a list", "listApplications", { body: { applications: [] } }, []],
])("a success can have %s", (_, operation, response, value) => {
  expect(resultFor(response, operation)).toEqual({ fromService: true, value });
});

test("a success keeps null and new fields of open objects, and drops other new fields", () => {
  const records = { records: [{ txt_name: "_acme", new_kind: [1] }], brand_new: 1 };
  const body = { ...wireDomain, cname_target: null, brand_new: 1, ssl_validation_records: records };
  const { value } = resultFor({ body }, "getCustomDomain");
  expect(value).toMatchObject({ cnameTarget: null, sslValidationRecords: { records: [{ new_kind: [1] }] } });
  for (const name of ["lastError", "brand_new", "brandNew", "sslValidationRecords.brand_new"])
    expect(value).not.toHaveProperty(name);
});

test.each<[string, unknown, string, string?]>([
  ["too much", undefined, "it is larger than 16777216 bytes", ""],
  ["nothing", "", "it is empty", ""],
  ["text", "<html>", "it is not JSON", ""],
  ["a page", "<html>", "it is not JSON but text/html; ***", "text/html; key"],
  ["broken JSON", "{", "it is not JSON", "application/JSON"],
])("neither a success nor an error of the service has %s", (_, body, problem, type) => {
  const response = { body, headers: { "content-type": type || undefined } };
  const expected = { fromService: false, problems: [problem], requestId: SENT };
  expect(resultFor(response)).toMatchObject({ ...expected, name: "InvalidResponseError" });
  expect(resultFor({ ...response, status: 404 })).toMatchObject({
    ...expected,
    name: "UnrecognizedResponseError",
  });
});

const { id: _id, ...domainWithoutId } = wireDomain;
const SUFFIX = "suffix is not text";
const elsewhere = { ...wireDomain, project_id: OTHER };

function domains(other: object) {
  return { custom_domains: [wireDomain, ...Array(10_000).fill(other)] };
}

test.each<[string, OperationId, unknown, string[]]>([
  ["a list", "getProject", [], ["it is not an object"]],
  ["wrong fields", "getLink", { ...wireLink, id: "x", suffix: 1 }, ["id is not a UUID", SUFFIX]],
  ["wrong objects", "listCustomDomains", domains(domainWithoutId), ["custom_domains[1].id is missing"]],
  ["others", "listCustomDomains", domains(elsewhere), [`projectId is ${OTHER}, which was not requested`]],
])("a success does not have %s", (_, operation, body, problems) => {
  expect(resultFor({ body }, operation)).toMatchObject({
    fromService: false,
    name: "InvalidResponseError",
    problems,
  });
});

/** Objects, and lists of them, that are not about what was requested. */
const ABOUT: [OperationId, string, object][] = [
  ["updateProject", "id", { ...wireProject, id: OTHER }],
  ["getApplication", "id", { ...wireApplication, id: OTHER }],
  ["retryCustomDomain", "id", { ...wireDomain, id: OTHER }],
  ["getLink", "id", { ...wireLink, id: OTHER }],
  ["createProject", "organizationId", { ...wireProject, organization_id: OTHER }],
  ["getProjectSkin", "projectId", { ...wireSkin, project_id: OTHER }],
  ["listProjects", "organizationId", { projects: [{ ...wireProject, organization_id: OTHER }] }],
  ["listApplications", "projectId", { applications: [{ ...wireApplication, project_id: OTHER }] }],
  ["listProjectLinks", "projectId", { links: [{ ...wireLink, project_id: OTHER }], next_cursor: null }],
];

test.each(ABOUT)("a success of %s has the %s that was requested", (operation, field, body) => {
  expect(resultFor({ status: statusOf(operation), body }, operation)).toMatchObject({
    fromService: false,
    problems: [`${field} is ${OTHER}, which was not requested`],
  });
});

test("the letter case of a UUID that was requested does not matter", () => {
  const values = { ...VALUES, linkId: LINK.replaceAll("5", "A") };
  const body = { ...wireLink, id: values.linkId.toLowerCase() };
  expect(resultFor({ body }, "getLink", { values })).toHaveProperty("value");
});

function refusal(status: number, message: unknown, error?: unknown): Response {
  return { status, body: { statusCode: status, message, error } };
}

test.each<[number, string]>([
  [400, "BadRequestError"],
  [401, "AuthenticationError"],
  [403, "ForbiddenError"],
  [404, "NotFoundError"],
  [409, "ConflictError"],
  [429, "RateLimitError"],
  [499, "ServiceError"],
  [500, "UpstreamError"],
])("an error of the service with status %i has its own class, %s", (status, name) => {
  expect(resultFor(refusal(status, "No.", "Reason"))).toEqual({
    fromService: true,
    isOfService: true,
    name,
    message: expect.any(String),
    operation: "getProject",
    attempts: 1,
    requestId: SENT,
    effect: "none",
    status,
    messages: ["No."],
    code: "Reason",
    missingScope: FACTS.missingScope,
    sources: FACTS.sources,
  });
  // Whatever its status, a page is not from the service.
  const foreign = { fromService: false, isOfService: false, name: "UnrecognizedResponseError", status };
  expect(resultFor({ status, body: "<html>" })).toMatchObject(foreign);
});

test.each<[string, unknown, unknown, string[], string | undefined]>([
  ["several messages", ["One.", "Two."], "Code", ["One.", "Two."], "Code"],
  ["an empty message among others", ["One.", ""], null, ["One."], undefined],
  ["many messages", Array(50).fill("One."), "", Array(10).fill("One."), ""],
  ["a text that is sanitized", "a key", "key", ["a ***"], "***"],
])("an error of the service can have %s", (_, message, code, messages, shownCode) => {
  expect(resultFor(refusal(400, message, code))).toMatchObject({ messages, code: shownCode });
});

test.each<[string, object, string[]]>([
  ["a list", [], ["statusCode is not 404", "message is not text"]],
  ["another status", { statusCode: 410, message: "No." }, ["statusCode is not 404"]],
  ["a status as text", { statusCode: "404", message: "No." }, ["statusCode is not 404"]],
  ["no message", { statusCode: 404 }, ["message is not text"]],
  ["a message that is not all text", { statusCode: 404, message: ["No.", 2] }, ["message is not text"]],
  ["a name that is not text", { statusCode: 404, message: "No.", error: 404 }, ["error is not text"]],
])("an error of the service does not have %s", (_, body, problems) => {
  const expected = { fromService: false, name: "UnrecognizedResponseError", problems };
  expect(resultFor({ status: 404, body })).toMatchObject(expected);
});

test.each<[string | undefined, boolean]>([
  [SENT, true],
  [OTHER, true],
  ["r", false],
  [undefined, false],
])("an error with the id %s is one of the service: %s", (id, fromService) => {
  const response = { ...refusal(404, "No."), headers: { "x-request-id": id } };
  const problems = ["x-request-id is neither the id that was sent nor a UUID"];
  expect(resultFor(response)).toMatchObject(
    fromService
      ? { fromService, name: "NotFoundError", requestId: id }
      : { fromService, name: "UnrecognizedResponseError", requestId: SENT, problems },
  );
  // The service's support can find a request by its generated id, whatever is wrong with the response.
  const requestId = fromService ? id : SENT;
  const { headers } = response;
  expect(resultFor({ body: [], headers })).toMatchObject({ name: "InvalidResponseError", requestId });
});

test.each<[number, string | undefined, string]>([
  [300, undefined, "a redirect, which"],
  [302, "/key", 'a redirect to "/***", which'],
  [399, "", 'a redirect to "", which'],
])("a response with status %i and the location %j is a redirect", (status, location, shown) => {
  expect(resultFor({ status, headers: { location } })).toMatchObject({
    fromService: false,
    name: "RedirectError",
    status,
    message: expect.stringContaining(shown),
  });
});

test.each<[HttpOutcome, object]>([
  [
    { kind: "failure", sent: true, reason: "the key", permanentCause: "tls" },
    { name: "ConnectionError", permanentCause: "tls", message: `Reading failed: the *** (request ${SENT}).` },
  ],
  [{ kind: "timeout", sent: true, reason: "late" }, { name: "TimeoutError" }],
  [{ kind: "cancellation", sent: true, reason: "cancelled" }, { name: "CancelledError" }],
])("without a response, %j is %j", (outcome, expected) => {
  expect(judged(outcome, "getProject")).toMatchObject({ ...expected, fromService: false });
});
