/** Acceptance runs against emulators: what they refuse and report, and that they delete what they created, however they end. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Emulator, type Fault, startEmulator } from "../../testing/emulator";
import { directoryWith, type ProgramDirectory } from "../release/package/unpackedProgram";
import { KEY, ORGANIZATION, OTHER_ORGANIZATION, seedWith } from "../support/values/organizations";
import { exitCodeOf } from "./report";
import { runAcceptance } from "./runAcceptance";

const THEIRS = "0c0c0c0c-0000-4000-8000-000000000003";
const QUESTIONS = ["--questions", "--short", "--beside-others"];
/** The requests at which runs are killed: a few, or all up to this one. */
const KILLS = Number(process.env.DYNAMICLINK_TEST_KILLS ?? 0);

let service: Emulator;
let directory: ProgramDirectory;
beforeEach(async () => {
  directory = directoryWith({});
  service = await startEmulator({
    seed: seedWith([{ id: THEIRS, name: "Theirs", applications: [{ appType: "WEB" }] }]),
  });
});
afterEach(async () => {
  await service.close();
  directory.remove();
});

function environment(): Record<string, string> {
  return {
    DYNAMICLINK_TEST_API_URL: service.url,
    DYNAMICLINK_TEST_API_KEY: KEY,
    DYNAMICLINK_TEST_ORGANIZATION: ORGANIZATION,
  };
}

/** Runs in this process, on the emulator's clock, whose waits take no time. */
async function run(
  args: readonly string[],
  changed: Record<string, string> = {},
  signal = new AbortController().signal,
) {
  const lines: string[] = [];
  const clock = {
    now: () => service.clock.now().getTime(),
    date: () => service.clock.now(),
    sleep: async (milliseconds: number) => service.clock.advance(milliseconds),
  };
  const code = await runAcceptance({
    args: ["--directory", directory.path, ...args],
    environment: { ...environment(), ...changed },
    print: (line) => lines.push(line),
    ...{ signal, clock },
  });
  return { code, printed: lines.join("\n") };
}

test.each<[why: string, args: string[], environment: Record<string, string>, message: string]>([
  ["no settings", [], { DYNAMICLINK_TEST_API_KEY: " " }, "Set:\n  DYNAMICLINK_TEST_API_KEY: an API key"],
  ["no UUID", [], { DYNAMICLINK_TEST_ORGANIZATION: "../x" }, "DYNAMICLINK_TEST_ORGANIZATION must be a UUID."],
  [
    "another organization",
    [],
    { DYNAMICLINK_TEST_ORGANIZATION: OTHER_ORGANIZATION },
    `The key is of organization ${ORGANIZATION}`,
  ],
  ["another key", [], { DYNAMICLINK_TEST_API_KEY: "unknown" }, "responded with 401"],
  ["objects of others", [], {}, 'has 1 projects that no run has created, such as "Theirs"'],
  ["an impolite rate", ["--rate", "1000"], {}, "--rate must be at most 20 a second."],
])("%s is refused before the first write", async (_why, args, changed, message) => {
  const { code, printed } = await run(args, changed);
  expect({ code, printed }).toEqual({ code: 1, printed: expect.stringContaining(message) });
  expect(printed).toMatch(/^Use a scratch organization/);
  expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("a key without the scopes is refused, and the message lists them", async () => {
  service.setScopes(KEY, ["projects:read", "links:read"]);
  expect((await run([])).printed).toContain(
    "lacks these scopes: projects:write, applications:read, applications:write, domains:read, domains:write, links:write.",
  );
});

test.each<[difference: string, fault: Omit<Fault, "count">]>([
  [
    "getProject 200: billing.plan is not documented",
    { operation: "getProject", effect: { body: (body: object) => ({ ...body, "billing.plan": "free" }) } },
  ],
  [
    "getCustomDomain 200: lifecycle_status must be one of",
    {
      operation: "getCustomDomain",
      effect: { body: (body: object) => ({ ...body, lifecycle_status: "QUEUED" }) },
    },
  ],
  [
    'createProject 201: created_at must match format "date-time"',
    {
      operation: "createProject",
      effect: { body: (body: object) => ({ ...body, created_at: "2025-01-01 00:00" }) },
    },
  ],
  [
    "getApplication 418: status 418 is not documented",
    { operation: "getApplication", effect: { status: 418 } },
  ],
])("%s", async (difference, fault) => {
  service.inject({ ...fault, count: Number.POSITIVE_INFINITY });
  const { code, printed } = await run(QUESTIONS);
  expect({ code, printed }).toEqual({ code: 2, printed: expect.stringContaining(difference) });
  expect(service.state.projects).toHaveLength(1);
});

test("without Date the report says so", async () => {
  service.setBehaviour({ dateHeader: "absent" });
  const { code, printed } = await run(QUESTIONS);
  expect({ code, printed }).toEqual({
    code: 2,
    printed: expect.stringContaining("200: the header Date is missing"),
  });
});

test("without the entitlement for custom domains, what needs one is not answered, and the rest is", async () => {
  service.inject({
    operation: "createCustomDomain",
    count: Number.POSITIVE_INFINITY,
    effect: { status: 403 },
  });
  const { code, printed } = await run(QUESTIONS);
  expect(code).toBe(0);
  expect(printed.match(/no answer +The organization has no entitlement for custom domains/g)).toHaveLength(5);
  expect(printed).toContain('"uniqueNames":true,"storedForm":"asGiven"');
});

test("a refused rate is found, and waits as long as the service says", async () => {
  service.inject({ operation: "getCurrentApiCredential", skip: 10, effect: { status: 429, retryAfter: 7 } });
  expect((await run([...QUESTIONS, "--rate", "8"])).printed).toContain(
    "Rate: refused at 4 requests a second, with Retry-After 7",
  );
});

test("the exit code is 2 for a difference, 1 for any other failure, 130 for an interruption", () => {
  const outcome = { exchanges: [], differences: new Map(), refused: [], left: [], isInterrupted: false };
  const promises = { engine: "", passed: ["one"], skipped: ["two"], failed: [] };
  const differences = new Map([["a", 1]]);
  expect(exitCodeOf({ ...outcome, promises })).toBe(0);
  expect(exitCodeOf({ ...outcome, promises: { ...promises, failed: ["one"] } })).toBe(1);
  expect(exitCodeOf({ ...outcome, promises: { ...promises, failed: ["one"] }, differences })).toBe(2);
  expect(exitCodeOf({ ...outcome, refused: ["DELETE"] })).toBe(1);
  expect(exitCodeOf({ ...outcome, left: ["a project"] })).toBe(1);
  expect(exitCodeOf({ ...outcome, failure: "It ended early." })).toBe(1);
  expect(exitCodeOf({ ...outcome, differences, isInterrupted: true })).toBe(130);
});

/** Expects that nothing exists but what the seed has, and that it was never written to. */
function expectOnlyTheirs(before: Emulator["state"]): void {
  expect(service.state).toEqual(before);
  const ids = [...before.projects, ...before.applications].map(({ id }) => id);
  const writes = service.requests.filter(({ method }) => method !== "GET");
  expect(writes.filter(({ path }) => ids.some((id) => path.includes(id)))).toEqual([]);
}

test("an interrupted run deletes what it created", async () => {
  const before = service.state;
  const interruption = new AbortController();
  const match = () => service.requests.length === 40 && void interruption.abort();
  service.inject({ match: () => Boolean(match()), effect: { status: 500 } });
  const { code, printed } = await run(QUESTIONS, {}, interruption.signal);
  expect({ code, printed }).toEqual({
    code: 130,
    printed: expect.stringContaining("The run was interrupted."),
  });
  expectOnlyTheirs(before);
});

test("an object of others in a project of a run is left, and so is the project", async () => {
  service.inject({ operation: "deleteProject", count: Number.POSITIVE_INFINITY, effect: { status: 500 } });
  const { code, printed } = await run(QUESTIONS);
  expect(code).toBe(2);
  expect(printed).toContain("the service responded with 500");
  expect((await run(QUESTIONS)).printed).toMatch(/Earlier runs have left \d+ objects/);
  service.clearFaults();
  const [, own] = service.state.projects;
  const apple = { appName: "Theirs", appScheme: "theirs", bundleId: "example.theirs.app" };
  const { id } = service.createApplication(own?.id ?? "", { appType: "IOS", appleInfo: apple });
  expect(await run(["--sweep"])).toEqual({
    code: 1,
    printed: expect.stringContaining(`${id}, which no run has created`),
  });
  expect(service.state.applications.map((one) => one.id)).toContain(id);
  service.deleteApplication(id);
  expect((await run(["--sweep"])).code).toBe(0);
  expect(service.state.projects.map((one) => one.id)).toEqual([THEIRS]);
});

/** Starts a run in a process of its own. Resolves with its exit code when it has ended. */
function startRun(args: readonly string[], detached = false) {
  const child = spawn(
    process.execPath,
    [join(__dirname, "run.cjs"), "--directory", directory.path, ...args],
    {
      env: { ...process.env, ...environment() },
      stdio: ["ignore", "pipe", "ignore"],
      detached,
    },
  );
  let printed = "";
  child.stdout.on("data", (text) => {
    printed += text;
  });
  const ended = once(child, "close").then(([code]) => ({ code, printed }));
  return { pid: child.pid ?? 0, ended };
}

/** Kills a run and its processes at a request, which has its effect or not. Then another one deletes the rest. */
async function expectSweptAfterKill(args: readonly string[], at: number): Promise<void> {
  service.reset();
  const before = service.state;
  const { pid, ended } = startRun(args, true);
  const isReached = () => service.requests.length === at && process.kill(-pid, "SIGKILL") && at % 2 === 0;
  service.inject({ match: isReached, effect: { reset: "before" } });
  await ended;
  expect(await run(["--sweep"])).toEqual({ code: 0, printed: expect.any(String) });
  expectOnlyTheirs(before);
}

const KILLED_AT = KILLS === 0 ? [30, 77] : Array.from({ length: KILLS }, (_, index) => index + 1);

test(
  "what a run leaves that is killed is found and deleted by the next one",
  async () => {
    for (const at of KILLED_AT) await expectSweptAfterKill(QUESTIONS, at);
  },
  10_000 * KILLED_AT.length,
);

test("a short run finds the defaults, holds all promises on both hosts, and deletes what it created", async () => {
  const before = service.state;
  const { code, printed } = await startRun(["--short", "--beside-others"]).ended;
  expect({ code, printed }).toEqual({
    code: 0,
    printed: expect.stringMatching(/\nPromises: 11 held.*\nFailed: 0\n/s),
  });
  expectOnlyTheirs(before);
  expect(printed).not.toContain(KEY);
});
