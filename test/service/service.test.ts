/** Acceptance runs against emulators: what they refuse and report, and that they delete what they created, however they end. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Emulator, type Fault, startEmulator } from "../../testing/emulator";
import { directoryWith } from "../release/package/unpackedProgram";
import { KEY, ORGANIZATION, OTHER_ORGANIZATION, seedWith } from "../support/values/organizations";
import { exitCodeOf } from "./report";
import { runAcceptance } from "./runAcceptance";

const THEIRS = "0c0c0c0c-0000-4000-8000-000000000003";
const SHORT = ["--short", "--beside-others", "--engine"];
const QUESTIONS = [...SHORT, "--questions"];
/** The requests at which runs are killed. The questions send fewer than 190. */
const KILLED_AT = (process.env.DYNAMICLINK_TEST_KILLS ?? "30,77").split(",").map(Number);

let service: Emulator;
const directory = directoryWith({});
beforeEach(async () => {
  const seed = seedWith([{ id: THEIRS, name: "Theirs", applications: [{ appType: "WEB" }] }]);
  service = await startEmulator({ seed });
});
afterEach(async () => {
  expect(service.state.projects.map(({ id }) => id)).toEqual([THEIRS]);
  await service.close();
});
afterAll(() => directory.remove());

function settings() {
  return {
    DYNAMICLINK_TEST_API_URL: service.url,
    DYNAMICLINK_TEST_API_KEY: KEY,
    DYNAMICLINK_TEST_ORGANIZATION: ORGANIZATION,
  };
}

/** Runs on the emulator's clock, so that waits take no time. */
async function run(args: readonly string[], changed: object = {}, signal = new AbortController().signal) {
  const lines: string[] = [];
  const code = await runAcceptance({
    args: ["--directory", directory.path, ...args],
    environment: { ...settings(), ...changed },
    signal,
    print: (line) => lines.push(line),
    clock: {
      now: () => service.clock.now().getTime(),
      date: () => service.clock.now(),
      sleep: async (milliseconds) => service.clock.advance(milliseconds),
    },
  });
  return { code, printed: lines.join("\n") };
}

function ended(code: number, printed: string) {
  return { code, printed: expect.stringContaining(printed) };
}

/** The writes, and whether one of them is to an object of others. */
function writes() {
  const theirs = [THEIRS, ...service.state.applications.map(({ id }) => id)];
  const sent = service.requests.filter(({ method }) => method !== "GET").map(({ path }) => path);
  return { sent, toOthers: sent.filter((path) => theirs.some((id) => path.includes(id))) };
}

test.each<[why: string, message: string, args?: readonly string[], changed?: object]>([
  [
    "a run without settings",
    "Set:\n  DYNAMICLINK_TEST_API_KEY: an API key",
    [],
    { DYNAMICLINK_TEST_API_KEY: " " },
  ],
  ["a name", "ORGANIZATION must be a UUID", [], { DYNAMICLINK_TEST_ORGANIZATION: "../x" }],
  ["another organization", "The key is of", [], { DYNAMICLINK_TEST_ORGANIZATION: OTHER_ORGANIZATION }],
  ["an unknown key", "responded with 401", [], { DYNAMICLINK_TEST_API_KEY: "unknown" }],
  ["an organization with objects of others", 'has 1 projects that no run has created, such as "Theirs"'],
  ["an impolite rate", "--rate must be at most 20 a second.", ["--rate", "1000"]],
])("%s is refused before the first write", async (_why, message, args = [], changed = {}) => {
  expect(await run(args, changed)).toEqual(ended(1, message));
  expect(writes().sent).toEqual([]);
});

test("a key without all scopes is refused, and the message lists them", async () => {
  service.setScopes(KEY, [
    "projects:read",
    "projects:write",
    "links:read",
    "applications:read",
    "domains:read",
  ]);
  expect(await run([])).toEqual(
    ended(1, "lacks these scopes: applications:write, domains:write, links:write."),
  );
});

test.each<[difference: string, operation: Fault["operation"], change: object, status?: number]>([
  ["getProject 200: plan is not documented", "getProject", { plan: "free" }],
  ["getCustomDomain 200: lifecycle_status must be one of", "getCustomDomain", { lifecycle_status: "QUEUED" }],
  [
    'createProject 201: created_at must match format "date-time"',
    "createProject",
    { created_at: "2025-01-01 00:00" },
  ],
  ["getApplication 418: status 418 is not documented", "getApplication", {}, 418],
])("the report has the difference %s", async (difference, operation = "*", change, status = 200) => {
  const body = (shown: object) => ({ ...shown, ...change });
  const effect = status === 200 ? { body } : { status };
  service.inject({ operation, count: Number.POSITIVE_INFINITY, effect });
  expect(await run(QUESTIONS)).toEqual(ended(2, difference));
});

test("the report says that the header Date is missing", async () => {
  service.setBehaviour({ dateHeader: "absent" });
  expect(await run(QUESTIONS)).toEqual(ended(2, "deleteProject 204: the header Date is missing"));
});

test("without the entitlement for custom domains, their questions have no answer, and all others have", async () => {
  service.inject({
    operation: "createCustomDomain",
    count: Number.POSITIVE_INFINITY,
    effect: { status: 403 },
  });
  const { code, printed } = await run(QUESTIONS);
  expect(code).toBe(0);
  expect(printed.match(/no answer +createCustomDomain returned 403/g)).toHaveLength(5);
  expect(printed.match(/no answer/g)).toHaveLength(5);
});

test("a rate is raised until it is refused", async () => {
  service.inject({ operation: "getCurrentApiCredential", skip: 10, effect: { status: 429, retryAfter: 7 } });
  const refused = "refused at 4 requests a second, with Retry-After 7";
  expect(await run([...QUESTIONS, "--rate", "8"])).toEqual(ended(0, refused));
});

test("the exit code is 130 for an interruption, 2 for a difference, and 1 for any other failure", () => {
  const answers = { behaviour: {}, unanswered: {} };
  const good = {
    ...answers,
    exchanges: [],
    differences: new Map(),
    refused: [],
    left: [],
    isInterrupted: false,
  };
  const bad = { ...good, promises: { engine: "", passed: [], skipped: [], failed: ["one"] } };
  const other = { ...bad, differences: new Map([["plan", 1]]) };
  const others = [
    { ...good, refused: ["one"] },
    { ...good, left: ["one"] },
    { ...good, failure: "It ended." },
  ];
  const codes = [good, bad, other, { ...other, isInterrupted: true }, ...others].map(exitCodeOf);
  expect(codes).toEqual([0, 1, 2, 130, 1, 1, 1]);
});

test("an interrupted run deletes what it created", async () => {
  const interruption = new AbortController();
  service.inject({
    match: () => service.requests.length === 40 && (interruption.abort(), true),
    effect: { status: 409 },
  });
  expect(await run(QUESTIONS, {}, interruption.signal)).toEqual(ended(130, "It was interrupted."));
  expect(writes().toOthers).toEqual([]);
});

test("what a run could not delete is reported, refused by the next run, and deleted by a sweep, but nothing of others", async () => {
  service.inject({ operation: "deleteProject", count: Number.POSITIVE_INFINITY, effect: { status: 409 } });
  expect(await run(QUESTIONS)).toEqual(ended(1, "the service responded with 409"));
  expect(await run(QUESTIONS)).toEqual(ended(1, "objects. Delete them: npm run test:service -- --sweep"));
  service.clearFaults();
  const appleInfo = { appName: "Theirs", appScheme: "theirs", bundleId: "example.theirs.app" };
  const { id } = service.createApplication(service.state.projects[1]?.id ?? "", {
    appType: "IOS",
    appleInfo,
  });
  expect(await run(["--sweep"])).toEqual(ended(1, `${id}, which no run has created`));
  service.deleteApplication(id);
  expect(await run(["--sweep"])).toEqual(ended(0, "Deleted"));
});

/** Starts a run in processes of its own. They are ended by a signal to the negative id. */
function startRun(args: readonly string[]) {
  const command = [join(__dirname, "run.cjs"), "--directory", directory.path, ...args];
  const child = spawn(process.execPath, command, {
    ...{ env: { ...process.env, ...settings() }, stdio: ["ignore", "pipe", "ignore"], detached: true },
  });
  let printed = "";
  child.stdout.on("data", (text) => {
    printed += text;
  });
  return { pid: child.pid ?? 0, ended: once(child, "close").then(([code]) => ({ code, printed })) };
}

test.each(KILLED_AT)("what a run leaves that is killed at request %i is deleted by a sweep", async (at) => {
  const before = service.state;
  const { pid, ended: killed } = startRun(at < 190 ? QUESTIONS : SHORT);
  // The request has its effect, or not.
  const match = () => service.requests.length === at && process.kill(-pid, "SIGKILL") && at % 2 === 0;
  service.inject({ match, effect: { reset: "before" } });
  await killed;
  expect(await run(["--sweep"])).toEqual(ended(0, "Deleted"));
  expect(service.state).toEqual(before);
  expect(writes().toOthers).toEqual([]);
});

test("a short run holds the promises on both hosts, deletes what it created, and never prints the key", async () => {
  const { code, printed } = await startRun(SHORT).ended;
  expect({ code, printed }).toEqual(
    ended(0, "Promises: 11 scenarios passed and 0 failed on the test engine"),
  );
  expect(printed).toMatch(/^Use a scratch organization/);
  expect(printed).not.toContain(KEY);
  expect(writes().toOthers).toEqual([]);
});
