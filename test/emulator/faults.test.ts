/** Faults: what a client receives, whether the operation has an effect, and which requests they apply to. */
import { STATUS_CODES } from "node:http";
import type { Fault } from "../../testing/emulator";
import { exchange, expectAnswer, KEY, NOWHERE, OWN, paths, useService } from "./service";

const REQUEST_ID = "id-of-the-request";
const service = useService();
const { get, post } = service;

function inject(effect: Fault["effect"], more: Omit<Fault, "effect"> = {}): void {
  service.emulator.inject({ ...more, effect });
}

function create() {
  return post(paths.projects, { project_name: "New" });
}

function expectCreated(expected: boolean): void {
  expect(service.emulator.state.projects.some(({ name }) => name === "New")).toBe(expected);
}

/** What a client receives for one request, including a broken connection. */
function raw(method: string, path: string, body?: unknown, signal?: AbortSignal) {
  return exchange(`${service.emulator.url}/api/v2${path}`, {
    method,
    headers: { "x-api-key": KEY, "content-type": "application/json", "x-request-id": REQUEST_ID },
    body: JSON.stringify(body),
    signal,
  });
}

function rawCreate(signal?: AbortSignal) {
  return raw("POST", paths.projects, { project_name: "New" }, signal);
}

function without(name: string): unknown {
  return expect.not.objectContaining({ [name]: expect.anything() });
}

function error(statusCode: number, message: unknown = "Injected fault."): object {
  return {
    status: statusCode,
    text: JSON.stringify({ statusCode, message, error: STATUS_CODES[statusCode] }),
  };
}

const DATE = "Wed, 21 Oct 2030 07:28:00 GMT";
const LOCATION = "https://other.example/x";
const CUT_OFF = expect.stringMatching(/^\{"id":"[^}]+$/);
const CHANGED = expect.stringMatching(/^\{"id":.*"project_name":"Another".*"shade":"dark"\}$/);
const OTHER = expect.stringContaining(OWN.project);
const HTML = "<!doctype html><title>404</title>";
const PAGE = { foreign: 503, text: "{}", retryAfter: 7 };

function changed(body: unknown): object {
  return { ...Object(body), project_name: "Another", shade: "dark" };
}

test.each<[effect: Fault["effect"], received: object, created: boolean]>([
  [{ status: 503 }, { ...error(503), headers: without("retry-after") }, false],
  [{ status: 418 }, { ...error(418), headers: { "x-request-id": REQUEST_ID } }, false],
  [{ status: 429, retryAfter: DATE }, { ...error(429), headers: { "retry-after": DATE } }, false],
  [{ status: 400, message: "Slow down." }, error(400, "Slow down."), false],
  [{ status: 500, afterEffect: true }, error(500), true],
  [{ reset: "before" }, { text: "", error: "ECONNRESET" }, false],
  [{ reset: "after" }, { text: "", error: "ECONNRESET" }, true],
  [{ malformed: true }, { status: 201, text: '{"not": JSON' }, true],
  [{ truncated: true }, { status: 201, text: CUT_OFF, error: "ECONNRESET" }, true],
  [{ redirect: LOCATION }, { status: 302, headers: { location: LOCATION } }, false],
  [{ body: null, status: 202 }, { status: 202, text: "null" }, true],
  [{ body: changed }, { status: 201, text: CHANGED }, true],
  [{ object: OWN.project, afterEffect: true }, { status: 201, text: OTHER }, true],
  [{ foreign: 404 }, { status: 404, text: HTML, headers: without("x-request-id") }, false],
  [{ foreign: 404 }, { status: 404, headers: { "content-type": "text/html" } }, false],
  [PAGE, { status: 503, text: "{}", headers: { "retry-after": "7" } }, false],
  [{ ...PAGE, echoRequestId: true, afterEffect: true }, { headers: { "x-request-id": REQUEST_ID } }, true],
])("the effect of a fault is %j", async (effect, received, created) => {
  inject(effect);
  const answer = await rawCreate();
  expect(answer).toMatchObject(received);
  expectCreated(created);
  const { status, error } = answer;
  expect(service.emulator.requests).toMatchObject([{ status: error === undefined ? status : null }]);
});

test("a delay precedes the effect and the answer", async () => {
  inject({ delayMs: 250 }, { operation: "createProject" });
  const answer = create();
  expect((await get(paths.projects)).body.projects).toHaveLength(2);
  await expectAnswer(answer, 201);
  expectCreated(true);
});

test.each([false, true])("a request that hangs has no answer, but maybe its effect", async (afterEffect) => {
  inject({ hang: true, afterEffect }, { operation: "createProject" });
  const cancel = new AbortController();
  const answer = rawCreate(cancel.signal);
  // The next request arrives after the first one was received.
  while (service.emulator.faultsUsed.length === 0) await get(paths.projects);
  cancel.abort();
  expect(await answer).toMatchObject({ error: "ABORT_ERR" });
  expectCreated(afterEffect);
  const hung = service.emulator.requests.find(({ operationId }) => operationId === "createProject");
  expect(hung?.status).toBeNull();
});

test.each([{ malformed: true }, { truncated: true }, { body: {} }] as const)(
  "an answer without content gets content to which the fault applies: %j",
  async (effect) => {
    const { id } = service.emulator.createProject(OWN.organization, { name: "New" });
    inject(effect);
    expect(await raw("DELETE", `${paths.projects}/${id}`)).toMatchObject({ status: 200 });
    expectCreated(false);
  },
);

test.each([
  [OWN.secondProject, paths.secondProject],
  [OWN.ios, paths.ios],
  [OWN.domain, paths.domain],
  [OWN.link, paths.link],
])("the result of a create can be the object %s, in place of its own", async (object, path) => {
  const shown = (await get(path)).body;
  inject({ object: object.toUpperCase() });
  await expectAnswer(create(), 201, shown);
  expectCreated(false);
});

test("a result that does not exist is a 500", async () => {
  inject({ object: NOWHERE });
  await expectAnswer(create(), 500, `The emulator failed: Error: ${NOWHERE} does not exist.`);
});

test("an answer that the service did not send has another clock", async () => {
  service.behave({ dateHeader: "absent" });
  service.emulator.clock.advance(1_000_000_000);
  inject({ foreign: 200 });
  const { date } = (await raw("DELETE", paths.project)).headers ?? {};
  expect(date).toMatch(/ GMT$/);
  expect(date).not.toBe(service.emulator.clock.now().toUTCString());
});

describe("a fault applies to", () => {
  const ERROR = { status: 500 };
  const ask = async () => (await get(paths.projects)).status;

  test.each<[string, readonly Fault[], readonly number[]]>([
    ["the given number of requests", [{ count: 2, effect: ERROR }], [500, 500, 200]],
    ["requests after the given number of others", [{ skip: 2, effect: ERROR }], [200, 200, 500, 200]],
    ["one, in the order of injection", [{ effect: ERROR }, { effect: { status: 502 } }], [500, 502, 200]],
  ])("%s", async (_, faults, expected) => {
    for (const fault of faults) service.emulator.inject(fault);
    for (const status of expected) expect(await ask()).toBe(status);
  });

  test.each<[string, Omit<Fault, "effect">, number, number]>([
    ["an operation", { operation: "getProjectSkin" }, 200, 500],
    ["operations", { operation: ["getProjectSkin", "listProjects"] }, 500, 500],
    ["what a function selects", { match: ({ path }) => path.endsWith("skin") }, 200, 500],
  ])("%s", async (_, options, listed, got) => {
    service.emulator.inject({ count: 2, ...options, effect: ERROR });
    expect([await ask(), (await get(`${paths.project}/skin`)).status]).toEqual([listed, got]);
  });

  test("requests without a valid key, and routes that do not exist", async () => {
    inject({ status: 503 }, { count: 2 });
    await expectAnswer(get(paths.projects, "unknown"), 503);
    await expectAnswer(get("/nothing"), 503);
  });
});

test("faultsUsed lists the faults that were used, with their requests, and clearFaults removes all", async () => {
  const fault = { operation: "getProject", count: 5, effect: { status: 500 } } as const;
  service.emulator.inject(fault);
  await get(paths.projects);
  expect(service.emulator.faultsUsed).toEqual([]);
  await get(paths.project);
  const request = expect.objectContaining({ path: `/api/v2${paths.project}`, status: 500 });
  expect(service.emulator.faultsUsed).toEqual([{ fault, request }]);
  service.emulator.clearFaults();
  await expectAnswer(get(paths.project), 200);
  expect(service.emulator.faultsUsed).toEqual([]);
});
