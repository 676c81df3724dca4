/** Calls of the client: errors, retries, time limits, cancellation, and the validation of answers. */
import { getEventListeners } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:net";
import {
  type Attempt,
  type CallBounds,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type Effect,
  NotFoundError,
  ReadOnlyError,
  RedirectError,
  type Retry,
  UnrecognizedResponseError,
} from "../../../provider/client";
import { systemClock } from "../../../provider/client/client";
import { gateOf, MAX_IN_FLIGHT } from "../../../provider/client/connection/gate";
import { connectTo, MAX_RESPONSE_BYTES } from "../../../provider/client/connection/http";
import { operations } from "../../../provider/client/operations";
import { explain } from "../../../provider/lifecycle/explain";
import { listening } from "../../support/servers/listening";
import { type Answering, type StubServer, startStubServer } from "../../support/servers/stubServer";
import { type FakeClock, fakeClock } from "../../support/values/fakeClock";
import {
  DOMAIN,
  ORGANIZATION,
  OTHER,
  PROJECT,
  project,
  wireCredential,
  wireProject,
} from "../../support/values/wireObjects";
import { failureOf } from "./failureOf";

const KEY = "key-of-tests";
const START_MS = 1_700_000_000_000;

// Ends only a test that hangs.
jest.setTimeout(600_000);
// On a busy machine, nothing times out but what a test lets time out.
jest.useFakeTimers({
  doNotFake: ["Date", "hrtime", "nextTick", "performance", "queueMicrotask", "setImmediate", "setInterval"],
});

let server: StubServer;
let clock: FakeClock;
let client: Client;
const further: Client[] = [];

beforeAll(async () => {
  server = await startStubServer();
});
beforeEach(() => {
  server.requests.length = 0;
  clock = fakeClock(START_MS);
  client = clientWith({});
});
afterEach(async () => {
  await Promise.all(further.splice(0).map((each) => each.close()));
});
afterAll(() => server.close());

/** A client of the stub server whose waits take no time and are not random. */
function clientWith(options: Partial<ClientOptions>): Client {
  const made = createClient({ apiUrl: server.url, apiKey: KEY, clock, random: () => 1, ...options });
  further.push(made);
  return made;
}

const inProject = { organizationId: ORGANIZATION, projectId: PROJECT };

function read(by = client, options?: CallOptions) {
  return by.getProject(inProject, options);
}

function create(by = client, options?: CallOptions) {
  return by.createProject({ organizationId: ORGANIZATION, body: { projectName: "Shop 2" } }, options);
}

function update(by = client, options?: CallOptions) {
  return by.updateProject({ ...inProject, body: { projectName: "Shop 2" } }, options);
}

function remove(by = client, options?: CallOptions) {
  return by.deleteProject(inProject, options);
}

const success = { body: wireProject };

function refusal(status: number, headers = {}) {
  return { status, headers, body: { statusCode: status, message: "No.", error: "Reason" } };
}

function requestId() {
  return server.requests.at(-1)?.headers["x-request-id"];
}

function reset(response: ServerResponse) {
  return response.destroy();
}

/** Lets pass what an attempt may take, when the server has it. */
function timeOut() {
  jest.advanceTimersByTime(TIMEOUT_MS);
}

function cutOff(response: ServerResponse) {
  response.writeHead(200, { "content-length": "1000" });
  response.write("{", () => response.destroy());
}

function trickle(response: ServerResponse) {
  response.writeHead(200).write("{", timeOut);
}

function endlessHeaders({ socket }: ServerResponse) {
  const more = () => {
    while (socket?.write(`x-more: ${"x".repeat(1000)}\r\n`));
  };
  socket?.write("HTTP/1.1 200 OK\r\n");
  socket?.on("drain", more);
  more();
}

function flood(response: ServerResponse) {
  const more = () => {
    while (response.write("x".repeat(1024 * 1024)));
  };
  response.writeHead(200).on("drain", more);
  more();
}

interface Limits {
  readonly client?: Partial<ClientOptions>;
  readonly call?: CallOptions;
}

const TURN = { isFirst: false, deadline: Infinity, signal: undefined };
const STARTS_MS = [0, 500, 1500];
const TIMEOUT_MS = 300;
const RATE_LIMITED = refusal(429);
const UNAVAILABLE = refusal(503);
const ABORTED = AbortSignal.abort();
const { signal } = new AbortController();
const PAGE = { status: 503, headers: { "retry-after": "1", "x-request-id": undefined }, body: "<html>" };

const PAGE_AT_ONCE = { ...PAGE, headers: { "x-request-id": undefined } };
const GATEWAY = { ...PAGE_AT_ONCE, status: 429 };
const BUSY = refusal(503, { "retry-after": "1" });

function deadlineIn(milliseconds: number): Limits {
  return { call: { deadline: milliseconds } };
}

/** The calls with their responses and limits; the error that they fail with, after how many requests, with which effect. */
test.each<[string, typeof read | typeof remove, Answering[], Limits, string, number, Effect]>([
  ["429 for five minutes", create, [RATE_LIMITED], {}, "RateLimitError", 25, "none"],
  ["429 until the deadline", create, [RATE_LIMITED], deadlineIn(700), "RateLimitError", 2, "none"],
  ["429 of a proxy for five minutes", create, [GATEWAY], {}, "UnrecognizedResponseError", 25, "none"],
  ["409 to a repeated POST", create, [BUSY, refusal(409)], {}, "ConflictError", 2, "unknown"],
  ["404 to a repeated DELETE", remove, [reset, refusal(404)], {}, "NotFoundError", 2, "unknown"],
  ["a broken connection", create, [reset], {}, "ConnectionError", 1, "unknown"],
  ["a response that is cut off", create, [cutOff], {}, "ConnectionError", 1, "unknown"],
  ["endless headers", read, [endlessHeaders], {}, "ConnectionError", 6, "none"],
  ["an endless response", read, [flood], {}, "InvalidResponseError", 1, "none"],
  ["no response", create, [timeOut], { client: { timeoutMs: TIMEOUT_MS } }, "TimeoutError", 1, "unknown"],
  ["a slow response", create, [trickle], { call: { timeoutMs: TIMEOUT_MS } }, "TimeoutError", 1, "unknown"],
  ["no response in time", read, [timeOut], deadlineIn(TIMEOUT_MS), "TimeoutError", 1, "none"],
  ["a deadline that has passed", remove, [], deadlineIn(0), "TimeoutError", 0, "none"],
  ["503 until the deadline", read, [UNAVAILABLE], deadlineIn(700), "UpstreamError", 2, "none"],
  ["503 in its budget", read, [UNAVAILABLE], { client: { budgetMs: 3500 } }, "UpstreamError", 3, "none"],
  ["503 in its attempts", read, [UNAVAILABLE], { call: { maxAttempts: 3 } }, "UpstreamError", 3, "none"],
  ["an aborted signal", remove, [], { call: { signal: ABORTED } }, "CancelledError", 0, "none"],
  ["an earlier stop", remove, [], { call: { stop: ABORTED, signal } }, "CancelledError", 0, "none"],
])("a call can fail with %s", async (_, call, answers, limits, name, attempts, effect) => {
  server.answer(...answers);
  const error = await failureOf(call(clientWith(limits.client ?? {}), limits.call));
  expect(error).toMatchObject({ name, attempts, effect });
  expect(error.requestId).toBe(requestId());
  expect(server.requests).toHaveLength(attempts);
});

test.each([
  ["GET", success, read, `/${PROJECT}`, ""],
  ["POST", { ...success, status: 201 }, create, "", '{"project_name":"Shop 2"}'],
] as const)("a %s has the key, an id and its content, below the path of apiUrl", async (...row) => {
  const [method, answer, call, path, body] = row;
  server.answer(answer);
  expect(await call(clientWith({ apiUrl: `${server.url}/gateway//` }))).toEqual(project);
  const [request] = server.requests;
  expect(request).toMatchObject({
    method,
    url: `/gateway/api/v2/organizations/${ORGANIZATION}/projects${path}`,
    body,
    headers: {
      accept: "application/json",
      "accept-encoding": "identity",
      "user-agent": "pulumi-dynamiclink",
      "x-api-key": KEY,
      "x-request-id": expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    },
  });
  expect(request?.headers["content-type"]).toBe(body === "" ? undefined : "application/json");
});

test("403 has the scope that the key lacks, once the client has read its scopes", async () => {
  server.answer(refusal(403), { body: wireCredential }, refusal(403));
  expect(await failureOf(remove())).toMatchObject({ missingScope: undefined });
  await client.getCurrentApiCredential();
  expect(await failureOf(remove())).toMatchObject({ missingScope: undefined });
  const missingScope = "applications:write";
  expect(await failureOf(client.deleteApplication({ applicationId: OTHER }))).toMatchObject({ missingScope });
});

test("an error that the service did not send does not show its time", async () => {
  const date = "Thu, 02 Jan 2025 03:04:05 GMT";
  server.answer(
    (response, { headers }) => {
      response.writeHead(404, { date, "x-request-id": String(headers["x-request-id"]) }).end("<html>");
    },
    refusal(404, { date, "x-request-id": OTHER }),
  );
  expect(await failureOf(read())).toBeInstanceOf(UnrecognizedResponseError);
  expect(client.serviceTime()).toBeUndefined();
  expect(await failureOf(read())).toBeInstanceOf(NotFoundError);
  expect(client.serviceTime()?.getUTCFullYear()).toBe(2025);
});

describe("a call is retried", () => {
  test("with increasing waits, each of which is reported before it, and each attempt after it", async () => {
    server.answer(UNAVAILABLE, reset, success);
    const [retries, attempts, ids]: [Retry[], Attempt[], string[]] = [[], [], []];
    const onRetry = (retry: Retry) => retries.push(retry);
    const onRequest = (id: string) => ids.push(id);
    const onAttempt = (attempt: Attempt) => attempts.push(attempt);
    expect(await read(clientWith({ onRetry, onAttempt }), { onRequest })).toEqual(project);
    expect(clock.waits).toEqual([500, 1000]);
    const call = { operation: "getProject", activity: `Reading project ${PROJECT}` };
    const failures = ["503 Service Unavailable", expect.stringContaining("the connection was closed, ")];
    expect(retries).toEqual([
      { ...call, attempt: 1, waitMs: 500, reason: failures[0] },
      { ...call, attempt: 2, waitMs: 1_000, reason: failures[1] },
    ]);
    const results = [{ status: 503 }, { reason: failures[1] }, { status: 200 }];
    expect(attempts).toEqual(
      results.map((result, index) => ({
        ...call,
        method: "GET",
        path: server.requests[index]?.url,
        requestId: server.requests[index]?.headers["x-request-id"],
        attempt: index + 1,
        startMs: START_MS + (STARTS_MS[index] ?? 0),
        durationMs: 0,
        ...result,
      })),
    );
    expect(ids).toEqual(attempts.map(({ requestId }) => requestId));
    expect(new Set(ids).size).toBe(3);
  });

  test("with the options of its client and of the call, and each attempt that may write is reported", async () => {
    const seen: unknown[] = [];
    const by = client
      .withOptions({ onWrite: () => seen.push("write"), onRequest: () => seen.push("replaced") })
      .withOptions({ onRequest: (id) => seen.push(id) });
    server.answer(UNAVAILABLE, success);
    await read(by, { maxAttempts: 2 });
    await update(by, { onRequest: () => seen.push("of the call") });
    expect(seen).toEqual([
      ...server.requests.slice(0, 2).map(({ headers }) => headers["x-request-id"]),
      "of the call",
      "write",
    ]);
  });

  test("unless the wait fails, and then it fails with that error", async () => {
    server.answer(UNAVAILABLE);
    const reason = new Error("No clock.");
    const by = clientWith({ clock: { ...clock, sleep: () => Promise.reject(reason) } });
    await expect(read(by)).rejects.toBe(reason);
  });

  test("with a body that is built for each attempt, within the deadline of the call", async () => {
    server.answer(UNAVAILABLE, UNAVAILABLE, success);
    const deadline = clock.now() + 60_000;
    const bounds: CallBounds[] = [];
    const body = async (given: CallBounds) => {
      bounds.push(given);
      return { projectName: `Shop ${bounds.length}` };
    };
    await client.updateProject({ ...inProject, body }, { deadline });
    const names = server.requests.map((request) => JSON.parse(request.body).project_name);
    expect(names).toEqual(["Shop 1", "Shop 2", "Shop 3"]);
    expect(bounds.map((each) => each.deadline)).toEqual([deadline, deadline, deadline]);
  });

  test("unless building its body fails, and then it fails with that error", async () => {
    const reason = new Error("It changed meanwhile.");
    const body = () => Promise.reject(reason);
    await expect(client.updateProject({ ...inProject, body })).rejects.toBe(reason);
    expect(server.requests).toEqual([]);
  });

  test("after Retry-After, in seconds or as a date of the service's clock", async () => {
    const date = "Thu, 02 Jan 2025 03:04:05 GMT";
    const retryDate = "Thu, 02 Jan 2025 03:04:25 GMT";
    server.answer(
      refusal(503, { "retry-after": "7" }),
      refusal(429, { date, "retry-after": retryDate }),
      refusal(429, { "retry-after": "3600" }),
      success,
    );
    await read();
    expect(clock.waits).toEqual([7000, 20_000, 60_000]);
  });

  test("after a date in Retry-After by the machine's date, if the service has sent none", async () => {
    const header = { "retry-after": new Date(START_MS + 20_000).toUTCString() };
    server.answer((response) => {
      response.sendDate = false;
      response.writeHead(429, header).end();
    }, success);
    await read();
    expect(clock.waits).toEqual([20_000]);
  });

  test("with the body that was refused, unless a pause makes it old", async () => {
    const body = jest.fn(async () => ({ projectName: "Shop" }));
    server.answer(RATE_LIMITED, RATE_LIMITED, refusal(429, { "retry-after": "6" }), success);
    const retries: Retry[] = [];
    const onRetry = (retry: Retry) => retries.push(retry);
    await clientWith({ onRetry }).updateProject({ ...inProject, body });
    expect(body).toHaveBeenCalledTimes(2);
    expect(server.requests).toHaveLength(4);
    expect(retries.map(({ attempt, waitMs, reason }) => [attempt, waitMs, reason])).toEqual([
      [1, 250, "429 Too Many Requests"],
      [2, 500, "429 Too Many Requests"],
      [3, 6_000, "429 Too Many Requests"],
    ]);
  });

  test("at once after a refusal that asks for no pause, if the machine's date is set back", async () => {
    server.answer(refusal(429, { "retry-after": "0" }), UNAVAILABLE, success);
    const date = jest.spyOn(Date, "now");
    const by = clientWith({
      clock: { ...systemClock, now: () => systemClock.now() + clock.now(), sleep: clock.sleep },
      onRetry: () => date.mockReturnValue(START_MS),
    });
    expect(await read(by)).toEqual(project);
    date.mockRestore();
    expect(clock.waits).toEqual([500]);
  });

  test("after 429 in spite of its budget and its attempts", async () => {
    const slow = refusal(429, { "retry-after": "60" });
    server.answer(slow, slow, slow, success);
    expect(await read(client, { budgetMs: 1_000, maxAttempts: 1 })).toEqual(project);
  });

  test("if a limit refuses it with 503, in spite of its attempts", async () => {
    server.answer(success, PAGE, PAGE_AT_ONCE, { status: 204 });
    const retries: Retry[] = [];
    const by = clientWith({ onRetry: (retry) => retries.push(retry) });
    await read(by);
    await remove(by, { maxAttempts: 1 });
    expect(retries.map(({ waitMs, reason }) => [waitMs, reason])).toEqual([
      [1_000, "503 Service Unavailable"],
      [2_000, "503 Service Unavailable"],
    ]);
  });

  test("unless a limit refuses a POST with 503, which slows down what follows", async () => {
    server.answer({ body: wireCredential }, PAGE, success);
    await client.getCurrentApiCredential();
    expect(await failureOf(create())).toMatchObject({ attempts: 1, effect: "unknown", status: 503 });
    expect(clock.waits).toEqual([]);
    await read();
    expect(clock.waits).toEqual([1_000]);
  });

  test("before others that wait if it was refused, or if its body is built from what the service has", async () => {
    const enter = jest.spyOn(gateOf(server.url, clock), "enter");
    server.answer(RATE_LIMITED, UNAVAILABLE, success, UNAVAILABLE, success);
    await read(client, { deadline: 60_000 });
    await client.updateProject({ ...inProject, body: async () => ({ projectName: "Shop" }) });
    await update();
    expect(enter.mock.calls.map(([{ isFirst }]) => isFirst)).toEqual([false, true, true, true, true, false]);
    expect(enter.mock.calls[0]?.[0].deadline).toBe(60_000);
  });
});

test("a call whose attempt could not be sent leaves room for others", async () => {
  const error = new Error("A caller's own.");
  const onRequest = () => {
    throw error;
  };
  await expect(read(client, { onRequest })).rejects.toBe(error);
  const gate = gateOf(server.url, clock);
  const stop = new AbortController();
  const entries = [1, 2, 3, 4].map(() => gate.enter({ ...TURN, signal: stop.signal }));
  stop.abort();
  expect(await Promise.all(entries)).toEqual([true, true, true, true]);
});

describe("without a connection, a POST had no effect", () => {
  let mute: Awaited<ReturnType<typeof listening>>;
  beforeAll(async () => {
    mute = await listening(createServer((socket) => socket.on("error", () => {})));
  });
  afterAll(() => mute.close());

  const muteUrl = () => `https://127.0.0.1:${mute.port}`;
  const SLOW: CallOptions = { onRequest: () => setImmediate(timeOut) };
  const REFUSED = /: the connection was refused, connect ECONNREFUSED 127\.0\.0\.1:1 \(request/;
  test.each<[string, () => string, Limits, number, RegExp]>([
    ["is refused", () => "http://127.0.0.1:1", {}, 6, REFUSED],
    ["has no address", () => "http://nowhere.invalid", {}, 6, /getaddrinfo \w+ nowhere\.invalid/],
    [
      "does not speak TLS",
      () => server.url.replace("http:", "https:"),
      {},
      1,
      /: TLS failed, ERR_SSL_WRONG_VERSION_NUMBER \(request .*\nThe server does not speak TLS, so nothing/,
    ],
    ["is slow", muteUrl, { client: { timeoutMs: TIMEOUT_MS }, call: SLOW }, 6, /./],
    ["is slow, at the deadline", muteUrl, { call: { deadline: TIMEOUT_MS, ...SLOW } }, 1, /./],
  ])("if the server %s", async (_, apiUrl, limits, attempts, message) => {
    const by = clientWith({ apiUrl: apiUrl(), ...limits.client });
    const error = await failureOf(create(by, limits.call));
    expect(error.name).toMatch(/^(TimeoutError|ConnectionError)$/);
    expect(error).toMatchObject({ attempts, effect: "none" });
    expect(explain(error).message).toMatch(message);
    expect(clock.waits).toEqual([500, 1000, 2000, 4000, 8000].slice(0, attempts - 1));
    expect(server.requests).toHaveLength(0);
  });
});

describe("a call that waits until there is room for its request", () => {
  /** Lets as many requests pass as may be in flight at first. Returns the end of one. */
  async function occupied(): Promise<() => void> {
    const gate = gateOf(server.url, clock);
    await Promise.all([1, 2, 3, 4].map(() => gate.enter(TURN)));
    return () => void gate.leave({ sentAtMs: clock.now(), is: "unanswered" });
  }

  test("does not use up its budget", async () => {
    const leave = await occupied();
    server.answer(success);
    const waiting = read(clientWith({ budgetMs: 10_000 }));
    await new Promise(setImmediate);
    await clock.sleep(20_000);
    expect(server.requests).toEqual([]);
    leave();
    expect(await waiting).toEqual(project);
  });

  test("fails if the client is closed meanwhile", async () => {
    const leave = await occupied();
    const waiting = failureOf(read());
    const closing = client.close();
    leave();
    expect(await waiting).toMatchObject({ name: "CancelledError", attempts: 0 });
    await closing;
    expect(server.requests).toEqual([]);
  });
});

test("the system's clock runs forward, and its wait ends with a signal", async () => {
  expect(systemClock.now()).toBeGreaterThan(performance.timeOrigin);
  await expect(systemClock.sleep(1, ABORTED)).rejects.toThrow("aborted");
});

describe("a cancelled call", () => {
  test.each([
    ["read", read, "none"],
    ["write", update, "unknown"],
  ] as const)("ends immediately while a %s waits for its answer", async (_, call, effect) => {
    const controller = new AbortController();
    const closed = new Promise((resolve) => {
      server.answer((response) => {
        response.on("close", resolve);
        controller.abort(new Error("the reason of the caller"));
      });
    });
    const options = { signal: controller.signal };
    const error = await failureOf(call(client, options));
    expect(error).toMatchObject({ name: "CancelledError", attempts: 1, effect });
    expect(error.message).toContain("failed: cancelled (");
    expect(server.requests).toHaveLength(1);
    await closed;
  });

  test("ends immediately while it waits for another attempt", async () => {
    server.answer(UNAVAILABLE);
    const controller = new AbortController();
    const waiting = clientWith({ clock: undefined, onRetry: () => controller.abort() });
    const error = await failureOf(waiting.getProject(inProject, { signal: controller.signal }));
    expect(error).toMatchObject({ name: "CancelledError", attempts: 1, effect: "none" });
  });

  test("that is stopped ends its attempt, and sends no other", async () => {
    const stop = new AbortController();
    const retries: unknown[] = [];
    const reporting = clientWith({ onRetry: (retry) => retries.push(retry) });
    const options = { stop: stop.signal };
    server.answer((response) => {
      stop.abort();
      response.writeHead(503, { "content-type": "application/json" }).end("{}");
    });
    const error = await failureOf(update(reporting, options));
    expect(error).toMatchObject({ attempts: 1, effect: "unknown" });
    expect(error.message).toContain("503 Service Unavailable");
    const other = reporting.withOptions(options);
    expect(await failureOf(update(other))).toMatchObject({ name: "CancelledError", attempts: 0 });
    expect(server.requests).toHaveLength(1);
    expect(retries).toEqual([]);
    server.answer(success);
    expect(await read(other)).toEqual(project);
  });

  test("that is stopped while it waits for another attempt fails as the last one did", async () => {
    server.answer(UNAVAILABLE);
    const stop = new AbortController();
    const error = await failureOf(update(clientWith({ onRetry: () => stop.abort() }), { stop: stop.signal }));
    expect(error).toMatchObject({ name: "UpstreamError", attempts: 1 });
  });

  test("builds no body", async () => {
    const body = jest.fn();
    await failureOf(client.updateProject({ ...inProject, body }, { signal: ABORTED }));
    expect(body).not.toHaveBeenCalled();
  });

  test("is the result of a call on a closed client", async () => {
    await client.close();
    await client.close();
    const error = await failureOf(read());
    expect(error).toMatchObject({ name: "CancelledError", attempts: 0 });
    expect(error.message).toContain("the client is closed");
  });
});

test("a redirect is not followed", async () => {
  const elsewhere = await startStubServer();
  server.answer({ status: 307, headers: { location: `${elsewhere.url}/api` } });
  const error = await failureOf(read());
  expect(error).toBeInstanceOf(RedirectError);
  expect(error).toMatchObject({ status: 307, attempts: 1, effect: "none" });
  const reason = `a redirect to "${elsewhere.url}/api", which is not followed`;
  expect(error.message).toContain(`${reason} (request ${requestId()}).`);
  expect(server.requests).toHaveLength(1);
  expect(elsewhere.requests).toHaveLength(0);
  await elsewhere.close();
});

test("a read-only client rejects every write before anything is sent", async () => {
  const readOnly = clientWith({ readOnly: true });
  const values = { ...inProject, applicationId: DOMAIN, customDomainId: DOMAIN, linkId: DOMAIN, body: {} };
  const writes = Object.entries(operations).filter(([, { request }]) => !request.startsWith("GET "));
  for (const [operation] of writes) {
    const call = Reflect.get(readOnly, operation) as (values: object) => Promise<unknown>;
    const error = await failureOf(call(values));
    expect(error).toBeInstanceOf(ReadOnlyError);
    expect(error).toMatchObject({ operation, attempts: 0, effect: "none", requestId: undefined });
  }
  expect(server.requests).toHaveLength(0);
});

describe("an exchange", () => {
  const request = { method: "GET", path: "/", headers: {}, timeoutMs: 10_000 } as const;
  let connections: ReturnType<typeof connectTo>;
  beforeEach(() => {
    connections = connectTo(server.url, 10_000);
  });
  afterEach(() => connections.close());

  test("that ends while it waits for a connection is not sent later", async () => {
    const held: ServerResponse[] = [];
    const arrived = new Promise<void>((resolve) => {
      server.answer((response) => {
        if (held.push(response) === MAX_IN_FLIGHT) resolve();
      });
    });
    const busy = Array.from({ length: MAX_IN_FLIGHT }, () => connections.exchange(request));
    await arrived;
    const late = connections.exchange({ ...request, timeoutMs: TIMEOUT_MS });
    timeOut();
    expect(await late).toMatchObject({ kind: "timeout", sent: false });
    server.answer({ status: 204 });
    for (const response of held) response.end();
    await Promise.all(busy);
    await connections.exchange(request);
    expect(server.requests).toHaveLength(MAX_IN_FLIGHT + 1);
  });

  test("whose signal has aborted is not sent", async () => {
    const outcome = await connections.exchange({ ...request, signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ kind: "cancellation", sent: false });
    expect(server.requests).toEqual([]);
  });

  test("has the body of the largest response, and none of a larger one", async () => {
    const sizes = [MAX_RESPONSE_BYTES, MAX_RESPONSE_BYTES + 1];
    server.answer(...sizes.map((size) => (response: ServerResponse) => response.end("x".repeat(size))));
    const [largest, larger] = [await connections.exchange(request), await connections.exchange(request)];
    expect(largest).toMatchObject({ kind: "response", status: 200 });
    expect("body" in largest && largest.body?.length).toBe(MAX_RESPONSE_BYTES);
    expect(larger).toMatchObject({ kind: "response", status: 200, body: undefined });
  });

  test("leaves neither a timer nor a listener behind", async () => {
    const timeoutMs = 12_345;
    const set = jest.spyOn(globalThis, "setTimeout");
    const clear = jest.spyOn(globalThis, "clearTimeout");
    server.answer({ status: 204 });
    expect(await connections.exchange({ ...request, timeoutMs, signal })).toMatchObject({ status: 204 });
    expect(getEventListeners(signal, "abort")).toEqual([]);
    const timer =
      set.mock.results[set.mock.calls.findIndex(([, milliseconds]) => milliseconds === timeoutMs)];
    expect(clear).toHaveBeenCalledWith(timer?.value);
    set.mockRestore();
    clear.mockRestore();
  });

  test("that is pending ends before the connections are closed", async () => {
    const arrived = new Promise<ServerResponse>((resolve) => server.answer(resolve));
    const pending = connections.exchange(request);
    const response = await arrived;
    const disconnected = new Promise((resolve) => response.socket?.on("close", resolve));
    const closing = connections.close();
    await new Promise(setImmediate);
    response.end();
    expect(await pending).toMatchObject({ kind: "response", status: 200 });
    await closing;
    await disconnected;
  });
});

test("connections are reused", async () => {
  const ports: unknown[] = [];
  server.answer((response) => {
    ports.push(response.socket?.remotePort);
    response.end(JSON.stringify(wireProject));
  });
  for (let count = 0; count < 10; count++) await read();
  // A connection may still be busy when the next request is sent.
  expect(new Set(ports).size).toBeLessThanOrEqual(2);
});

describe("a client is not created", () => {
  test.each([
    "",
    "api.dynamiclink.example",
    "ftp://api.dynamiclink.example",
    "https://user:secret@api.dynamiclink.example",
    "https://api.dynamiclink.example?secret",
    "https://api.dynamiclink.example#secret",
    "https://secret:99999",
  ])("for the URL %j", (apiUrl) => {
    expect(() => createClient({ apiUrl, apiKey: KEY })).toThrow(
      new TypeError("apiUrl must be an http or https URL without credentials, query and fragment."),
    );
  });

  test.each(["", " ", "sec\nret", "sec\u0000ret", "sec\u0416ret"])("with the key %j", (apiKey) => {
    expect(() => createClient({ apiUrl: server.url, apiKey })).toThrow(/^(?!.*sec.?ret)(?=.*apiKey)/);
  });
});
