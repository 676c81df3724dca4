/** The emulator's controls over HTTP. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { defaultBehaviour } from "../../testing/emulator";
import { DOMAIN, NOWHERE, paths, startService, useService } from "./service";

const service = useService({ controls: true });

/** Sends a request with headers that fetch would not send. */
async function ask(
  url: string,
  headers: Record<string, string>,
  { method = "GET", body = "" }: { method?: string; body?: string | undefined } = {},
): Promise<{ status: number | undefined; body: unknown }> {
  const [response] = (await once(request(url, { method, headers }).end(body), "response")) as [
    IncomingMessage,
  ];
  const content = await text(response);
  return { status: response.statusCode, body: content === "" ? undefined : (JSON.parse(content) as unknown) };
}

function control(method: string, path: string, body?: unknown) {
  const headers: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return ask(`${service.emulator.url}/_emulator${path}`, headers, { method, body: text });
}

const done = { status: 204, body: undefined };

test("GET /requests returns the requests to the service, and not those to the controls", async () => {
  await service.get(paths.projects);
  const { status, body } = await control("GET", "/requests");
  expect([status, body]).toEqual([200, JSON.parse(JSON.stringify(service.emulator.requests))]);
  expect(service.emulator.requests.map(({ operationId }) => operationId)).toEqual(["listProjects"]);
});

test("GET /state returns the state", async () => {
  expect(await control("GET", "/state")).toEqual({ status: 200, body: service.emulator.state });
});

test("POST /seed adds a seed", async () => {
  expect(await control("POST", "/seed", { organizations: [{ projects: [{ name: "Planted" }] }] })).toEqual(
    done,
  );
  expect(service.emulator.state.projects.at(-1)?.name).toBe("Planted");
});

test("POST /reset restores the initial state", async () => {
  await service.remove(`/custom-domains/${DOMAIN}`);
  expect(await control("POST", "/reset")).toEqual(done);
  expect(service.emulator.requests).toEqual([]);
});

test("POST /faults injects a fault, and DELETE /faults clears all", async () => {
  const fault = {
    operation: "getProject",
    count: 2,
    match: "projects",
    effect: { status: 503, retryAfter: 1 },
  };
  expect(await control("POST", "/faults", fault)).toEqual(done);
  expect((await service.get(paths.project)).status).toBe(503);
  expect(await control("DELETE", "/faults")).toEqual(done);
  expect((await service.get(paths.project)).status).toBe(200);
});

test.each([
  { status: 429, message: ["a", "b"], afterEffect: true },
  { delayMs: 1 },
  { hang: true, afterEffect: true },
  { reset: "after" },
  { malformed: true },
  { truncated: true },
  { redirect: "https://elsewhere.example" },
  { body: null, status: 200 },
  { object: DOMAIN, afterEffect: true },
  {
    foreign: 404,
    text: "<p>",
    contentType: "text/html",
    retryAfter: 1,
    echoRequestId: true,
    afterEffect: true,
  },
])("the effect of a fault can be %j", async (effect) => {
  expect(await control("POST", "/faults", { effect })).toEqual(done);
});

test("POST /behaviour changes only the given options", async () => {
  expect(await control("POST", "/behaviour", { patchInfo: "replace" })).toEqual(done);
  expect(service.emulator.behaviour).toEqual({ ...defaultBehaviour, patchInfo: "replace" });
});

test("POST /clock/advance advances the clock", async () => {
  const before = service.emulator.clock.now().getTime();
  expect(await control("POST", "/clock/advance", { milliseconds: 60_000 })).toEqual(done);
  expect(service.emulator.clock.now().getTime() - before).toBeGreaterThanOrEqual(60_000);
});

test("the status of a domain is set or advanced", async () => {
  expect(await control("POST", `/domains/${DOMAIN}/status`, { status: "PENDING_DNS" })).toEqual(done);
  expect(await control("POST", `/domains/${DOMAIN.toUpperCase()}/advance`)).toEqual(done);
  expect(service.emulator.state.customDomains[0]?.lifecycleStatus).toBe("PENDING_CERTIFICATE");
});

const WRONG: [method: string, path: string, body: unknown, status: number, message: unknown][] = [
  ["POST", "/seed", { organizations: [{ id: "x" }] }, 400, ['organizations.0.id must match format "uuid"']],
  [
    "POST",
    "/seed",
    { organizations: [{ keys: [{ key: "same-key-1" }, { key: "same-key-1" }] }] },
    400,
    "organizations.0.keys.1: This key already exists.",
  ],
  ["POST", "/seed", undefined, 400, ["a JSON body is required"]],
  ["POST", "/seed", "{", 400, ["the body is not valid JSON"]],
  ["POST", "/seed", "{}".padEnd(1_000_001), 400, ["the body is larger than 1000000 bytes"]],
  ["POST", "/faults", {}, 400, ["effect is required"]],
  [
    "POST",
    "/faults",
    { effect: { status: 200 } },
    400,
    expect.arrayContaining(["effect.status must be >= 400"]),
  ],
  ["POST", "/faults", { operation: "x", effect: { status: 500 } }, 400, "The operation x does not exist."],
  [
    "POST",
    "/faults",
    { operation: ["getProject", "y"], effect: { status: 500 } },
    400,
    "The operation y does not exist.",
  ],
  [
    "POST",
    "/faults",
    { match: "(", effect: { status: 500 } },
    400,
    "match is not a regular expression: Unterminated group.",
  ],
  [
    "POST",
    "/faults",
    { effect: { delayMs: 2_147_483_648 } },
    400,
    expect.arrayContaining(["effect.delayMs must be <= 2147483647"]),
  ],
  ["POST", "/behaviour", { patchInfo: "x" }, 400, ["patchInfo must be one of merge, replace"]],
  ["POST", "/behaviour", { other: 1 }, 400, ["other is not allowed"]],
  ["POST", "/clock/advance", { milliseconds: -1 }, 400, ["milliseconds must be >= 0"]],
  ["POST", "/clock/advance", '{"milliseconds":1e999}', 400, ["milliseconds must be number"]],
  [
    "POST",
    "/clock/advance",
    { milliseconds: 1e300 },
    400,
    "The clock cannot advance by 1e+300 milliseconds: it needs a number of at least 0, and ends with the year 9998.",
  ],
  ["POST", `/domains/${NOWHERE}/advance`, undefined, 404, "Custom domain not found."],
  ["POST", `/domains/${NOWHERE}/status`, { status: "ACTIVE" }, 404, "Custom domain not found."],
  ["POST", "/domains/x/advance", undefined, 400, ['custom_domain_id must match format "uuid"']],
  [
    "POST",
    `/domains/${DOMAIN}/status`,
    { status: "GONE" },
    400,
    [expect.stringMatching(/^status must be one of PENDING_PROVIDER, /)],
  ],
  ["GET", "/nothing", undefined, 404, "Unknown operation."],
  ["GET", "/reset", undefined, 404, "Unknown operation."],
];

test.each(WRONG)("%s %s with %.99j is rejected", async (method, path, body, status, message) => {
  const before = service.emulator.state;
  expect(await control(method, path, body)).toMatchObject({ status, body: { statusCode: status, message } });
  expect(service.emulator.state).toEqual(before);
  expect((await service.get(paths.project)).status).toBe(200);
});

function refusedWith(message: unknown, status = 403, error = "Forbidden") {
  return { status, body: { statusCode: status, message, error } };
}

describe("the controls are protected from web pages on the same machine", () => {
  const url = (path: string) => `${service.emulator.url}/_emulator${path}`;
  const seed = { method: "POST", body: '{"organizations":[{"projects":[{"name":"Planted"}]}]}' };

  test.each([
    "evil.example",
    "evil.example:80",
    "localhost.evil.example",
    "evil-localhost",
    "127.0.0.1.evil.example",
    "a b",
  ])("and do not answer under the name %j, which its owner can point to this machine", async (host) => {
    expect(await ask(url("/state"), { host })).toEqual(
      refusedWith(
        "The controls accept requests for localhost or an IP address only, because a web page could use any other name. Use one of them, or send the header Host: localhost.",
      ),
    );
  });

  test.each(["localhost", "LOCALHOST:8180", "emulator.localhost", "127.0.0.1:1", "[::1]:8180", "192.0.2.7"])(
    "and answer under %s",
    async (host) => {
      expect(await ask(url("/state"), { host })).toEqual({ status: 200, body: service.emulator.state });
    },
  );

  test.each(["https://evil.example", "null", "http://localhost:3000"])(
    "and do not answer the origin %s",
    async (origin) => {
      for (const method of ["GET", "POST"]) {
        expect(await ask(url(method === "GET" ? "/state" : "/reset"), { origin }, { method })).toEqual(
          refusedWith("The controls do not accept requests from web pages."),
        );
      }
    },
  );

  test.each([
    "application/x-www-form-urlencoded",
    "text/plain",
    "multipart/form-data; boundary=x",
    "text/plain; application/json",
  ])("and reject a body of the type %s, as forms send it", async (type) => {
    const before = service.emulator.state;
    expect(await ask(url("/seed"), { "content-type": type }, seed)).toEqual(
      refusedWith(["Content-Type must be application/json"], 400, "Bad Request"),
    );
    expect(service.emulator.state).toEqual(before);
  });
});

test("the controls are off by default", async () => {
  const { emulator } = await startService();
  const answer = await fetch(`${emulator.url}/_emulator/state`);
  expect(answer.status).toBe(404);
  expect(emulator.requests.map(({ path }) => path)).toEqual(["/_emulator/state"]);
  await emulator.close();
});
