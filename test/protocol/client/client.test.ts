/** Calls of the client: errors, retries, time limits, cancellation, and the validation of answers. */
import type { ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import {
  type CallBounds,
  CancelledError,
  type Client,
  type ClientOptions,
  ConflictError,
  ConnectionError,
  createClient,
  ForeignAnswerError,
  NotFoundError,
  RateLimitError,
  ReadOnlyError,
  RedirectError,
  type Retry,
  TimeoutError,
  UpstreamError,
} from "../../../provider/client";
import { operations } from "../../../provider/client/operations";
import { explain } from "../../../provider/lifecycle/explain";
import { until } from "../../support/processes/until";
import { type Answering, type StubServer, startStubServer } from "../../support/servers/stubServer";
import {
  DOMAIN,
  type FakeClock,
  failureOf,
  fakeClock,
  ORGANIZATION,
  OTHER,
  PROJECT,
  project,
  wireCredential,
  wireProject,
} from "./support";

const KEY = "key-of-tests";

let server: StubServer;
let clock: FakeClock;
let client: Client;
const further: Client[] = [];

beforeAll(async () => {
  server = await startStubServer();
});
beforeEach(() => {
  server.requests.length = 0;
  clock = fakeClock();
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

function read(by = client) {
  return by.getProject(inProject);
}

function create(by = client) {
  return by.createProject({ organizationId: ORGANIZATION, body: { projectName: "Shop" } });
}

function update() {
  return client.updateProject({ ...inProject, body: { projectName: "Shop 2" } });
}

function remove() {
  return client.deleteProject(inProject);
}

const success = { body: wireProject };
const created = { ...success, status: 201 };

function refusal(status: number, message: unknown = "No.", headers = {}) {
  return {
    status,
    headers,
    body: { statusCode: status, message, error: "Reason" },
  };
}

function page(status: number, headers = {}) {
  return {
    status,
    headers: { "content-type": "text/html", "x-request-id": undefined, ...headers },
    body: "<html>Blocked</html>",
  };
}

/** The id of the last request. */
function requestId() {
  return server.requests.at(-1)?.headers["x-request-id"];
}

function reset(response: ServerResponse) {
  return response.destroy();
}

function silence() {}

function cutOff(response: ServerResponse) {
  response.writeHead(200, { "content-length": "1000" });
  response.write("{", () => response.destroy());
}

describe("an error of the service", () => {
  test("has the facts of the call and what the service sent", async () => {
    server.answer(refusal(409));
    const error = await failureOf(create());
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({
      message: `Creating the project failed: 409 Conflict, "No." (request ${requestId()}).`,
      operation: "createProject",
      attempts: 1,
      requestId: requestId(),
      effect: "none",
      status: 409,
      messages: ["No."],
      code: "Reason",
    });
    expect(server.requests).toHaveLength(1);
  });

  test("with status 403 has the scope that the key lacks, once the client has read its scopes", async () => {
    server.answer(refusal(403), { body: wireCredential }, refusal(403));
    expect(await failureOf(remove())).toMatchObject({ missingScope: undefined });
    await client.getCurrentApiCredential();
    expect(await failureOf(remove())).toMatchObject({ missingScope: undefined });
    expect(await failureOf(client.deleteApplication({ applicationId: OTHER }))).toMatchObject({
      name: "ForbiddenError",
      missingScope: "applications:write",
    });
  });

  test("that persists after all attempts reports how many there were", async () => {
    server.answer(refusal(429));
    const limited = await failureOf(create());
    expect(limited).toBeInstanceOf(RateLimitError);
    expect(limited).toMatchObject({ attempts: 6, effect: "none" });
    server.answer(refusal(500));
    const broken = await failureOf(create());
    expect(broken).toBeInstanceOf(UpstreamError);
    expect(broken).toMatchObject({ attempts: 1, effect: "unknown" });
    expect(server.requests).toHaveLength(6 + 1);
  });
});

describe("an error that the service did not send", () => {
  test("with Retry-After to a POST is not retried", async () => {
    server.answer(page(503, { "retry-after": "1" }), created);
    expect(await failureOf(create())).toMatchObject({
      name: "ForeignAnswerError",
      attempts: 1,
      effect: "unknown",
    });
  });

  test("shows nothing about the service: neither its time nor whether it returns ids", async () => {
    const date = "Thu, 02 Jan 2025 03:04:05 GMT";
    server.answer(
      (response, { headers }) => {
        const id = String(headers["x-request-id"]);
        response.writeHead(404, { date, "x-request-id": id }).end("<html>");
      },
      refusal(404, "No.", { date, "x-request-id": OTHER }),
    );
    expect(await failureOf(read())).toBeInstanceOf(ForeignAnswerError);
    expect(client.serviceTime()).toBeUndefined();
    expect(await failureOf(read())).toBeInstanceOf(NotFoundError);
    expect(client.serviceTime()?.getUTCFullYear()).toBe(2025);
  });
});

describe("the request id of an error", () => {
  const generated = { "x-request-id": OTHER };
  const notFound = refusal(404, "No.", generated);

  test("must be the id that was sent as soon as an error of the service had it", async () => {
    server.answer(notFound, refusal(409), notFound);
    expect((await failureOf(read())).constructor).toBe(NotFoundError);
    await failureOf(read());
    const error = await failureOf(read());
    expect(error.constructor).toBe(ForeignAnswerError);
    expect(error).toMatchObject({ requestId: requestId() });
    // Each client finds out on its own.
    expect((await failureOf(read(clientWith({})))).constructor).toBe(NotFoundError);
  });

  test("of a call that began before the first echo is judged by what is known when it arrives", async () => {
    let respond = () => {};
    const asked = new Promise<void>((arrived) => {
      server.answer((response) => {
        respond = () => {
          response.writeHead(404, generated).end(JSON.stringify({ statusCode: 404, message: "No." }));
        };
        arrived();
      }, refusal(409));
    });
    const slow = failureOf(read());
    await asked;
    await failureOf(read());
    respond();
    expect((await slow).constructor).toBe(ForeignAnswerError);
  });
});

describe("a call is retried", () => {
  test("with increasing waits, each of which is reported before it", async () => {
    server.answer(refusal(503), refusal(504), success);
    const ofCall: Retry[] = [];
    const ofClient: Retry[] = [];
    const reporting = clientWith({ onRetry: (retry) => ofClient.push(retry) });
    expect(await reporting.getProject(inProject, { onRetry: (retry) => ofCall.push(retry) })).toEqual(
      project,
    );
    expect(clock.waits).toEqual([500, 1000]);
    const call = { operation: "getProject", activity: `Reading project ${PROJECT}` };
    expect(ofCall).toEqual([
      { ...call, attempt: 1, waitMs: 500, reason: "503 Service Unavailable" },
      { ...call, attempt: 2, waitMs: 1000, reason: "504 Gateway Timeout" },
    ]);
    expect(ofClient).toEqual(ofCall);
    expect(new Set(server.requests.map(({ headers }) => headers["x-request-id"])).size).toBe(3);
  });

  test("at most as often as the call allows", async () => {
    server.answer(refusal(503));
    const error = await failureOf(client.getProject(inProject, { maxAttempts: 3 }));
    expect(error).toMatchObject({ attempts: 3 });
    expect(server.requests).toHaveLength(3);
    expect(clock.waits).toEqual([500, 1000]);
  });

  test("with the same body if it is an update", async () => {
    server.answer(reset, refusal(502), success);
    await update();
    const bodies = server.requests.map(({ body }) => body);
    expect(bodies).toEqual(Array(3).fill('{"project_name":"Shop 2"}'));
  });

  test("with a body that is built for each attempt, within the deadline of the call", async () => {
    server.answer(refusal(503), refusal(503), success);
    const deadline = clock.now() + 60_000;
    const bounds: CallBounds[] = [];
    const body = async (given: CallBounds) => {
      bounds.push(given);
      return { projectName: `Shop ${bounds.length}` };
    };
    await client.updateProject({ ...inProject, body }, { deadline });
    expect(server.requests.map((request) => JSON.parse(request.body))).toEqual([
      { project_name: "Shop 1" },
      { project_name: "Shop 2" },
      { project_name: "Shop 3" },
    ]);
    expect(bounds.map((each) => each.deadline)).toEqual([deadline, deadline, deadline]);
  });

  test("unless building its body fails, and then it fails with that error", async () => {
    const reason = new Error("It changed meanwhile.");
    const body = () => Promise.reject(reason);
    await expect(client.updateProject({ ...inProject, body })).rejects.toBe(reason);
    expect(server.requests).toEqual([]);
  });

  test("when the answer is cut off", async () => {
    server.answer(cutOff, success);
    expect(await read()).toEqual(project);
    expect(server.requests).toHaveLength(2);
  });

  test("after Retry-After, in seconds or as a date of the service's clock", async () => {
    const date = "Thu, 02 Jan 2025 03:04:05 GMT";
    server.answer(
      refusal(503, "", { "retry-after": "7" }),
      refusal(429, "", { date, "retry-after": "Thu, 02 Jan 2025 03:04:25 GMT" }),
      refusal(429, "", { "retry-after": "3600" }),
      success,
    );
    await read();
    expect(clock.waits).toEqual([7000, 20_000, 60_000]);
  });

  test("as a POST, and a conflict on the retry leaves its effect unknown", async () => {
    server.answer(refusal(429), refusal(409));
    expect(await failureOf(create())).toMatchObject({
      name: "ConflictError",
      attempts: 2,
      effect: "unknown",
    });
  });

  test("as a DELETE, and a 404 on the retry leaves its effect unknown", async () => {
    server.answer(reset, refusal(404));
    expect(await failureOf(remove())).toMatchObject({
      name: "NotFoundError",
      attempts: 2,
      effect: "unknown",
    });
    server.answer(refusal(404));
    expect(await failureOf(remove())).toMatchObject({ name: "NotFoundError", attempts: 1, effect: "none" });
  });
});

describe("a POST that may have had an effect is not retried after", () => {
  test.each<[string, Answering, string, RegExp]>([
    [
      "a broken connection",
      reset,
      "ConnectionError",
      /failed: the connection was closed, (other side closed|read ECONNRESET) \(request/,
    ],
    ["an answer that is cut off", cutOff, "ConnectionError", /failed: \S.* \(request/],
    ["a time-out", silence, "TimeoutError", /failed: no response within 0\.5 s \(request/],
  ])("%s", async (_, answering, name, message) => {
    server.answer(answering);
    const error = await failureOf(create(clientWith({ timeoutMs: name === "TimeoutError" ? 500 : 10_000 })));
    expect(error).toMatchObject({ name, attempts: 1, effect: "unknown", operation: "createProject" });
    expect(error.message).toMatch(message);
    expect(error.requestId).toBeDefined();
    expect(server.requests).toHaveLength(1);
    expect(clock.waits).toEqual([]);
  });
});

describe("without a connection", () => {
  test("a POST is retried, and had no effect", async () => {
    const gone = await startStubServer();
    await gone.close();
    const error = await failureOf(create(clientWith({ apiUrl: gone.url })));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ attempts: 6, effect: "none" });
    expect(error.message).toMatch(
      /^Creating the project failed after 6 attempts: the connection was refused, connect ECONNREFUSED 127\.0\.0\.1:\d+ \(request/,
    );
    expect(clock.waits).toEqual([500, 1000, 2000, 4000, 8000]);
  });

  test("because the name is unknown, a POST had no effect", async () => {
    const error = await failureOf(create(clientWith({ apiUrl: "http://nowhere.invalid" })));
    expect(error).toMatchObject({ name: "ConnectionError", attempts: 6, effect: "none" });
    expect(error.message).toMatch(/getaddrinfo \w+ nowhere\.invalid/);
  });

  test("because the server does not speak TLS, a POST had no effect, and is not retried", async () => {
    const error = await failureOf(create(clientWith({ apiUrl: server.url.replace("http:", "https:") })));
    expect(error).toMatchObject({ name: "ConnectionError", attempts: 1, effect: "none" });
    expect(error.message).toContain("failed: TLS failed, ERR_SSL_WRONG_VERSION_NUMBER (request ");
    expect(explain(error).message).toContain("\nThe server does not speak TLS, so nothing was sent.");
    expect(server.requests).toHaveLength(0);
  });

  describe("because TLS takes too long", () => {
    const sockets: Socket[] = [];
    const mute = createServer((socket) => sockets.push(socket.on("error", () => {})));
    let apiUrl: string;
    beforeAll(async () => {
      await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
      apiUrl = `https://127.0.0.1:${(mute.address() as AddressInfo).port}`;
    });
    afterAll(() => {
      for (const socket of sockets) socket.destroy();
      mute.close();
    });

    test("a POST had no effect", async () => {
      const error = await failureOf(create(clientWith({ apiUrl, timeoutMs: 20 })));
      expect(error.name).toMatch(/^(TimeoutError|ConnectionError)$/);
      expect(error).toMatchObject({ attempts: 6, effect: "none" });
    });

    test("a POST at its deadline had no effect", async () => {
      const body = { projectName: "Shop" };
      const options = { deadline: clock.now() + 20 };
      const call = clientWith({ apiUrl }).createProject({ organizationId: ORGANIZATION, body }, options);
      expect(await failureOf(call)).toMatchObject({ name: "TimeoutError", attempts: 1, effect: "none" });
    });
  });
});

describe("the time", () => {
  test("of one attempt is limited, even while its answer arrives slowly", async () => {
    const trickle: Answering = (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("{");
    };
    server.answer(silence, trickle, success);
    expect(await read(clientWith({ timeoutMs: 60 }))).toEqual(project);
    expect(server.requests).toHaveLength(3);
  });

  test("of a call is limited by the budget, and no wait exceeds it", async () => {
    server.answer(refusal(503));
    expect(await failureOf(read(clientWith({ budgetMs: 3500 })))).toMatchObject({
      name: "UpstreamError",
      attempts: 3,
    });
    expect(clock.waits).toEqual([500, 1000]);
    server.answer(refusal(429, "", { "retry-after": "60" }));
    expect(await failureOf(create(clientWith({ budgetMs: 60_000 })))).toMatchObject({
      name: "RateLimitError",
      attempts: 1,
    });
  });

  test("of a call is limited by its deadline", async () => {
    server.answer(refusal(503));
    const call = client.getProject(inProject, { deadline: clock.now() + 700 });
    expect(await failureOf(call)).toMatchObject({ name: "UpstreamError", attempts: 2 });
    server.answer(silence);
    const short = await failureOf(client.getProject(inProject, { deadline: clock.now() + 50 }));
    expect(short).toMatchObject({ name: "TimeoutError", attempts: 1, effect: "none" });
    expect(short.message).toContain("no response within 0.05 s");
  });

  test("of a call is checked before anything is sent", async () => {
    const error = await failureOf(client.deleteProject(inProject, { deadline: clock.now() }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ attempts: 0, effect: "none", requestId: undefined });
    expect(error.message).toBe(
      `Deleting project ${PROJECT} failed: the deadline had passed before it was sent.`,
    );
    expect(server.requests).toHaveLength(0);
  });
});

describe("a call that waits until there is room for its request", () => {
  const held: ServerResponse[] = [];

  /** Starts as many calls as a client sends at a time, and waits until the server has their requests. */
  async function busyWith(by: Client): Promise<Promise<unknown>[]> {
    held.length = 0;
    server.answer((response) => held.push(response));
    const calls = Array.from({ length: 24 }, () => read(by).catch((error: unknown) => error));
    await until(
      () => held.length >= 24,
      () => `The server has ${held.length} requests.`,
    );
    return calls;
  }

  function endAll(): void {
    server.answer(success);
    for (const response of held) response.destroy();
  }

  test("does not use up its budget", async () => {
    const busy = clientWith({ budgetMs: 10_000 });
    const calls = await busyWith(busy);
    const waiting = read(busy);
    await new Promise(setImmediate);
    await clock.sleep(20_000);
    endAll();
    expect(await waiting).toEqual(project);
    await Promise.all(calls);
  });

  test("fails if its deadline passes meanwhile, without having been sent", async () => {
    const calls = await busyWith(client);
    const waiting = failureOf(client.getProject(inProject, { deadline: clock.now() + 1000 }));
    await clock.sleep(1000);
    endAll();
    expect(await waiting).toMatchObject({ name: "TimeoutError", attempts: 0, requestId: undefined });
    await Promise.all(calls);
    expect(server.requests).toHaveLength(48);
  });

  test("fails if the client is closed meanwhile", async () => {
    const calls = await busyWith(client);
    const waiting = failureOf(read());
    const closing = client.close();
    endAll();
    expect(await waiting).toMatchObject({ name: "CancelledError", attempts: 0 });
    await Promise.all([closing, ...calls]);
    expect(server.requests).toHaveLength(24);
  });
});

describe("a cancelled call", () => {
  test("sends nothing if it was cancelled before it started", async () => {
    const error = await failureOf(client.deleteProject(inProject, { signal: AbortSignal.abort() }));
    expect(error).toBeInstanceOf(CancelledError);
    expect(error).toMatchObject({ attempts: 0, effect: "none" });
    expect(error.message).toBe(`Deleting project ${PROJECT} failed: cancelled.`);
    expect(server.requests).toHaveLength(0);
  });

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
    const error = await failureOf(
      call === read
        ? client.getProject(inProject, options)
        : client.updateProject({ ...inProject, body: { projectName: "x" } }, options),
    );
    expect(error).toMatchObject({ name: "CancelledError", attempts: 1, effect });
    expect(server.requests).toHaveLength(1);
    await closed;
  });

  test("ends immediately while it waits for another attempt", async () => {
    server.answer(refusal(503));
    const controller = new AbortController();
    const waiting = clientWith({ clock: undefined });
    const error = await failureOf(
      waiting.getProject(inProject, { signal: controller.signal, onRetry: () => controller.abort() }),
    );
    expect(error).toMatchObject({ name: "CancelledError", attempts: 1, effect: "none" });
  });

  test("that is stopped ends its attempt, and sends no other", async () => {
    const stop = new AbortController();
    const retries: unknown[] = [];
    const options = { stop: stop.signal, onRetry: (retry: unknown) => retries.push(retry) };
    server.answer((response) => {
      stop.abort();
      response.writeHead(503, { "content-type": "application/json" }).end("{}");
    });
    const error = await failureOf(
      client.updateProject({ ...inProject, body: { projectName: "x" } }, options),
    );
    expect(error).toMatchObject({ attempts: 1, effect: "unknown" });
    expect(error.message).toContain("503 Service Unavailable");
    expect(await failureOf(client.getProject(inProject, options))).toMatchObject({
      name: "CancelledError",
      attempts: 0,
    });
    expect(server.requests).toHaveLength(1);
    expect(retries).toEqual([]);
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
  expect(error.message).toContain(
    `a redirect to "${elsewhere.url}/api", which is not followed (request ${requestId()}).`,
  );
  expect(server.requests).toHaveLength(1);
  expect(elsewhere.requests).toHaveLength(0);
  await elsewhere.close();
});

describe("a read-only client", () => {
  test("rejects every write before anything is sent", async () => {
    const readOnly = clientWith({ readOnly: true });
    const values = { ...inProject, applicationId: DOMAIN, customDomainId: DOMAIN, linkId: DOMAIN, body: {} };
    const writes = Object.entries(operations).filter(([, { method }]) => method !== "GET");
    for (const [operation] of writes) {
      const call = Reflect.get(readOnly, operation) as (values: object) => Promise<unknown>;
      const error = await failureOf(call(values));
      expect(error).toBeInstanceOf(ReadOnlyError);
      expect(error).toMatchObject({ operation, attempts: 0, effect: "none", requestId: undefined });
    }
    expect(server.requests).toHaveLength(0);
  });

  test("allows reads", async () => {
    server.answer(success);
    expect(await read(clientWith({ readOnly: true }))).toEqual(project);
  });
});

describe("an answer", () => {
  test("can begin with a byte order mark", async () => {
    server.answer({ body: `\ufeff${JSON.stringify(wireProject)}` });
    expect(await read()).toEqual(project);
  });

  test("with endless headers counts as a broken connection", async () => {
    server.answer((response) => {
      const more = () => {
        while (response.socket?.write(`x-more: ${"x".repeat(1000)}\r\n`));
      };
      response.socket?.write("HTTP/1.1 200 OK\r\n");
      response.socket?.on("drain", more);
      more();
    });
    const error = await failureOf(read());
    expect(error).toMatchObject({ name: "ConnectionError", attempts: 6 });
    expect(error.message).toContain(": Headers Overflow Error (request");
  });

  test("that is too large is not read completely", async () => {
    const flood =
      (status: number): Answering =>
      (response) => {
        response.writeHead(status);
        const more = () => {
          while (response.write("x".repeat(1024 * 1024)));
        };
        response.on("drain", more);
        more();
      };
    server.answer(flood(200));
    expect(await failureOf(read())).toMatchObject({
      problems: ["it is larger than 16777216 bytes"],
      attempts: 1,
    });
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
