/** The emulator itself: its log, state, clock and seeds, direct changes of the state, concurrency, and closing. */
import { Agent } from "node:http";
import fc from "fast-check";
import { defaultBehaviour, type Seed, SeedError, startEmulator } from "../../testing/emulator";
import { until } from "../support/processes/until";
import { allowed, named } from "./contract/contract";
import {
  appleInfo,
  exchange,
  expectAnswer,
  KEY,
  NOWHERE,
  OWN,
  paths,
  START_MS,
  startService,
  useService,
} from "./service";

const service = useService();
const { request, get } = service;

describe("the log", () => {
  test("contains every request in order of arrival, until it is cleared", async () => {
    const created = { project_name: "New" };
    service.emulator.clock.advance(5);
    await request("POST", `${paths.projects}?x=1`, created, { "x-request-id": "mine" });
    await get("/nothing", "some-unknown-key");
    await request("PATCH", paths.project, "{oops");
    expect(service.emulator.requests).toEqual([
      {
        time: new Date(START_MS + 5).toISOString(),
        method: "POST",
        path: `/api/v2${paths.projects}`,
        query: { x: "1" },
        operationId: "createProject",
        keyPrefix: "key-of",
        requestId: "mine",
        body: created,
        status: 201,
        fault: null,
      },
      expect.objectContaining({ operationId: null, keyPrefix: null, body: undefined, status: 404 }),
      expect.objectContaining({ operationId: "updateProject", body: "{oops", status: 400 }),
    ]);
    service.emulator.clearRequests();
    expect(service.emulator.requests).toEqual([]);
  });

  test("contains no key, and neither does any answer", async () => {
    const secret = "secret-key-that-is-unknown";
    service.emulator.revokeKey(KEY);
    const answers = [(await get(paths.projects, secret)).body, (await get(paths.projects)).body];
    const { requests, state } = service.emulator;
    expect(JSON.stringify([requests, state, answers])).not.toMatch(new RegExp(`${secret}|${KEY}`));
    expect(requests.map(({ keyPrefix }) => keyPrefix)).toEqual([null, "key-of"]);
  });
});

test("the state is a copy of the seed, with defaults for the rest", () => {
  Object.assign(service.emulator.state.projects[0] ?? {}, { name: "Changed" });
  const { state } = service.emulator;
  expect(state.organizations[0]).toEqual({ id: OWN.organization, blocked: false });
  expect(state).toMatchObject({
    credentials: [{ organizationId: OWN.organization, keyPrefix: "key-of", revoked: false }, {}],
    projects: [{ id: OWN.project, name: "Shop", pro: true, skin: null, defaultHookupMsg: null }, {}, {}],
    applications: [{ id: OWN.ios, projectId: OWN.project, appType: "IOS", appleInfo }, {}, {}, {}],
    customDomains: [{ id: OWN.domain, lifecycleStatus: "ACTIVE" }, {}, {}],
    links: [{ id: OWN.link, suffix: "home", ready: true, statsFlag: false }, {}, {}],
  });
  expect(state.credentials[0]?.scopes).toHaveLength(8);
});

const NOT_STORED = { applications: undefined, customDomains: undefined, links: undefined };
const REFERENCES = {
  ...{ appleOptions: { x: 1 }, androidOptions: { x: 2 }, additionalOptions: { x: 3 } },
  ...{ customDomainId: OWN.domain, hostname: undefined },
  ...{ appleApplicationId: OWN.ios, androidApplicationId: OWN.android },
};

test.each([
  ["Project", OWN.organization, NOT_STORED],
  ["Application", OWN.project, {}],
  ["CustomDomain", OWN.project, { createdAt: "2020-01-01T00:00:00.000Z" }],
  ["Link", OWN.project, REFERENCES],
] as const)("a new %s can have every property", (kind, parent, changes) => {
  for (const drawn of fc.sample(allowed(named(`Seed${kind}`), true), { seed: 1, numRuns: 9 })) {
    const given = JSON.parse(JSON.stringify(Object.assign({}, drawn, changes)));
    const created = service.emulator[`create${kind}`](parent, { ...given, id: given.id.toUpperCase() });
    expect(created).toMatchObject(given);
  }
});

describe("a seed", () => {
  const ofProject = (project: object) => ({ projects: [{ name: "x", ...project }] });
  const ofLink = (link: object) => ofProject({ links: [{ name: "x", url: "https://x.example", ...link }] });

  test.each<[organization: object, message: string]>([
    [{ keys: [{ key: "short" }] }, ".keys.0.key must NOT have fewer than 8 characters"],
    [{ keys: [{ key: "with a blank" }] }, '.keys.0.key must match pattern "^[!-~]+$"'],
    [{ keys: [{ key: "twice-key-1" }, { key: "twice-key-1" }] }, ".keys.1: This key already exists."],
    [ofProject({ nam: 1 }), ".projects.0.nam is not allowed"],
    [ofLink({ hostname: "no.example" }), ".projects.0.links.0: no.example does not exist."],
    [ofLink({ customDomainId: NOWHERE }), `.projects.0.links.0: ${NOWHERE} does not exist.`],
  ])("that is invalid is rejected: %j", async (organization, message) => {
    const wrong = { organizations: [organization] } as Seed;
    const error = new SeedError(`organizations.0${message}`);
    await expect(startEmulator({ seed: wrong })).rejects.toThrow(error);
  });
});

test.each([Number.NaN, -1])("the clock cannot advance by %d milliseconds", (milliseconds) => {
  const message = `The clock cannot advance by ${milliseconds} milliseconds.`;
  expect(() => service.emulator.clock.advance(milliseconds)).toThrow(message);
  expect(service.emulator.clock.now().getTime()).toBe(START_MS);
});

test("a reset restores the initial state", async () => {
  const { emulator, request, get } = await startService({ behaviour: { deletingPolls: 5 } });
  const before = emulator.state;
  await request("POST", paths.projects, { project_name: "New" });
  emulator.deleteApplication(OWN.ios);
  emulator.setBehaviour({ deletingPolls: 0, patchInfo: "replace" });
  emulator.inject({ count: 10, effect: { status: 500 } });
  await get(paths.projects);
  emulator.clock.advance(1_000_000);
  emulator.reset();
  expect(emulator.requests).toEqual([]);
  expect(emulator.faultsUsed).toEqual([]);
  expect(emulator.behaviour).toEqual({ ...defaultBehaviour, deletingPolls: 5 });
  expect(emulator.clock.now().getTime()).toBe(START_MS);
  // The ids of keys are random.
  const [{ credentials, ...state }, { credentials: keys, ...initial }] = [emulator.state, before];
  expect([state, credentials.length]).toEqual([initial, keys.length]);
  await expectAnswer(get(paths.projects), 200);
  await emulator.close();
});

test("answers that break the interface, and exceptions, are replaced by a 500 and recorded", async () => {
  const { emulator } = service;
  emulator.updateApplication(OWN.ios, { appleInfo: { appName: "x".repeat(51) } });
  emulator.setBehaviour({ cnameTargetAppears: null as never });
  const UNREADABLE = "Cannot read properties of null (reading 'afterPolls')";
  const violations = [
    ["getApplication", paths.ios, 200, "apple_info.app_name must NOT have more than 50 characters"],
    ["getCustomDomain", paths.domain, 500, `TypeError: ${UNREADABLE}`],
  ] as const;
  for (const [operationId, path, , error] of violations) {
    const violated = `The emulator's response to ${operationId} violates the API description.`;
    await expectAnswer(get(path), 500, [violated, error]);
  }
  expect(emulator.violations).toEqual(
    violations.map(([operationId, , status, error]) => ({ operationId, status, errors: [error] })),
  );
  emulator.reset();
  expect(emulator.violations).toEqual([]);
});

test("closing an emulator ends idle connections and requests that hang or wait", async () => {
  const { emulator } = await startService();
  const agent = new Agent({ keepAlive: true });
  const ask = async () => {
    const { status, error } = await exchange(`${emulator.url}/api/v2${paths.projects}`, {
      agent,
      headers: { "x-api-key": KEY },
    });
    return error ?? status;
  };
  expect(await ask()).toBe(200);
  emulator.inject({ effect: { hang: true } });
  emulator.inject({ effect: { delayMs: 3_600_000 } });
  const waiting = [ask(), ask()];
  await until(() => emulator.faultsUsed.length >= 2);
  await emulator.close();
  expect(await Promise.all(waiting)).toEqual(["ECONNRESET", "ECONNRESET"]);
  expect(await ask()).toBe("ECONNREFUSED");
  agent.destroy();
});

test("an emulator has no key without a seed, and can be closed twice", async () => {
  const emulator = await startEmulator();
  const url = `${emulator.url}/api/v2/api-credentials/current`;
  expect((await fetch(url, { headers: { "x-api-key": KEY } })).status).toBe(401);
  expect(emulator.state.organizations).toEqual([]);
  await emulator.close();
  await emulator.close();
});
