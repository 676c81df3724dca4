/** The emulator's controls over HTTP. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { defaultBehaviour, type EmulatorState } from "../../testing/emulator";
import { loadContract } from "../../testing/emulator/contract/contract";
import {
  ANDROID,
  DOMAIN,
  FOREIGN,
  FOREIGN_KEY,
  IOS,
  KEY,
  LINK,
  NOWHERE,
  ORGANIZATION,
  PROJECT,
  paths,
  startService,
  useService,
} from "./service";

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

test("every member of the emulator is available over HTTP, except its URL and its end", () => {
  const controls = loadContract("controls.yaml").operations.map(({ operationId }) => operationId);
  expect(new Set(controls.map((id) => id.split(".")[0]))).toEqual(
    new Set(Object.keys(service.emulator).filter((name) => name !== "url" && name !== "close")),
  );
});

test.each([
  ["/requests", "requests"],
  ["/violations", "violations"],
  ["/state", "state"],
  ["/faults", "faults"],
  ["/faults/used", "faultsUsed"],
  ["/behaviour", "behaviour"],
] as const)("GET %s returns %s", async (path, member) => {
  const fault = { operation: "getProject", skip: 1, count: 2, effect: { status: 503 } } as const;
  service.emulator.inject(fault);
  for (const _ of [1, 2]) await service.get(paths.project);
  expect(service.emulator.faults).toEqual([{ ...fault, skip: 0, count: 1 }]);
  expect(service.emulator.requests.map((request) => request.fault)).toEqual([null, fault.effect]);
  const body: unknown = JSON.parse(JSON.stringify(service.emulator[member]));
  expect(await control("GET", path)).toEqual({ status: 200, body });
});

test("GET /clock returns the time", async () => {
  service.emulator.clock.advance(86_400_000);
  const { body } = await control("GET", "/clock");
  const { now } = body as { now: string };
  expect(Math.abs(Date.parse(now) - service.emulator.clock.now().getTime())).toBeLessThan(60_000);
});

/** Each change, and the kind and fields of the object that it adds, changes or removes. */
const CHANGES: readonly (readonly [
  method: string,
  path: string,
  body: object | undefined,
  kind: keyof EmulatorState,
  expected: object,
])[] = [
  ["POST", "/organizations", { id: NOWHERE, blocked: true }, "organizations", { id: NOWHERE, blocked: true }],
  [
    "POST",
    `/organizations/${ORGANIZATION}/blocked`,
    { blocked: true },
    "organizations",
    { id: ORGANIZATION, blocked: true },
  ],
  [
    "POST",
    `/organizations/${ORGANIZATION}/keys`,
    { key: "new-key-1", scopes: ["links:read"] },
    "credentials",
    { keyPrefix: "new-ke", scopes: ["links:read"] },
  ],
  [
    "POST",
    "/keys/scopes",
    { key: KEY, scopes: ["domains:write"] },
    "credentials",
    { keyPrefix: "key-of", scopes: ["domains:write"] },
  ],
  ["POST", "/keys/revoke", { key: FOREIGN_KEY }, "credentials", { keyPrefix: "other-", revoked: true }],
  [
    "POST",
    `/organizations/${ORGANIZATION}/projects`,
    { id: NOWHERE, name: "Shop" },
    "projects",
    { id: NOWHERE, name: "Shop" },
  ],
  [
    "PATCH",
    `/projects/${PROJECT}`,
    { name: "Renamed", defaultHookupMsg: null },
    "projects",
    { id: PROJECT, name: "Renamed" },
  ],
  ["DELETE", `/projects/${FOREIGN.project}`, undefined, "projects", { id: FOREIGN.project }],
  ["POST", `/projects/${PROJECT}/pro`, { pro: false }, "projects", { id: PROJECT, pro: false }],
  [
    "POST",
    `/projects/${PROJECT}/applications`,
    { id: NOWHERE, appType: "WEB" },
    "applications",
    { id: NOWHERE, projectId: PROJECT },
  ],
  [
    "PATCH",
    `/applications/${IOS}`,
    { appleInfo: { appName: "Other" } },
    "applications",
    { id: IOS, appleInfo: { appName: "Other" } },
  ],
  ["DELETE", `/applications/${ANDROID}`, undefined, "applications", { id: ANDROID }],
  [
    "POST",
    `/projects/${PROJECT}/domains`,
    { hostname: "new.example", lifecycleStatus: "FAILED" },
    "customDomains",
    { hostname: "new.example", lifecycleStatus: "FAILED" },
  ],
  [
    "POST",
    `/domains/${DOMAIN}/status`,
    { status: "FAILED", retryCount: 7, lastError: null },
    "customDomains",
    { id: DOMAIN, lifecycleStatus: "FAILED", retryCount: 7, lastError: null },
  ],
  ["DELETE", `/domains/${DOMAIN.toUpperCase()}`, undefined, "customDomains", { id: DOMAIN }],
  [
    "POST",
    `/projects/${PROJECT}/links`,
    { id: NOWHERE, name: "New", url: "https://new.example/" },
    "links",
    { id: NOWHERE, name: "New" },
  ],
  ["DELETE", `/links/${LINK}`, undefined, "links", { id: LINK }],
];

test.each(CHANGES)("%s %s with %j changes the %s", async (method, path, body, kind, expected) => {
  expect([200, 204]).toContain((await control(method, path, body)).status);
  const state: readonly object[] = service.emulator.state[kind];
  const found = state.filter((object) => expect.objectContaining(expected).asymmetricMatch(object));
  expect(found).toHaveLength(method === "DELETE" ? 0 : 1);
  expect(service.emulator.requests).toEqual([]);
});

test("the requests in docs/testing.md are accepted", async () => {
  const text = readFileSync("docs/testing.md", "utf8").replaceAll("$PROJECT", PROJECT);
  const commands = [...text.matchAll(/^curl --fail \$CONTROLS(\S+)(?: -X (\w+))? --json '(.*)'$/gm)];
  for (const [, path = "", method = "POST", body] of commands)
    expect(await control(method, path, body)).toEqual(done);
  expect(commands.length).toBeGreaterThan(2);
});

test("an object that is created is returned", async () => {
  const { body } = await control("POST", `/projects/${PROJECT}/applications`, { appType: "WEB" });
  expect(body).toEqual(service.emulator.state.applications.at(-1));
});

test("DELETE /requests clears the log", async () => {
  await service.get(paths.project);
  expect(await control("DELETE", "/requests")).toEqual(done);
  expect(service.emulator.requests).toEqual([]);
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
  ["POST", `/domains/${NOWHERE}/advance`, undefined, 404, `${NOWHERE} does not exist.`],
  ["POST", `/domains/${NOWHERE}/status`, { status: "ACTIVE" }, 404, `${NOWHERE} does not exist.`],
  ["POST", "/keys/revoke", { key: "no-such-key" }, 404, "The key does not exist."],
  ["POST", `/organizations/${ORGANIZATION}/keys`, { key: KEY }, 409, "This key already exists."],
  ["POST", `/projects/${PROJECT}/applications`, { id: IOS, appType: "WEB" }, 409, `${IOS} already exists.`],
  [
    "POST",
    `/projects/${PROJECT}/links`,
    { name: "x", url: "https://x.example/", hostname: "no.example" },
    404,
    "no.example does not exist.",
  ],
  ["PATCH", `/projects/${PROJECT}`, { organizationId: NOWHERE }, 400, ["organizationId is not allowed"]],
  ["PATCH", `/applications/${IOS}`, {}, 400, ["must NOT have fewer than 1 properties"]],
  ["POST", "/domains/x/advance", undefined, 400, ['id must match format "uuid"']],
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

  test("and answer their own origin", async () => {
    const own = { origin: service.emulator.url };
    expect(await ask(url("/reset"), own, { method: "POST" })).toEqual(done);
  });

  test.each(["https://evil.example", "null", "http://localhost:3000", "http://127.0.0.1"])(
    "and do not answer the origin %s",
    async (origin) => {
      for (const method of ["GET", "POST"]) {
        expect(await ask(url(method === "GET" ? "/state" : "/reset"), { origin }, { method })).toEqual(
          refusedWith("The controls do not accept requests from other web pages."),
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
