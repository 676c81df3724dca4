/** Acceptance runs against emulators: what they refuse and report, and that they delete what they created, however they end. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../provider/client/client";
import {
  type Emulator,
  type EmulatorState,
  type FaultEffect,
  type OperationId,
  type RequestRecord,
  startEmulator,
} from "../../testing/emulator";
import { directoryWith } from "../release/package/programs";
import { serviceClock } from "../support/providers/clocks";
import { KEY, ORGANIZATION, OTHER_ORGANIZATION, seedWith } from "../support/values/organizations";
import { createGateway } from "./gateway/gateway";
import { openJournal } from "./gateway/journal";
import { exitCodeOf } from "./report";
import { runAcceptance } from "./runAcceptance";
import { settingsOf } from "./settings";

const THEIRS = "0c0c0c0c-0000-4000-8000-000000000003";
const THEIR_APP = "0c0c0c0c-0000-4000-8000-000000000004";
const SHORT = ["--short", "--beside-others", "--engine"];
const READER = "reader-key";
const QUESTIONS = [...SHORT, "--questions"];
/** Of how many moments of a run the test of sweeps takes one. With 1, it takes minutes. */
const EACH = Number(process.env.DYNAMICLINK_TEST_EACH_MOMENT ?? 100);

let service: Emulator;
const JOURNAL = `journal-${ORGANIZATION}.jsonl`;
const directory = directoryWith({ [JOURNAL]: "" });
const journalFile = join(directory.path, JOURNAL);
const seed = seedWith([{ id: THEIRS, name: "Theirs", applications: [{ id: THEIR_APP, appType: "WEB" }] }]);
beforeEach(async () => {
  service = await startEmulator({ seed });
});
afterEach(async () => {
  jest.restoreAllMocks();
  expectOthers();
  await service.close();
});
afterAll(() => directory.remove());

/** Only the objects of others exist, and no write was about them. */
function expectOthers(): void {
  const theirs = { projects: [{ id: THEIRS }], applications: [{ id: THEIR_APP }] };
  expect(service.state).toMatchObject({ ...theirs, customDomains: [], links: [] });
  const changes = service.requests.filter(({ method }) => method !== "GET").map(({ path }) => path);
  expect(changes).not.toContainEqual(expect.stringMatching(THEIRS.slice(0, 8)));
}

function settings() {
  const organization = { DYNAMICLINK_TEST_ORGANIZATION: ORGANIZATION };
  return { ...organization, DYNAMICLINK_TEST_API_URL: service.url, DYNAMICLINK_TEST_API_KEY: KEY };
}

/** Runs on the emulator's clock, so that waits take no time. */
async function run(args: readonly string[], changed: object = {}, signal = new AbortController().signal) {
  const lines: string[] = [];
  const code = await runAcceptance({
    args: ["--directory", directory.path, ...args],
    environment: { ...settings(), ...changed },
    signal,
    print: (line) => lines.push(line),
    clock: serviceClock(service, new AbortController().signal),
  });
  return { code, printed: lines.join("\n") };
}

function ended(code: number, printed: string) {
  return { code, printed: expect.stringContaining(printed) };
}

test.each<[why: string, message: string, args?: readonly string[], changed?: object]>([
  ["a missing setting", "Set:\n  DYNAMICLINK_TEST_API_URL: the URL", [], { DYNAMICLINK_TEST_API_URL: " " }],
  ["a name", "ORGANIZATION must be a UUID", [], { DYNAMICLINK_TEST_ORGANIZATION: "../x" }],
  ["another organization", "The key is of", [], { DYNAMICLINK_TEST_ORGANIZATION: OTHER_ORGANIZATION }],
  ["an unknown key", "returned 401", [], { DYNAMICLINK_TEST_API_KEY: "unknown" }],
  ["a key without scopes", "lacks these scopes: projects:write", [], { DYNAMICLINK_TEST_API_KEY: READER }],
  ["an organization with objects of others", 'projects that no run has created, such as "Theirs"'],
])("%s is refused before the first write", async (_why, message, args = [], changed = {}) => {
  service.addKey(ORGANIZATION, { key: READER, scopes: ["projects:read"] });
  expect(await run(args, changed)).toEqual(ended(1, message));
  expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

/** Changes all responses of an operation. */
function always(operation: OperationId, effect: FaultEffect): void {
  service.inject({ operation, effect, count: Number.POSITIVE_INFINITY });
}

/** Acts at each request before it has an effect, with their number so far. */
function atRequests(act: (count: number) => unknown): void {
  const match = () => Boolean(void act(service.requests.length));
  service.inject({ match, effect: { status: 409 } });
}

function adding(fields: object): FaultEffect {
  return { body: (shown: object) => ({ ...shown, ...fields }) };
}

test("the report has each difference between the service and its reference", async () => {
  always("getCustomDomain", adding({ lifecycle_status: "NEW" }));
  always("createProject", adding({ created_at: "2025-01-01 00:00" }));
  always("listApplications", { status: 418 });
  always("getApplication", { foreign: 404 });
  always("listCustomDomains", { status: 503, retryAfter: "soon" });
  always("updateApplication", adding({ apple_info: { plan: "free" } }));
  const { code, printed } = await run(QUESTIONS);
  const differences = [
    "apple_info.plan is not allowed",
    "lifecycle_status must be one of",
    "created_at must match format",
    "listApplications 418: status 418 is not documented",
    "getApplication 404: the header x-request-id is missing",
    "the header Retry-After is neither",
  ];
  expect([code, differences.filter((each) => !printed.includes(each))]).toEqual([2, []]);
});

test("undocumented fields, a missing date and a 503 are remarks, and what has no answer takes no other one", async () => {
  always("getProject", adding({ plan: "free" }));
  service.setBehaviour({ dateHeader: "absent" });
  const match = ({ body }: RequestRecord) => JSON.stringify(body).includes('"app_store_id":null');
  service.inject({ operation: "updateApplication", match, effect: { status: 400 } });
  service.inject({ operation: "listApplications", effect: { status: 503 } });
  service.inject({ operation: "createCustomDomain", effect: { status: 503, retryAfter: 1 } });
  service.inject({ operation: "updateProject", effect: { status: 503 } });
  for (const operation of ["getCurrentApiCredential", "listProjects", "deleteCustomDomain"] as const)
    service.inject({ operation, count: 2, effect: { reset: "before" } });
  service.inject({ operation: "retryCustomDomain", effect: { reset: "before" } });
  // Projects with links can be deleted, those with applications cannot.
  service.inject({ operation: "deleteProject", skip: 1, effect: { status: 204 } });
  const { code, printed } = await run(QUESTIONS);
  const remarks = /\nRemarks\n(.*\n)+/.exec(printed)?.[0];
  const found = ["getProject 200: plan is not documented", "the header Date is missing"];
  for (const each of [...found, "503: the service was unavailable"]) expect(remarks).toContain(`  ${each} (`);
  expect([code, printed.match(/^ +\w+(?=.* no answer)/gm)]).toEqual([
    0,
    ["  deleteWithContents", "  nullInfoField", "  retryOutsideFailed", "  deletingPolls"],
  ]);
});

test("without the entitlement for custom domains, their questions have no answer, and all others have", async () => {
  always("createCustomDomain", { status: 403 });
  const { code, printed } = await run(QUESTIONS);
  const unanswered = printed.match(/no answer .*/g)?.map((line) => line.replace(/no answer +/, ""));
  expect([code, unanswered]).toEqual([0, Array(5).fill("createCustomDomain returned 403.")]);
});

test("the exit code is 1 for a promise that fails, and 2 if a difference may be why", () => {
  const found = { behaviour: {}, unanswered: {}, exchanges: [], refused: [], left: [], isInterrupted: false };
  const promises = { engine: "", passed: [], failed: ["one"] };
  const [none, some] = [new Map(), new Map([["plan", 1]])];
  const codes = [none, some].map((differences) => exitCodeOf({ ...found, promises, differences }));
  expect(codes).toEqual([1, 2]);
});

test("a create is journaled before it is sent, and a write to anything that no run has created is not sent", async () => {
  const journal = openJournal(directory.path, ORGANIZATION);
  const given = settingsOf(["--directory", directory.path], settings());
  const { call, refused } = createGateway(given, journal, systemClock);
  journal.begin();
  const name = `${journal.prefix}shop`;
  const match = () => readFileSync(journalFile, "utf8").includes(JSON.stringify({ creates: name }));
  service.inject({ operation: "createProject", match, effect: { reset: "after" } });
  await expect(call("createProject", {}, { project_name: name })).rejects.toThrow();
  expect(service.faultsUsed).toHaveLength(1);
  service.clearRequests();
  const refusals = [
    await call("deleteProject", { project_id: THEIRS }),
    await call("createApplication", { project_id: THEIRS }, { app_type: "WEB" }),
    await call("createCoreLinkV2", {}, { project_id: THEIRS, dynamic_link_name: name }),
    await call("createProject", {}, { project_name: "acceptance-0badcafe-shop" }),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect({ refused: refused.length, requests: service.requests }).toEqual({ refused: 4, requests: [] });
  expect(await run(["--sweep"])).toEqual(ended(0, "Deleted"));
});

test("an interrupted run deletes what it created", async () => {
  const interruption = new AbortController();
  atRequests((count) => count === 40 && interruption.abort());
  expect(await run(QUESTIONS, {}, interruption.signal)).toEqual(ended(130, "It was interrupted."));
});

test("what a run could not delete is reported, refused by the next run, and deleted by a sweep, but nothing of others", async () => {
  always("deleteProject", { status: 409 });
  expect(await run(QUESTIONS)).toEqual(ended(1, "its deletion returned 409, and is not complete"));
  expect(await run(QUESTIONS)).toEqual(ended(1, "objects. Delete them: npm run test:service -- --sweep"));
  service.clearFaults();
  const appleInfo = { appName: "Theirs", appScheme: "theirs", bundleId: "example.theirs.app" };
  const [, own] = service.state.projects;
  const { id } = service.createApplication(own?.id ?? "", { appType: "IOS", appleInfo });
  expect(await run(["--sweep"])).toEqual(ended(1, `${id}, which no run has created`));
  service.deleteApplication(id);
  expect(await run(["--sweep"])).toEqual(ended(0, "Deleted"));
});

/** Has the service contain what a killed run left. */
function restore({ projects, applications, customDomains, links }: EmulatorState): void {
  service.reset();
  const created = ({ id }: { readonly id: string }) => id !== THEIRS && id !== THEIR_APP;
  for (const { id, name } of projects.filter(created)) service.createProject(ORGANIZATION, { id, name });
  for (const { projectId, id, appType, appleInfo, androidInfo } of applications.filter(created))
    service.createApplication(projectId, { id, appType, appleInfo, androidInfo });
  for (const { projectId, id, hostname, lifecycleStatus } of customDomains)
    service.createCustomDomain(projectId, { id, hostname, lifecycleStatus });
  for (const { projectId, id, name, url } of links) service.createLink(projectId, { id, name, url });
}

test("what a killed run leaves is deleted by a sweep", async () => {
  const command = [join(__dirname, "run.cjs"), "--directory", directory.path, ...QUESTIONS];
  const child = spawn(process.execPath, command, { env: { ...process.env, ...settings() }, stdio: "ignore" });
  atRequests((count) => count === 30 && child.kill("SIGKILL"));
  await once(child, "close");
  expect(await run(["--sweep"])).toEqual(ended(0, "Deleted"));
  expectOthers();
});

/** The service writes UUIDs in upper case, and blanks between the parts of its JSON. */
function writeOtherwise(): void {
  const { fetch } = globalThis;
  jest.spyOn(globalThis, "fetch").mockImplementation(async (...request) => {
    const response = await fetch(...request);
    const text = await response.text();
    const inUpperCase = text.replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]+){4}\b/g, (id) => id.toUpperCase());
    return new Response((text && JSON.stringify(JSON.parse(inUpperCase), null, 1)) || null, response);
  });
}

test("a short run holds the promises on both hosts, however JSON and UUIDs are written, never prints the key, and could end at any request", async () => {
  writeOtherwise();
  service.setBehaviour({ readLag: { afterSeconds: 2 }, deletionsLag: "listsAndReads" });
  // The lag is not known then.
  const match = ({ body }: RequestRecord) => JSON.stringify(body).includes('"Found"');
  service.inject({ operation: "updateProject", match, effect: { status: 400 } });
  const moments: { readonly content: EmulatorState; readonly journal: Buffer }[] = [];
  atRequests(() => moments.push({ content: service.state, journal: readFileSync(journalFile) }));
  const { code, printed } = await run(SHORT);
  expect({ code, printed }).toEqual(ended(0, "Promises: 14 passed, 0 failed on the test engine"));
  expect(printed).toMatch(/^ +timestampPrecision +milliseconds +milliseconds /m);
  expect(printed).toMatch(/^Use a scratch organization/);
  expect(printed).not.toContain(KEY);
  for (let index = 0; index < moments.length; index += EACH) {
    // The request that the run was waiting for had no effect, or had one.
    for (const { content } of moments.slice(index, index + 2)) {
      writeFileSync(journalFile, moments[index]?.journal ?? "");
      restore(content);
      expect(await run(["--sweep"])).toEqual(ended(0, "Deleted"));
      expectOthers();
    }
  }
});
