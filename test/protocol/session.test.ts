/** The session of a process: the lookup of its key, which ends soon and reports what it waits for, and the log of its requests. */
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createSession, requireScopes } from "../../provider/session/session";
import { type Directory, directoryWith } from "../release/package/programs";
import { type StubServer, startStubServer } from "../support/servers/stubServer";
import { type FakeClock, fakeClock } from "../support/values/fakeClock";
import { ORGANIZATION, wireCredential } from "../support/values/wireObjects";
import { failureOf } from "./client/failureOf";

const KEY = "canary-key/of+the?session";

let service: StubServer;
let clock: FakeClock;
let reports: string[];

beforeEach(async () => {
  service = await startStubServer();
  clock = fakeClock();
  reports = [];
});
afterEach(() => service.close());

function open({ apiUrl = service.url, timeoutMs = 5_000, log = "" } = {}) {
  return createSession(
    { apiUrl, apiKey: KEY, readOnly: false, ...(log && { log }) },
    { clock, random: () => 1, timeoutMs, report: (message) => void reports.push(message) },
  );
}

test("a service that is down is tried for at most 8 seconds, with a line before each wait", async () => {
  await service.close();
  const error = await failureOf(open().identity());
  const refused =
    /^Reading the API credential: the connection was refused, connect ECONNREFUSED [\d.:]+\. Trying again in (0\.5|1|2|4) s$/;
  expect(reports.map((report) => refused.exec(report)?.[1])).toEqual(["0.5", "1", "2", "4"]);
  expect(clock.now()).toBe(7_500);
  expect(error.message).toMatch(/^Reading the API credential failed after 5 attempts: /);
});

test("lookups at the same time share one request, and one that failed is repeated", async () => {
  service.answer({ status: 401, body: { statusCode: 401, message: "No." } }, { body: wireCredential });
  const { identity } = open();
  await Promise.all([failureOf(identity()), failureOf(identity())]);
  expect(service.requests).toHaveLength(1);
  const [one, other] = await Promise.all([identity(), identity()]);
  expect(one).toBe(other);
  expect(service.requests).toHaveLength(2);
});

test("a scope that the service has added is not one of those that are required", async () => {
  service.answer({ body: { ...wireCredential, scopes: ["projects:read", "projects:write:all"] } });
  const required = requireScopes(open(), ["projects:read", "projects:write"], "a project");
  await expect(required).rejects.toThrow(/lacks the scope projects:write, which a project needs/);
});

test("a scope that a key lacks is looked up again before it is refused, at most once in ten seconds", async () => {
  const lacking = { body: { ...wireCredential, scopes: ["projects:read"] } };
  service.answer(lacking, lacking, { body: wireCredential });
  const session = open();
  const result = () => requireScopes(session, ["projects:write"], "a project").then(() => "", String);
  for (const [waitMs, expected, requests] of [
    [0, /lacks/, 1],
    [9_999, /lacks/, 1],
    [1, /lacks/, 2],
    [9_999, /lacks/, 2],
    [1, /^$/, 3],
  ] as const) {
    await clock.sleep(waitMs);
    for (const each of await Promise.all([result(), result()])) expect(each).toMatch(expected);
    expect(service.requests).toHaveLength(requests);
  }
});

test("a service that hangs ends the lookup after a minute, with a line after an attempt of the limit of every request", async () => {
  jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask", "performance", "Date"] });
  try {
    const startMs = clock.now();
    service.answer(() => {
      const leftMs = Math.min(30_000, startMs + 60_000 - clock.now());
      clock.sleep(leftMs);
      setImmediate(() => jest.advanceTimersByTime(leftMs));
    });
    const error = await failureOf(open({ timeoutMs: 30_000 }).identity());
    expect(clock.now() - startMs).toBe(60_000);
    expect(reports).toEqual(["Reading the API credential: no response within 30 s. Trying again in 0.5 s"]);
    expect(error.message).toContain("failed after 2 attempts: no response within 30 s");
  } finally {
    jest.useRealTimers();
  }
});

describe("the log of requests", () => {
  let directory: Directory;
  beforeEach(() => {
    directory = directoryWith({});
  });
  afterEach(() => directory.remove());

  test("has a line for each attempt, with its time, operation, status and request id, and without body and key", async () => {
    const log = join(directory.path, "requests.jsonl");
    const { client, identity } = open({ apiUrl: `${service.url}/base`, log });
    const refusal = { status: 503, body: { statusCode: 503, message: `No ${KEY}.` } };
    service.answer(refusal, { body: wireCredential });
    await identity();
    const body = { projectName: "Body canary" };
    await service.close();
    await failureOf(client.createProject({ organizationId: ORGANIZATION, body }, { maxAttempts: 1 }));
    const name = { organizationId: ORGANIZATION, projectName: KEY };
    await failureOf(client.checkProjectNameAvailability(name, { maxAttempts: 1 }));

    const text = readFileSync(log, "utf8");
    const lines = text.trimEnd().split("\n");
    const lookup = {
      operation: "getCurrentApiCredential",
      method: "GET",
      path: "/base/api/v2/api-credentials/current",
      activity: "Reading the API credential",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      durationMs: expect.any(Number),
    };
    const sent = service.requests.map(({ headers }) => headers["x-request-id"]);
    const reason = expect.stringContaining("connection");
    const path = expect.stringMatching(/\?project_name=\*\*\*$/);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { ...lookup, status: 503, attempt: 1, requestId: sent[0] },
      { ...lookup, status: 200, attempt: 2, requestId: sent[1] },
      expect.objectContaining({ operation: "createProject", attempt: 1, reason }),
      expect.objectContaining({ operation: "checkProjectNameAvailability", method: "GET", path }),
    ]);
    for (const spelling of [KEY, encodeURIComponent(KEY)]) expect(text).not.toContain(spelling);
    expect(text).not.toContain("Body canary");
    expect(statSync(log).mode & 0o777).toBe(0o600);
    expect(reports).toHaveLength(1);
  });

  test.each([
    ["is in a directory that does not exist", "missing/requests.jsonl", /ENOENT/],
    ["would control the terminal", "missing\u001b[2J\u202e/log.jsonl", /missing \[2J\/log\.jsonl/],
  ])("whose file %s is reported once, and the requests are sent all the same", async (_, file, reason) => {
    const { lookUpIdentity } = open({ log: join(directory.path, file) });
    service.answer({ body: wireCredential }, { body: wireCredential });
    await lookUpIdentity();
    await lookUpIdentity();
    expect(reports).toEqual([expect.stringMatching(/^Requests are not logged, .*DYNAMICLINK_LOG\.$/)]);
    expect(reports[0]).toMatch(reason);
    expect(reports[0]).not.toMatch(/\p{C}/u);
  });

  // In a process of its own, which a write to the pipe would stop. On Windows, no file is a pipe.
  const onPosix = process.platform === "win32" ? test.skip : test;
  onPosix("whose file is a pipe that nobody reads is reported, and stops nothing", () => {
    const pipe = join(directory.path, "pipe");
    execFileSync("mkfifo", [pipe]);
    const program = `require("./dist/provider/session/requestLog").requestLog("${pipe}", console.log)({ startMs: 0 });`;
    const printed = execFileSync(process.execPath, ["-e", program], { timeout: 60_000, encoding: "utf8" });
    expect(printed).toMatch(/^Requests are not logged, .*ENXIO.*DYNAMICLINK_LOG/);
  });
});
