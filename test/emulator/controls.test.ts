// The emulator's controls over HTTP.
import { defaultBehaviour } from "../../testing/emulator";
import { DOMAIN, NOWHERE, paths, startService, useService } from "./service";

const service = useService({ controls: true });

async function control(method: string, path: string, body?: unknown) {
  const response = await fetch(`${service.emulator.url}/_emulator${path}`, {
    method,
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
}

const done = { status: 204, body: undefined };

test("the requests to the service are shown, and not those to the controls", async () => {
  await service.get(paths.projects);
  const { status, body } = await control("GET", "/requests");
  expect([status, body]).toEqual([200, JSON.parse(JSON.stringify(service.emulator.requests))]);
  expect(service.emulator.requests.map(({ operationId }) => operationId)).toEqual(["listProjects"]);
});

test("the state is shown", async () => {
  expect(await control("GET", "/state")).toEqual({ status: 200, body: service.emulator.state });
});

test("a seed is planted", async () => {
  expect(await control("POST", "/seed", { organizations: [{ projects: [{ name: "Planted" }] }] })).toEqual(
    done,
  );
  expect(service.emulator.state.projects.at(-1)?.name).toBe("Planted");
});

test("a reset brings back the start", async () => {
  await service.remove(`/custom-domains/${DOMAIN}`);
  expect(await control("POST", "/reset")).toEqual(done);
  expect(service.emulator.requests).toEqual([]);
});

test("faults are injected and cleared", async () => {
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
  {
    foreign: 404,
    text: "<p>",
    contentType: "text/html",
    retryAfter: 1,
    echoRequestId: true,
    afterEffect: true,
  },
])("the effect of a fault may be %j", async (effect) => {
  expect(await control("POST", "/faults", { effect })).toEqual(done);
});

test("behaviour is changed option by option", async () => {
  expect(await control("POST", "/behaviour", { patchInfo: "replace" })).toEqual(done);
  expect(service.emulator.behaviour).toEqual({ ...defaultBehaviour, patchInfo: "replace" });
});

test("the clock goes forward", async () => {
  const before = service.emulator.clock.now().getTime();
  expect(await control("POST", "/clock/advance", { milliseconds: 60_000 })).toEqual(done);
  expect(service.emulator.clock.now().getTime() - before).toBeGreaterThanOrEqual(60_000);
});

test("a domain moves on, or into a status", async () => {
  expect(await control("POST", `/domains/${DOMAIN}/status`, { status: "PENDING_DNS" })).toEqual(done);
  expect(await control("POST", `/domains/${DOMAIN.toUpperCase()}/advance`)).toEqual(done);
  expect(service.emulator.state.customDomains[0]?.lifecycleStatus).toBe("PENDING_CERTIFICATE");
});

const wrong: [method: string, path: string, body: unknown, status: number, message: unknown][] = [
  [
    "POST",
    "/seed",
    { organizations: [{ projects: [{}] }] },
    400,
    ["organizations.0.projects.0.name is required"],
  ],
  [
    "POST",
    "/seed",
    { organizations: [{ keys: [{ key: "same-key-1" }, { key: "same-key-1" }] }] },
    400,
    "organizations.0.keys.1: This key exists already.",
  ],
  ["POST", "/seed", undefined, 400, ["a JSON body is required"]],
  ["POST", "/seed", "{", 400, ["must be object"]],
  ["POST", "/faults", {}, 400, ["effect is required"]],
  [
    "POST",
    "/faults",
    { effect: { status: 200 } },
    400,
    expect.arrayContaining(["effect.status must be >= 400"]),
  ],
  ["POST", "/faults", { operation: "x", effect: { status: 500 } }, 400, "operation x does not exist"],
  ["POST", "/behaviour", { patchInfo: "x" }, 400, ["patchInfo must be one of merge, replace"]],
  ["POST", "/behaviour", { other: 1 }, 400, ["other is not allowed"]],
  ["POST", "/clock/advance", { milliseconds: -1 }, 400, ["milliseconds must be >= 0"]],
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
  ["GET", "/nothing", undefined, 404, "No such operation."],
  ["GET", "/reset", undefined, 404, "No such operation."],
];

test.each(wrong)("%s %s with %j is refused", async (method, path, body, status, message) => {
  const before = service.emulator.state;
  expect(await control(method, path, body)).toMatchObject({ status, body: { statusCode: status, message } });
  expect(service.emulator.state).toEqual(before);
});

test("there are no controls unless they were asked for", async () => {
  const { emulator } = await startService();
  const answer = await fetch(`${emulator.url}/_emulator/state`);
  expect(answer.status).toBe(404);
  expect(emulator.requests.map(({ path }) => path)).toEqual(["/_emulator/state"]);
  await emulator.close();
});
