/** What the outcome of a request is: a value, or an error of which class, and whether the service has sent it. */
import {
  AnswerError,
  AuthenticationError,
  BadRequestError,
  CancelledError,
  ConflictError,
  ConnectionError,
  type FailureFacts,
  ForbiddenError,
  ForeignAnswerError,
  NotFoundError,
  type OperationId,
  RateLimitError,
  RedirectError,
  ServiceError,
  TimeoutError,
  UpstreamError,
} from "../../../provider/client";
import type { HttpOutcome } from "../../../provider/client/http";
import { type Operation, operations } from "../../../provider/client/operations";
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
  wireLink,
  wireProject,
  wireSkin,
} from "../../protocol/client/support";

const SENT = "99999999-9999-4999-8999-999999999999";
const FACTS: FailureFacts = {
  operation: "getProject",
  activity: "Reading",
  attempts: 1,
  requestId: SENT,
  effect: "none",
};
const VALUES = {
  organizationId: ORGANIZATION,
  projectId: PROJECT,
  applicationId: APPLICATION,
  customDomainId: DOMAIN,
  linkId: LINK,
};

interface Response {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** An object is sent as JSON. Undefined: more than is read. */
  readonly body?: unknown;
}

function judged(outcome: HttpOutcome, operation: OperationId, more: Partial<ResultContext> = {}) {
  const result = resultOf(outcome, {
    operation: operations[operation],
    values: VALUES,
    requestId: SENT,
    isEchoing: false,
    sanitized: (text) => text.replaceAll("key", "***"),
    problemOf: () => undefined,
    ...more,
  });
  const fromService = result.response !== undefined;
  if (result.ok) return { fromService, value: result.value };
  return { fromService, error: result.error(FACTS) };
}

/** The result of a response with the id that was sent. */
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

describe("a success", () => {
  test.each(Object.keys(operations) as OperationId[])("of %s has its own status only", (operation) => {
    const expected = statusOf(operation);
    for (const status of [200, 201, 202, 203, 204].filter((each) => each !== expected))
      expect(resultFor({ status, body: "{" }, operation)).toMatchObject({
        fromService: false,
        error: { name: "AnswerError", problems: [`its status must be ${expected}`] },
      });
  });

  const json = JSON.stringify(wireProject);
  test.each<[string, Response]>([
    ["the id that was sent", { body: wireProject }],
    ["no id, because its content identifies it", { body: json, headers: { "x-request-id": undefined } }],
    ["another content type", { body: json, headers: { "content-type": "text/plain" } }],
  ])("can have %s", (_, response) => {
    expect(resultFor(response)).toEqual({ fromService: true, value: project });
  });

  test.each<[string, OperationId, Response, unknown]>([
    ["nothing", "deleteProject", { status: 204, body: "" }, undefined],
    ["a list", "listApplications", { body: { applications: [] } }, []],
  ])("has %s as its value", (_, operation, response, value) => {
    expect(resultFor(response, operation)).toEqual({ fromService: true, value });
  });
});

function nested(levels: number) {
  return "[".repeat(levels) + "]".repeat(levels);
}
const { id: _, ...domainWithoutId } = wireDomain;

test("a success keeps null and new fields of open objects, and drops other new fields", () => {
  const records = { records: [{ txt_name: "_acme", new_kind: [1] }], brand_new: 1 };
  const body = { ...wireDomain, cname_target: null, brand_new: 1, ssl_validation_records: records };
  const { value } = resultFor({ body }, "getCustomDomain");
  expect(value).toMatchObject({ cnameTarget: null, sslValidationRecords: { records: [{ new_kind: [1] }] } });
  for (const name of ["lastError", "brand_new", "brandNew", "sslValidationRecords.brand_new"])
    expect(value).not.toHaveProperty(name);
});

describe("an invalid success", () => {
  test.each<[string, Response, string[]]>([
    ["too much", {}, ["it is larger than 16777216 bytes"]],
    ["nothing", { body: "" }, ["it is empty"]],
    ["text", { body: "<html>" }, ["it is not JSON"]],
    [
      "a page",
      { body: "<", headers: { "content-type": "text/html; key" } },
      ["it is not JSON but text/html; ***"],
    ],
    ["broken JSON", { body: "{", headers: { "content-type": "application/JSON" } }, ["it is not JSON"]],
    ["null", { body: "null" }, ["it is not an object"]],
    ["a list", { body: [] }, ["it is not an object"]],
    [
      "wrong fields",
      { body: { ...wireProject, id: "x", sub_domain: undefined } },
      ["id is not a UUID", "sub_domain is missing"],
    ],
    ["a value in 101 levels", { body: `{"extra":${nested(101)}}` }, ["it is nested in more than 100 levels"]],
    ["more levels than a stack has", { body: nested(200_000) }, ["it is nested in more than 100 levels"]],
  ])("has %s", (_title, response, problems) => {
    const { fromService, error } = resultFor(response);
    expect(error).toBeInstanceOf(AnswerError);
    expect({ fromService, ...error }).toMatchObject({ fromService: false, problems, requestId: SENT });
  });

  test("is not one that is nested in 100 levels", () => {
    expect(resultFor({ body: { ...wireProject, extra: JSON.parse(nested(99)) } })).toHaveProperty("value");
  });

  test.each<[string, unknown[], string]>([
    ["wrong", Array(10_000).fill(domainWithoutId), "custom_domains[1].id is missing"],
    [
      "in another project",
      Array(10_000).fill({ ...wireDomain, project_id: OTHER }),
      `projectId is ${OTHER}, which was not requested`,
    ],
  ])("is a list with objects that are %s, of which only the first is shown", (_title, others, problem) => {
    const response = { body: { custom_domains: [wireDomain, ...others] } };
    expect(resultFor(response, "listCustomDomains")).toMatchObject({ error: { problems: [problem] } });
  });

  test("is one with a problem that the caller finds", () => {
    const problemOf = (value: unknown) => `it is ${(value as { id: string }).id}`;
    expect(resultFor({ body: wireProject }, "getProject", { problemOf })).toMatchObject({
      error: { problems: [`it is ${PROJECT}`] },
    });
  });

  const ABOUT: [OperationId, string, object][] = [
    ["getProject", "id", wireProject],
    ["updateProject", "id", wireProject],
    ["getApplication", "id", wireApplication],
    ["updateApplication", "id", wireApplication],
    ["getCustomDomain", "id", wireDomain],
    ["retryCustomDomain", "id", wireDomain],
    ["getLink", "id", wireLink],
    ["updateLink", "id", wireLink],
    ["createProject", "organizationId", { ...wireProject, organization_id: OTHER }],
    ["createApplication", "projectId", { ...wireApplication, project_id: OTHER }],
    ["getProjectSkin", "projectId", { ...wireSkin, project_id: OTHER }],
    ["listProjects", "organizationId", { projects: [{ ...wireProject, organization_id: OTHER }] }],
    ["listApplications", "projectId", { applications: [{ ...wireApplication, project_id: OTHER }] }],
    ["listProjectLinks", "projectId", { links: [{ ...wireLink, project_id: OTHER }], next_cursor: null }],
  ];
  test.each(ABOUT)("is one of %s with another %s than was requested", (operation, field, object) => {
    const body = field === "id" ? { ...object, id: OTHER } : object;
    const problems = [`${field} is ${OTHER}, which was not requested`];
    const response = { status: statusOf(operation), body };
    expect(resultFor(response, operation)).toMatchObject({ fromService: false, error: { problems } });
  });

  test("is not one with the same UUID in other letter case", () => {
    const values = { ...VALUES, projectId: PROJECT.toUpperCase() };
    const body = { ...wireProject, id: PROJECT };
    expect(resultFor({ body }, "getProject", { values })).toHaveProperty("value");
  });

  test.each(Object.entries<Operation>(operations))(
    "of %s is found by every field that repeats a parameter",
    (operation, { path, repeats = {}, response, unwrap = "links" }) => {
      const { [unwrap]: list, ...fields } = response?.fields ?? {};
      const names = Object.keys(list?.item?.fields ?? fields);
      const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => String(parameter));
      const isAboutOne = ABOUT.some(([one, field]) => one === operation && field === "id");
      const expected = [...(isAboutOne ? ["id"] : []), ...parameters.filter((each) => names.includes(each))];
      expect(Object.keys(repeats).sort()).toEqual(expected.sort());
      if (path.endsWith("}") && response !== undefined) expect(repeats).toHaveProperty("id");
    },
  );
});

function refusal(status: number, message: unknown, error?: unknown): Response {
  return { status, body: { statusCode: status, message, error } };
}

describe("an error of the service", () => {
  test.each([
    [400, BadRequestError],
    [401, AuthenticationError],
    [403, ForbiddenError],
    [404, NotFoundError],
    [409, ConflictError],
    [418, ServiceError],
    [429, RateLimitError],
    [499, ServiceError],
    [500, UpstreamError],
    [503, UpstreamError],
  ])("with status %i has its own class", (status, errorClass) => {
    const { fromService, error } = resultFor(refusal(status, "No.", "Reason"));
    expect(error?.constructor).toBe(errorClass);
    expect(error).toBeInstanceOf(ServiceError);
    const facts = { operation: "getProject", attempts: 1, requestId: SENT, effect: "none" };
    expect({ fromService, ...error }).toEqual({
      ...facts,
      fromService: true,
      status,
      messages: ["No."],
      code: "Reason",
      ...(status === 401 && { source: undefined }),
      ...(status === 403 && { missingScope: undefined }),
    });
    expect(error?.name).toBe(errorClass.name);
  });

  test.each<[string, unknown, unknown, string[], string | undefined]>([
    ["several messages", ["One.", "Two."], "Code", ["One.", "Two."], "Code"],
    ["an empty message among others", ["One.", ""], null, ["One."], undefined],
    ["no message", [], undefined, [], undefined],
    ["many messages", Array(50).fill("One."), "", Array(10).fill("One."), ""],
    ["a text that is sanitized", "a key", "key", ["a ***"], "***"],
  ])("can have %s", (_title, message, code, messages, shownCode) => {
    expect(resultFor(refusal(400, message, code))).toMatchObject({ error: { messages, code: shownCode } });
  });

  const NEITHER = "x-request-id is neither the id that was sent nor a UUID";
  test.each<[string, boolean, string | undefined, string | undefined]>([
    ["the id that was sent", false, SENT, undefined],
    ["the id that was sent", true, SENT, undefined],
    ["a UUID that the service has generated", false, OTHER, undefined],
    ["another id once the service returns ids", true, OTHER, "x-request-id is not the id that was sent"],
    ["another id", false, "r", NEITHER],
    ["no id", false, undefined, NEITHER],
  ])("has %s (returns ids: %s): %s", (_title, isEchoing, id, problem) => {
    const response = { ...refusal(404, "No."), headers: { "x-request-id": id } };
    const { fromService, error } = resultFor(response, "getProject", { isEchoing });
    expect(fromService).toBe(problem === undefined);
    expect(error).toMatchObject(
      problem === undefined
        ? { name: "NotFoundError", requestId: id }
        : { name: "ForeignAnswerError", requestId: SENT, problems: [problem] },
    );
  });
});

test.each([
  ["a generated UUID", OTHER, OTHER],
  ["another id", "r", SENT],
])("an invalid success with %s shows the id %s", (_title, id, requestId) => {
  expect(resultFor({ body: [], headers: { "x-request-id": id } })).toMatchObject({ error: { requestId } });
});

describe("an error that the service did not send", () => {
  const json = { statusCode: 404, message: "No." };
  test.each<[string, unknown, string[]]>([
    ["text", "{", ["it is not JSON"]],
    ["nothing", "", ["it is empty"]],
    ["too much", undefined, ["it is larger than 16777216 bytes"]],
    ["a list", [], ["statusCode is not 404", "message is not text"]],
    ["null", "null", ["statusCode is not 404", "message is not text"]],
    [
      "too many levels",
      { ...json, extra: JSON.parse(nested(101)) },
      ["it is nested in more than 100 levels"],
    ],
    ["another status", { ...json, statusCode: 410 }, ["statusCode is not 404"]],
    ["a status as text", { ...json, statusCode: "404" }, ["statusCode is not 404"]],
    ["no message", { statusCode: 404 }, ["message is not text"]],
    ["a message that is not text", { ...json, message: { text: "No." } }, ["message is not text"]],
    ["a message that is not all text", { ...json, message: ["No.", 2] }, ["message is not text"]],
    ["a name that is not text", { ...json, error: 404 }, ["error is not text"]],
  ])("has %s", (_title, body, problems) => {
    const { fromService, error } = resultFor({ status: 404, body });
    expect(error?.constructor).toBe(ForeignAnswerError);
    expect(error).not.toBeInstanceOf(ServiceError);
    expect({ fromService, ...error }).toMatchObject({ fromService: false, status: 404, problems });
  });

  test.each([400, 401, 403, 404, 409, 418, 429, 500, 502, 503, 504])("can have status %i", (status) => {
    expect(resultFor({ status, body: "<html>" })).toMatchObject({
      error: { name: "ForeignAnswerError", status },
    });
  });
});

test.each<[number, string | undefined, string]>([
  [300, undefined, "300 Multiple Choices, a redirect, which"],
  [302, "/key", '302 Found, a redirect to "/***", which'],
  [399, "", '399, a redirect to "", which'],
])("a response with status %i and the location %p is a redirect", (status, location, shown) => {
  const { fromService, error } = resultFor({ status, headers: { location } });
  expect(error).toBeInstanceOf(RedirectError);
  expect({ fromService, ...error }).toMatchObject({ fromService: false, status });
  expect(error?.message).toContain(`: ${shown}`);
});

test.each([
  [
    { kind: "failure", sent: true, reason: "the key", permanentCause: "tls" },
    ConnectionError,
    "the ***",
    "tls",
  ],
  [{ kind: "timeout", sent: true, reason: "late" }, TimeoutError, "late", undefined],
  [{ kind: "cancellation", sent: true, reason: "cancelled" }, CancelledError, "cancelled", undefined],
] as const)("without a response, %j has its own class", (outcome, errorClass, reason, permanentCause) => {
  const { fromService, error } = judged(outcome, "getProject");
  expect(error?.constructor).toBe(errorClass);
  expect(fromService).toBe(false);
  expect(error?.message).toContain(`: ${reason} (`);
  expect(Reflect.get(Object(error), "permanentCause")).toBe(permanentCause);
});
