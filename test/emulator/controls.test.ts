/** The emulator's controls over HTTP. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { defaultBehaviour, type EmulatorState } from "../../testing/emulator";
import { loadContract } from "../../testing/emulator/contract/contract";
import {
  DOMAIN,
  expectAnswer,
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

/** Expects that a control has been applied. */
async function apply(method: string, path: string, body?: unknown): Promise<void> {
  expect(await control(method, path, body)).toEqual({ status: 204, body: undefined });
}

test("every member of the emulator is available over HTTP, except its URL, its keys and its end", () => {
  const controls = loadContract("controls.yaml").operations.map(({ operationId }) => operationId);
  expect(new Set(controls.map((id) => id.split(".")[0]))).toEqual(
    new Set(Object.keys(service.emulator).filter((name) => !["url", "keys", "close"].includes(name))),
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

const DOMAIN_STATUS = { retryCount: 7, lastError: null };

/**
 * Each request that changes objects of a kind, by kind: its body, and the fields of the object that it adds, changes or
 * removes, by default those of the body.
 */
const CHANGES: Readonly<
  Partial<
    Record<
      keyof EmulatorState,
      readonly (readonly [request: string, body?: object | undefined, expected?: object])[]
    >
  >
> = {
  organizations: [
    ["POST /organizations", { id: NOWHERE, blocked: true }],
    [`POST /organizations/${ORGANIZATION}/blocked`, { blocked: true }, { id: ORGANIZATION, blocked: true }],
  ],
  credentials: [
    [
      `POST /organizations/${ORGANIZATION}/keys`,
      { key: "new-key-1", scopes: ["links:read"] },
      { keyPrefix: "new-ke", scopes: ["links:read"] },
    ],
    [
      "POST /keys/scopes",
      { key: KEY, scopes: ["domains:write"] },
      { keyPrefix: "key-of", scopes: ["domains:write"] },
    ],
    ["POST /keys/revoke", { key: FOREIGN_KEY }, { keyPrefix: "other-", revoked: true }],
  ],
  projects: [
    [`POST /organizations/${ORGANIZATION}/projects`, { id: NOWHERE, name: "Shop" }],
    [
      `PATCH /projects/${PROJECT}`,
      { name: "Renamed", defaultHookupMsg: null },
      { id: PROJECT, name: "Renamed" },
    ],
    [`DELETE /projects/${FOREIGN.project}`, undefined, { id: FOREIGN.project }],
    [`POST /projects/${PROJECT}/pro`, { pro: false }, { id: PROJECT, pro: false }],
  ],
  applications: [
    [
      `POST /projects/${PROJECT}/applications`,
      { id: NOWHERE, appType: "WEB" },
      { id: NOWHERE, projectId: PROJECT },
    ],
    [`PATCH ${paths.ios}`, { appleInfo: { appName: "Other" } }, { id: IOS, appleInfo: { appName: "Other" } }],
    [`DELETE ${paths.ios}`, undefined, { id: IOS }],
  ],
  customDomains: [
    [`POST /projects/${PROJECT}/domains`, { hostname: "new.example", lifecycleStatus: "FAILED" }],
    [
      `POST /domains/${DOMAIN}/status`,
      { status: "FAILED", ...DOMAIN_STATUS },
      { id: DOMAIN, lifecycleStatus: "FAILED", ...DOMAIN_STATUS },
    ],
    [`DELETE /domains/${DOMAIN.toUpperCase()}`, undefined, { id: DOMAIN }],
  ],
  links: [
    [
      `POST /projects/${PROJECT}/links`,
      { id: NOWHERE, name: "New", url: "https://new.example/" },
      { id: NOWHERE, name: "New" },
    ],
    [`DELETE ${paths.link}`, undefined, { id: LINK }],
  ],
};

describe.each(Object.entries(CHANGES))("%s are changed by", (kind, changes) => {
  test.each(changes.map(([request, body, expected = body]) => [request, body, expected] as const))(
    "%s with %j",
    async (request, body, expected = {}) => {
      const [method = "", path = ""] = request.split(" ");
      expect([200, 204]).toContain((await control(method, path, body)).status);
      const state: readonly object[] = service.emulator.state[kind as keyof EmulatorState];
      const found = state.filter((object) => expect.objectContaining(expected).asymmetricMatch(object));
      expect(found).toHaveLength(method === "DELETE" ? 0 : 1);
      expect(service.emulator.requests).toEqual([]);
    },
  );
});

test("the requests in docs/testing.md are accepted", async () => {
  const text = readFileSync("docs/testing.md", "utf8").replaceAll("$PROJECT", PROJECT);
  const commands = [...text.matchAll(/^curl --fail \$CONTROLS(\S+)(?: -X (\w+))? --json '(.*)'$/gm)];
  for (const [, path = "", method = "POST", body] of commands) await apply(method, path, body);
  expect(commands.length).toBeGreaterThan(2);
});

test("an object that is created is returned", async () => {
  const { body } = await control("POST", `/projects/${PROJECT}/applications`, { appType: "WEB" });
  expect(body).toEqual(service.emulator.state.applications.at(-1));
});

test("DELETE /requests clears the log", async () => {
  await service.get(paths.project);
  await apply("DELETE", "/requests");
  expect(service.emulator.requests).toEqual([]);
});

test("POST /seed adds a seed, and POST /reset restores the initial state", async () => {
  const { projects } = service.emulator.state;
  await service.get(paths.project);
  await apply("POST", "/seed", { organizations: [{ projects: [{ name: "Planted" }] }] });
  expect(service.emulator.state.projects.at(-1)?.name).toBe("Planted");
  await apply("POST", "/reset");
  expect(service.emulator.requests).toEqual([]);
  expect(service.emulator.state.projects.map(({ id }) => id)).toEqual(projects.map(({ id }) => id));
});

test("POST /faults injects a fault, and DELETE /faults clears all", async () => {
  const effect = { status: 503, retryAfter: 1 };
  await apply("POST", "/faults", { operation: "getProject", count: 2, match: "projects", effect });
  await expectAnswer(service.get(paths.project), 503);
  await apply("DELETE", "/faults");
  await expectAnswer(service.get(paths.project), 200);
});

const PAGE = { foreign: 404, text: "<p>", contentType: "text/html", retryAfter: 1 };
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
  { ...PAGE, echoRequestId: true, afterEffect: true },
])("the effect of a fault can be %j", async (effect) => {
  await apply("POST", "/faults", { effect });
});

test("POST /behaviour changes only the given options", async () => {
  await apply("POST", "/behaviour", { patchInfo: "replace" });
  expect(service.emulator.behaviour).toEqual({ ...defaultBehaviour, patchInfo: "replace" });
});

test("POST /clock/advance advances the clock", async () => {
  const before = service.emulator.clock.now().getTime();
  await apply("POST", "/clock/advance", { milliseconds: 60_000 });
  expect(service.emulator.clock.now().getTime() - before).toBeGreaterThanOrEqual(60_000);
});

test("the status of a domain is set or advanced", async () => {
  await apply("POST", `/domains/${DOMAIN}/status`, { status: "PENDING_DNS" });
  await apply("POST", `/domains/${DOMAIN.toUpperCase()}/advance`);
  expect(service.emulator.state.customDomains[0]?.lifecycleStatus).toBe("PENDING_CERTIFICATE");
});

const ERROR = { status: 500 };
const CLOCK =
  "The clock cannot advance by 1e+300 milliseconds: it needs a number of at least 0, and ends with the year 9998.";
const TWICE = { keys: [{ key: "same-key-1" }, { key: "same-key-1" }] };
const LINK_WITHOUT_DOMAIN = { name: "x", url: "https://x.example/", hostname: "no.example" };

/** The messages for an effect with a text that no header can have. */
function inHeader(field: string): unknown {
  return expect.arrayContaining([expect.stringContaining(`effect.${field} must match pattern`)]);
}

test.each<[path: string, body: unknown, message: unknown, status?: number, method?: string]>([
  ["/seed", { organizations: [{ id: "x" }] }, ['organizations.0.id must match format "uuid"']],
  ["/seed", { organizations: [TWICE] }, "organizations.0.keys.1: This key already exists."],
  ["/seed", undefined, ["a JSON body is required"]],
  ["/seed", "{", ["the body is not valid JSON"]],
  ["/seed", "{}".padEnd(1_000_001), ["the body is larger than 1000000 bytes"]],
  ["/faults", {}, ["effect is required"]],
  ["/faults", { effect: { status: 200 } }, expect.arrayContaining(["effect.status must be >= 400"])],
  ["/faults", { operation: "x", effect: ERROR }, "The operation x does not exist."],
  ["/faults", { operation: ["getProject", "y"], effect: ERROR }, "The operation y does not exist."],
  ["/faults", { match: "(", effect: ERROR }, "match is not a regular expression: Unterminated group."],
  [
    "/faults",
    { effect: { delayMs: 2_147_483_648 } },
    expect.arrayContaining(["effect.delayMs must be <= 2147483647"]),
  ],
  ["/faults", { effect: { status: 503, retryAfter: "1\n" } }, inHeader("retryAfter")],
  ["/faults", { effect: { foreign: 503, retryAfter: "\u{1f557}" } }, inHeader("retryAfter")],
  ["/faults", { effect: { foreign: 200, contentType: "text/html\0" } }, inHeader("contentType")],
  ["/faults", { effect: { redirect: "https://x.example/\r\nx: y" } }, inHeader("redirect")],
  ["/behaviour", { patchInfo: "x" }, ["patchInfo must be one of merge, replace"]],
  ["/behaviour", { other: 1 }, ["other is not allowed"]],
  ["/clock/advance", { milliseconds: -1 }, ["milliseconds must be >= 0"]],
  ["/clock/advance", '{"milliseconds":1e999}', ["milliseconds must be number"]],
  ["/clock/advance", { milliseconds: 1e300 }, CLOCK],
  [`/domains/${NOWHERE}/advance`, undefined, `${NOWHERE} does not exist.`, 404],
  [`/domains/${NOWHERE}/status`, { status: "ACTIVE" }, `${NOWHERE} does not exist.`, 404],
  ["/keys/revoke", { key: "no-such-key" }, "The key does not exist.", 404],
  [`/organizations/${ORGANIZATION}/keys`, { key: KEY }, "This key already exists.", 409],
  [`/projects/${PROJECT}/applications`, { id: IOS, appType: "WEB" }, `${IOS} already exists.`, 409],
  [`/projects/${PROJECT}/links`, LINK_WITHOUT_DOMAIN, "no.example does not exist.", 404],
  [`/projects/${PROJECT}`, { organizationId: NOWHERE }, ["organizationId is not allowed"], 400, "PATCH"],
  [paths.ios, {}, ["must NOT have fewer than 1 properties"], 400, "PATCH"],
  ["/domains/x/advance", undefined, ['id must match format "uuid"']],
  [
    `/domains/${DOMAIN}/status`,
    { status: "GONE" },
    [expect.stringMatching(/^status must be one of PENDING_PROVIDER, /)],
  ],
  ["/nothing", undefined, "Unknown operation.", 404, "GET"],
  ["/reset", undefined, "Unknown operation.", 404, "GET"],
])("%s with %.99j is rejected", async (...row) => {
  const [path, body, message, status = 400, method = "POST"] = row;
  const before = service.emulator.state;
  expect(await control(method, path, body)).toMatchObject({ status, body: { statusCode: status, message } });
  expect(service.emulator.state).toEqual(before);
  await expectAnswer(service.get(paths.project), 200);
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
    expect((await ask(url("/reset"), own, { method: "POST" })).status).toBe(204);
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
  expect((await fetch(`${emulator.url}/_emulator/state`)).status).toBe(404);
  expect(emulator.requests.map(({ path }) => path)).toEqual(["/_emulator/state"]);
  await emulator.close();
});
