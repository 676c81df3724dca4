/** The emulator's controls over HTTP. */
import { readFileSync } from "node:fs";
import { defaultBehaviour, type Emulator, type EmulatorState, startEmulator } from "../../testing/emulator";
import { controls } from "./contract/contract";
import { exchange, FOREIGN_KEY, KEY, NOWHERE, OWN, paths, START_MS, useService } from "./service";

const service = useService({ controls: true });

async function control(sent: string, body?: unknown, more: Record<string, string> = {}) {
  const [method = "", path = ""] = sent.split(" ");
  const { status, text } = await exchange(`${service.emulator.url}/_emulator${path}`, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...more },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
}

test("every member of the emulator is available over HTTP, except its URL, its keys and its end", () => {
  const members = controls.operations.map(({ operationId }) => operationId.split(".")[0]);
  expect(new Set(members)).toEqual(
    new Set(Object.keys(service.emulator).filter((name) => !["url", "keys", "close"].includes(name))),
  );
});

const READS = controls.operations.filter(({ method }) => method === "get");
test.each(READS.map(({ path, operationId }) => [path.replace("/_emulator", ""), operationId]))(
  "GET %s returns %s",
  async (path, member) => {
    service.emulator.inject({ operation: "getProject", effect: { status: 503 } });
    await service.get(paths.project);
    service.emulator.clock.advance(86_400_000);
    const shown = { ...service.emulator, clock: { now: new Date(START_MS + 86_400_000) } };
    expect(shown.requests.map(({ fault }) => fault)).toEqual([{ status: 503 }]);
    const body: unknown = JSON.parse(JSON.stringify(shown[member as keyof Emulator]));
    expect(await control(`GET ${path}`)).toEqual({ status: 200, body });
  },
);

const { organization, project, domain } = OWN;
const SET_STATUS = `POST /domains/${domain}/status`;
const NEW_APPLICATION = `POST /projects/${project}/applications`;
const NEW_KEY = { key: "new-key-1", scopes: ["links:read"] };
const NEW_LINK = { name: "New", url: "https://new.example/" };
const FAILURE = { status: "FAILED", retryCount: 7, lastError: null };

type Kind = keyof EmulatorState;

/** Requests that change objects, each with an object that it leaves: the first or the last one of its kind. */
const CHANGES: readonly [request: string, body: object | undefined, Kind, index: 0 | -1, object][] = [
  ["POST /organizations", { blocked: true }, "organizations", -1, { blocked: true }],
  [`POST /organizations/${organization}/blocked`, { blocked: true }, "organizations", 0, { blocked: true }],
  [`POST /organizations/${organization}/keys`, NEW_KEY, "credentials", -1, { scopes: NEW_KEY.scopes }],
  ["POST /keys/scopes", { key: KEY, scopes: [] }, "credentials", 0, { scopes: [] }],
  ["POST /keys/revoke", { key: FOREIGN_KEY }, "credentials", -1, { revoked: true }],
  [`POST /organizations/${organization}/projects`, { name: "Shop" }, "projects", -1, { name: "Shop" }],
  [`PATCH /projects/${project}`, { name: "Renamed" }, "projects", 0, { name: "Renamed" }],
  [`DELETE /projects/${project}`, undefined, "projects", 0, { id: OWN.secondProject }],
  [`POST /projects/${project}/pro`, { pro: false }, "projects", 0, { pro: false }],
  [NEW_APPLICATION, { appType: "WEB" }, "applications", -1, { appType: "WEB" }],
  [`PATCH ${paths.ios}`, { appleInfo: null }, "applications", 0, { appleInfo: null }],
  [`DELETE ${paths.ios}`, undefined, "applications", 0, { id: OWN.android }],
  [`POST /projects/${project}/domains`, { hostname: "x.y" }, "customDomains", -1, { hostname: "x.y" }],
  [SET_STATUS, FAILURE, "customDomains", 0, { lifecycleStatus: "FAILED", retryCount: 7, lastError: null }],
  [`POST /domains/${domain}/advance`, undefined, "customDomains", 0, { lifecycleStatus: "PENDING_DNS" }],
  [`DELETE /domains/${domain}`, undefined, "customDomains", 0, { id: OWN.secondDomain }],
  [`POST /projects/${project}/links`, NEW_LINK, "links", -1, NEW_LINK],
  [`DELETE ${paths.link}`, undefined, "links", 0, { id: OWN.domainLink }],
];

test.each(CHANGES)("%s with %j changes the objects", async (request, body, kind, index, expected) => {
  service.emulator.setDomainStatus(domain, "PENDING_PROVIDER");
  const answer = await control(request, body);
  const found: unknown = service.emulator.state[kind].at(index);
  expect(found).toMatchObject(expected);
  // An object that is created is returned.
  const isCreated = index === -1 && kind !== "credentials";
  expect(answer).toEqual(isCreated ? { status: 200, body: found } : { status: 204, body: undefined });
  expect(service.emulator.requests).toEqual([]);
});

const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/;
const elsewhere = CHANGES.map(([request, body]) => [request.replace(ID, NOWHERE), body] as const);
test.each(elsewhere.filter(([request]) => request.includes(NOWHERE)))(
  "%s with %j is refused, because there is no such object",
  async (request, body) => {
    const message = `${NOWHERE} does not exist.`;
    expect(await control(request, body)).toMatchObject({ status: 404, body: { message } });
  },
);

const EFFECT = { status: 503, retryAfter: 1 };
const REPLACE = { patchInfo: "replace" };

test.each<[request: string, body: unknown, shown: (emulator: Emulator) => unknown, expected: unknown]>([
  ["DELETE /requests", undefined, ({ requests }) => requests, []],
  ["POST /reset", undefined, (each) => [each.state.projects.length, each.requests], [3, []]],
  ["DELETE /faults", undefined, ({ faultsUsed }) => faultsUsed, []],
  ["POST /behaviour", REPLACE, ({ behaviour }) => behaviour, { ...defaultBehaviour, ...REPLACE }],
  ["POST /clock/advance", { milliseconds: 5 }, ({ clock }) => clock.now().getTime(), START_MS + 5],
])("%s with %j changes the emulator", async (request, body, shown, expected) => {
  service.emulator.createProject(organization, { name: "Other" });
  service.emulator.inject({ effect: { status: 500 } });
  await service.get(paths.project);
  expect(await control(request, body)).toEqual({ status: 204, body: undefined });
  expect(shown(service.emulator)).toEqual(expected);
});

test("the requests in docs/emulator.md are accepted", async () => {
  const text = readFileSync("docs/emulator.md", "utf8").replaceAll("$PROJECT", project);
  const commands = [...text.matchAll(/^curl --fail \$CONTROLS(\S+)(?: -X (\w+))? --json '(.*)'$/gm)];
  for (const [, path = "", method = "POST", body] of commands) {
    const { status } = await control(`${method} ${path}`, body);
    expect([200, 204]).toContain(status);
  }
  expect(commands.length).toBeGreaterThan(2);
});

/** The messages for an invalid effect of a fault, of which one is this. */
function ofEffect(message: string): unknown {
  return expect.arrayContaining([expect.stringContaining(`effect.${message}`)]);
}

test.each<[request: string, body: unknown, message: unknown, status?: number]>([
  ["POST /faults", undefined, ["a JSON body is required"]],
  ["POST /faults", { effect: { status: 200 } }, ofEffect("status must be >= 400")],
  ["POST /faults", { operation: "toString", effect: EFFECT }, "The operation toString does not exist."],
  ["POST /faults", { effect: { delayMs: 2 ** 31 } }, ofEffect("delayMs must be <= 2147483647")],
  ["POST /faults", { effect: { ...EFFECT, retryAfter: "1\n" } }, ofEffect("retryAfter must match pattern")],
  ["POST /behaviour", { patchInfo: "x" }, ["patchInfo must be one of merge, replace"]],
  ["POST /clock/advance", '{"milliseconds":1e999}', ["milliseconds must be number"]],
  ["POST /keys/revoke", { key: "no-such-key" }, "The key does not exist.", 404],
  [NEW_APPLICATION, { id: OWN.ios, appType: "WEB" }, `${OWN.ios} already exists.`, 409],
  [`PATCH /projects/${project}`, { organizationId: NOWHERE }, ["organizationId is not allowed"]],
  [`PATCH ${paths.ios}`, {}, ["must NOT have fewer than 1 properties"]],
  [SET_STATUS, { status: "GONE" }, [expect.stringMatching(/^status must be one of PENDING_PROVIDER, /)]],
  ["GET /nothing", undefined, "Unknown operation.", 404],
])("%s with %j is rejected", async (request, body, message, statusCode = 400) => {
  const before = service.emulator.state;
  expect(await control(request, body)).toMatchObject({ status: statusCode, body: { statusCode, message } });
  expect(service.emulator.state).toEqual(before);
  expect((await service.get(paths.project)).status).toBe(200);
});

// The owner of a name can point it to this machine.
test.each<Record<string, string>>([
  ...["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "a b"].map((host) => ({ host })),
  ...["https://evil.example", "null", "http://localhost:3000", "http://127.0.0.1"].map((origin) => ({
    origin,
  })),
])("a request of a web page, with %j, is refused", async (headers) => {
  const before = service.emulator.state;
  const message = expect.stringMatching(
    "host" in headers ? /^The controls accept requests for localhost or/ : /no requests from web pages/,
  );
  for (const sent of ["GET /state", `DELETE /projects/${project}`])
    expect(await control(sent, undefined, headers)).toMatchObject({ status: 403, body: { message } });
  expect(service.emulator.state).toEqual(before);
});

test.each(["localhost", "LOCALHOST:8180", "emulator.localhost", "127.0.0.1:1", "[::1]:8180", "192.0.2.7"])(
  "a request to %s is accepted",
  async (host) => expect(await control("GET /state", undefined, { host })).toMatchObject({ status: 200 }),
);

test("a form, which any page could send, is rejected", async () => {
  const url = `${service.emulator.url}/_emulator/faults`;
  const { status } = await fetch(url, { method: "POST", body: JSON.stringify({ effect: EFFECT }) });
  expect(status).toBe(400);
});

test("the controls are off by default", async () => {
  const emulator = await startEmulator();
  expect((await fetch(`${emulator.url}/_emulator/state`)).status).toBe(404);
  expect(emulator.requests.map(({ path }) => path)).toEqual(["/_emulator/state"]);
  await emulator.close();
});
