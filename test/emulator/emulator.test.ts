/** The emulator itself: its log, state, clock and seeds, direct changes of the state, concurrency, and closing. */
import { Agent } from "node:http";
import { defaultBehaviour, type Seed, SeedError, startEmulator } from "../../testing/emulator";
import { until } from "../support/processes/until";
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
    await request("POST", `${paths.projects}?x=1`, created, { "x-request-id": "mine" });
    await get("/nothing", "some-unknown-key");
    await request("PATCH", paths.project, "{oops");
    expect(service.emulator.requests).toEqual([
      {
        time: new Date(START_MS).toISOString(),
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

test("the clock can be advanced, and is in every answer", async () => {
  service.emulator.clock.advance(3_600_000);
  const advanced = new Date(START_MS + 3_600_000);
  expect((await get("/nothing")).headers.get("date")).toBe(advanced.toUTCString());
  expect(service.emulator.requests.at(-1)?.time).toBe(advanced.toISOString());
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

describe("a seed", () => {
  test("can set every property", async () => {
    const id = "1C00000A-0000-4000-8000-000000000001";
    const key = { scopes: ["links:read"], revoked: true } as const;
    const project = {
      ...{ name: "Full", defaultHookupMsg: "Hi", logoImageId: NOWHERE, subDomain: null, pro: false },
      skin: { themeType: "custom", themeChoiceType: "grey" },
      createdAt: "2020-01-01T00:00:00.000Z",
    } as const;
    const domain = { hostname: "full.example", lifecycleStatus: "FAILED", cnameTarget: null } as const;
    const link = {
      ...{ name: "x", url: "https://x.example/", statsFlag: true, ready: false },
      ...{ appleApplicationId: id.toLowerCase(), appleOptions: { requestUri: "/x" } },
    };
    const contents = {
      applications: [{ id, appType: "IOS", appleInfo: null }],
      customDomains: [domain],
      links: [{ ...link, hostname: domain.hostname }],
    } as const;
    const keys = [{ key: "revoked-key-1", ...key }];
    await using full = await startEmulator({
      seed: { organizations: [{ blocked: true, keys, projects: [{ ...project, ...contents }] }] },
    });
    const { state } = full;
    const added = Object.entries(state).map(([kind, objects]) => [kind, objects.at(-1)]);
    expect(Object.fromEntries(added)).toMatchObject({
      organizations: { blocked: true },
      credentials: key,
      projects: project,
      applications: { id: id.toLowerCase(), appleInfo: null },
      customDomains: domain,
      links: { ...link, customDomainId: state.customDomains.at(-1)?.id },
    });
  });

  const ofProject = (project: object) => ({ projects: [{ name: "x", ...project }] });
  const ofLink = (link: object) => ofProject({ links: [{ name: "x", url: "https://x.example", ...link }] });

  test.each<[organization: object, message: string]>([
    [{ keys: [{ key: "short" }] }, ".keys.0.key must NOT have fewer than 8 characters"],
    [{ keys: [{ key: "with a blank" }] }, '.keys.0.key must match pattern "^[!-~]+$"'],
    [{ keys: [{ key: "twice-key-1" }, { key: "twice-key-1" }] }, ".keys.1: This key already exists."],
    [{ projects: [{}] }, ".projects.0.name is required"],
    [ofProject({ nam: 1 }), ".projects.0.nam is not allowed"],
    [ofLink({ hostname: "no.example" }), ".projects.0.links.0: no.example does not exist."],
    [ofLink({ customDomainId: NOWHERE }), `.projects.0.links.0: ${NOWHERE} does not exist.`],
  ])("that is invalid is rejected: %j", async (organization, message) => {
    const wrong = { organizations: [organization] } as Seed;
    const error = new SeedError(`organizations.0${message}`);
    await expect(startEmulator({ seed: wrong })).rejects.toThrow(error);
  });
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
  const { emulator, get } = await startService();
  emulator.updateApplication(OWN.ios, { appleInfo: { appName: "x".repeat(51) } });
  emulator.setBehaviour({ cnameTargetAppears: null as never });
  const violations = [
    ["getApplication", paths.ios, 200, "apple_info.app_name must NOT have more than 50 characters"],
    [
      "getCustomDomain",
      paths.domain,
      500,
      "TypeError: Cannot read properties of null (reading 'afterPolls')",
    ],
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
  await emulator.close();
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

describe("an emulator", () => {
  test("has no key without a seed, and can be closed twice", async () => {
    const emulator = await startEmulator();
    const url = `${emulator.url}/api/v2/api-credentials/current`;
    expect((await fetch(url, { headers: { "x-api-key": KEY } })).status).toBe(401);
    expect(emulator.state.organizations).toEqual([]);
    await emulator.close();
    await emulator.close();
  });

  test("listens on the loopback interface, on its own port, and not on one that is in use", async () => {
    const { emulator } = await startService();
    const { url } = service.emulator;
    for (const one of [emulator.url, url]) expect(one).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(emulator.url).not.toBe(url);
    await emulator.close();
    await expect(startEmulator({ port: Number(new URL(url).port) })).rejects.toThrow("EADDRINUSE");
  });
});
