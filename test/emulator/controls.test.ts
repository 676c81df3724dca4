/** The emulator's controls over HTTP. */
import { readFileSync } from "node:fs";
import { defaultBehaviour, type Emulator, type EmulatorState } from "../../testing/emulator";
import { controls } from "./contract/contract";
import {
  exchange,
  expectAnswer,
  FOREIGN,
  FOREIGN_KEY,
  KEY,
  NOWHERE,
  OWN,
  paths,
  START_MS,
  startService,
  useService,
} from "./service";

const service = useService({ controls: true });

async function control(sent: string, body?: unknown, headers: Record<string, string> = {}) {
  const [method = "", path = ""] = sent.split(" ");
  const { status, text } = await exchange(`${service.emulator.url}/_emulator${path}`, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
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
    const fault = { operation: "getProject", skip: 1, count: 2, effect: { status: 503 } } as const;
    service.emulator.inject(fault);
    for (const _ of [1, 2]) await service.get(paths.project);
    service.emulator.clock.advance(86_400_000);
    const shown = { ...service.emulator, clock: { now: new Date(START_MS + 86_400_000) } };
    expect(shown.faults).toEqual([{ ...fault, skip: 0, count: 1 }]);
    expect(shown.requests.map((request) => request.fault)).toEqual([null, fault.effect]);
    const body: unknown = JSON.parse(JSON.stringify(shown[member as keyof Emulator]));
    expect(await control(`GET ${path}`)).toEqual({ status: 200, body });
  },
);

type Change = readonly [request: string, body?: object];

const NEW_APPLICATION = `POST /projects/${OWN.project}/applications`;
const NEW_DOMAIN = `POST /projects/${OWN.project}/domains`;
const SET_STATUS = `POST /domains/${OWN.domain}/status`;

/** The requests that add, change or remove objects of a kind, by kind. */
const CHANGES: Readonly<Partial<Record<keyof EmulatorState, readonly Change[]>>> = {
  organizations: [
    ["POST /organizations", { id: NOWHERE, blocked: true }],
    [`POST /organizations/${OWN.organization}/blocked`, { blocked: true }],
  ],
  credentials: [
    [`POST /organizations/${OWN.organization}/keys`, { key: "new-key-1", scopes: ["links:read"] }],
    ["POST /keys/scopes", { key: KEY, scopes: ["domains:write"] }],
    ["POST /keys/revoke", { key: FOREIGN_KEY }],
  ],
  projects: [
    [`POST /organizations/${OWN.organization}/projects`, { id: NOWHERE, name: "Shop" }],
    [`PATCH /projects/${OWN.project}`, { name: "Renamed", defaultHookupMsg: null }],
    [`DELETE /projects/${FOREIGN.project}`],
    [`POST /projects/${OWN.project}/pro`, { pro: false }],
  ],
  applications: [
    [NEW_APPLICATION, { id: NOWHERE, appType: "WEB" }],
    [`PATCH ${paths.ios}`, { appleInfo: { appName: "Other" } }],
    [`DELETE ${paths.ios}`],
  ],
  customDomains: [
    [NEW_DOMAIN, { id: NOWHERE, hostname: "new.example", lifecycleStatus: "FAILED" }],
    [SET_STATUS, { status: "FAILED", retryCount: 7, lastError: null }],
    [`DELETE /domains/${OWN.domain}`],
  ],
  links: [
    [`POST /projects/${OWN.project}/links`, { id: NOWHERE, name: "New", url: "https://new.example/" }],
    [`DELETE ${paths.link}`],
  ],
};
const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

function objectOf(request: string, body: Readonly<Record<string, unknown>> = {}): object {
  const { key, status, ...fields } = body;
  if (key !== undefined)
    return { keyPrefix: String(key).slice(0, 6), revoked: request.endsWith("/revoke"), ...fields };
  const update = request.startsWith("PATCH") && { updatedAt: new Date(START_MS).toISOString() };
  return {
    id: ID.exec(request)?.[0],
    ...fields,
    ...(status !== undefined && { lifecycleStatus: status }),
    ...update,
  };
}

describe.each(Object.entries(CHANGES))("%s are changed by", (kind, changes) => {
  // Rows of the same length: Jest would pass its own callback for a missing value.
  test.each(changes.map(([request, body]) => [request, body] as const))(
    "%s with %j",
    async (request, body) => {
      const { status, body: shown } = await control(request, body);
      const expected = expect.objectContaining(objectOf(request, { ...body }));
      const state: readonly object[] = service.emulator.state[kind as keyof EmulatorState];
      const found = state.filter((object) => expected.asymmetricMatch(object));
      expect(found).toHaveLength(request.startsWith("DELETE") ? 0 : 1);
      // An object that is created is returned.
      const isCreated = body !== undefined && "id" in body;
      expect([status, shown]).toEqual(isCreated ? [200, found[0]] : [204, undefined]);
      expect(service.emulator.requests).toEqual([]);
    },
  );
});

const changesById = Object.values(CHANGES)
  .flat()
  .map(([request, body]) => [request.replace(ID, NOWHERE), body] as const)
  .filter(([request]) => request.includes(NOWHERE));

test.each([[`POST /domains/${NOWHERE}/advance`, undefined] as const, ...changesById])(
  "%s is refused, because there is no such object",
  async (request, body) => {
    const message = `${NOWHERE} does not exist.`;
    expect(await control(request, body)).toMatchObject({ status: 404, body: { message } });
  },
);

test("the requests in docs/emulator.md are accepted", async () => {
  const text = readFileSync("docs/emulator.md", "utf8").replaceAll("$PROJECT", OWN.project);
  const commands = [...text.matchAll(/^curl --fail \$CONTROLS(\S+)(?: -X (\w+))? --json '(.*)'$/gm)];
  for (const [, path = "", method = "POST", body] of commands) {
    const { status } = await control(`${method} ${path}`, body);
    expect([200, 204]).toContain(status);
  }
  expect(commands.length).toBeGreaterThan(2);
});

const PLANTED = { organizations: [{ projects: [{ name: "Planted" }] }] };
const EFFECT = { status: 503, retryAfter: 1 };
const FAULT = { operation: "getProject", count: 2, match: "projects", effect: EFFECT };
const REPLACE = { patchInfo: "replace" };
const ADVANCE = `POST /domains/${OWN.domain.toUpperCase()}/advance`;

test.each<[request: string, body: unknown, shown: (emulator: Emulator) => unknown, expected: unknown]>([
  ["DELETE /requests", undefined, ({ requests }) => requests, []],
  ["POST /seed", PLANTED, ({ state }) => state.projects.at(-1)?.name, "Planted"],
  ["POST /reset", undefined, (each) => [each.state.projects.length, each.requests, each.faults], [3, [], []]],
  ["POST /faults", FAULT, ({ faults }) => faults.at(-1), { ...FAULT, skip: 0 }],
  ["DELETE /faults", undefined, ({ faults }) => faults, []],
  ["POST /behaviour", REPLACE, ({ behaviour }) => behaviour, { ...defaultBehaviour, ...REPLACE }],
  ["POST /clock/advance", { milliseconds: 5 }, ({ clock }) => clock.now().getTime(), START_MS + 5],
  [ADVANCE, undefined, ({ state }) => state.customDomains[0]?.lifecycleStatus, "PENDING_CERTIFICATE"],
])("%s with %j changes the emulator", async (request, body, shown, expected) => {
  service.emulator.setDomainStatus(OWN.domain, "PENDING_DNS");
  service.emulator.createProject(OWN.organization, { name: "Other" });
  service.emulator.inject({ operation: "getLink", effect: { status: 500 } });
  await service.get(paths.project);
  expect(await control(request, body)).toEqual({ status: 204, body: undefined });
  expect(shown(service.emulator)).toEqual(expected);
});

/** The messages for an invalid effect of a fault, of which one is this. */
function ofEffect(message: string): unknown {
  return expect.arrayContaining([expect.stringContaining(`effect.${message}`)]);
}

test.each<[request: string, body: unknown, message: unknown, status?: number]>([
  ["POST /seed", { organizations: [{ id: "x" }] }, ['organizations.0.id must match format "uuid"']],
  ["POST /seed", undefined, ["a JSON body is required"]],
  ["POST /seed", "{", ["the body is not valid JSON"]],
  ["POST /faults", {}, ["effect is required"]],
  ["POST /faults", { effect: { status: 200 } }, ofEffect("status must be >= 400")],
  ["POST /faults", { operation: "toString", effect: EFFECT }, "The operation toString does not exist."],
  ["POST /faults", { match: "(", effect: EFFECT }, "match is not a regular expression: Unterminated group."],
  ["POST /faults", { effect: { delayMs: 2 ** 31 } }, ofEffect("delayMs must be <= 2147483647")],
  ["POST /faults", { effect: { ...EFFECT, retryAfter: "1\n" } }, ofEffect("retryAfter must match pattern")],
  ["POST /faults", { effect: { redirect: "https://x/\r\n" } }, ofEffect("redirect must match pattern")],
  ["POST /behaviour", { patchInfo: "x" }, ["patchInfo must be one of merge, replace"]],
  ["POST /clock/advance", '{"milliseconds":1e999}', ["milliseconds must be number"]],
  ["POST /keys/revoke", { key: "no-such-key" }, "The key does not exist.", 404],
  [NEW_APPLICATION, { id: OWN.ios, appType: "WEB" }, `${OWN.ios} already exists.`, 409],
  [`PATCH /projects/${OWN.project}`, { organizationId: NOWHERE }, ["organizationId is not allowed"]],
  [`PATCH ${paths.ios}`, {}, ["must NOT have fewer than 1 properties"]],
  [SET_STATUS, { status: "GONE" }, [expect.stringMatching(/^status must be one of PENDING_PROVIDER, /)]],
  [
    SET_STATUS,
    { lastError: "x" },
    expect.arrayContaining([expect.stringMatching(/^lastError must be one of/)]),
  ],
  ["GET /nothing", undefined, "Unknown operation.", 404],
])("%s with %.99j is rejected", async (request, body, message, statusCode = 400) => {
  const before = service.emulator.state;
  expect(await control(request, body)).toMatchObject({ status: statusCode, body: { statusCode, message } });
  expect(service.emulator.state).toEqual(before);
  await expectAnswer(service.get(paths.project), 200);
});

test("a body that is not JSON is rejected", async () => {
  const before = service.emulator.state;
  const body = { statusCode: 400, message: ["Content-Type must be application/json"] };
  const answer = await control("POST /seed", PLANTED, { "content-type": "text/plain" });
  expect(answer).toMatchObject({ status: 400, body });
  expect(service.emulator.state).toEqual(before);
});

test("the controls are off by default", async () => {
  const { emulator } = await startService();
  expect((await fetch(`${emulator.url}/_emulator/state`)).status).toBe(404);
  expect(emulator.requests.map(({ path }) => path)).toEqual(["/_emulator/state"]);
  await emulator.close();
});
