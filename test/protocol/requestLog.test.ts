/** The log of requests: one line for each attempt, which contains neither bodies nor the key. */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSession } from "../../provider/session/session";
import { type StubServer, startStubServer } from "../support/servers/stubServer";
import { failureOf, fakeClock, wireCredential } from "../support/values/wireObjects";

const ORGANIZATION = "0a0a0a0a-0000-4000-8000-000000000001";
const KEY = "canary-key/of+the?log";

let service: StubServer;
let directory: string;
let reports: string[];

beforeEach(async () => {
  service = await startStubServer();
  directory = mkdtempSync(join(tmpdir(), "dynamiclink-log-"));
  reports = [];
});
afterEach(async () => {
  await service.close();
  rmSync(directory, { recursive: true });
});

function open(log: string) {
  return createSession(
    { apiUrl: `${service.url}/base`, apiKey: KEY, readOnly: false, log },
    { clock: fakeClock(), random: () => 0, report: (message) => void reports.push(message) },
  );
}

test("each attempt is a line with its time, operation, status and request id, and without body and key", async () => {
  const log = join(directory, "requests.jsonl");
  const { client, identity } = open(log);
  service.answer({ status: 503, body: { statusCode: 503, message: `No ${KEY}.` } }, { body: wireCredential });
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

test("a log in a directory that does not exist is reported once, and the requests are sent all the same", async () => {
  const { lookUpIdentity } = open(join(directory, "missing", "requests.jsonl"));
  service.answer({ body: wireCredential }, { body: wireCredential });
  await lookUpIdentity();
  await lookUpIdentity();
  expect(reports).toEqual([expect.stringMatching(/^Requests are not logged, .*ENOENT.*DYNAMICLINK_LOG\.$/)]);
});

test("the name of a log that cannot be written cannot control the terminal", async () => {
  const { lookUpIdentity } = open(join(directory, "missing\u001b[2J\u202e", "requests.jsonl"));
  service.answer({ body: wireCredential });
  await lookUpIdentity();
  expect(reports).toEqual([
    expect.stringMatching(/^Requests are not logged, .*missing \[2J\/requests\.jsonl/),
  ]);
  expect(reports[0]).not.toMatch(/\p{C}/u);
});
