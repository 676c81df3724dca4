/** The lookup of the key, the first request of a command: it ends soon, and reports what it waits for. */
import { explain } from "../../provider/lifecycle/explain";
import { createSession, requireScopes } from "../../provider/session/session";
import { startPrivateService } from "../support/servers/privateService";
import { type StubAnswer, type StubServer, startStubServer } from "../support/servers/stubServer";
import { type FakeClock, failureOf, fakeClock, wireCredential } from "../support/values/wireObjects";

const KEY = "canary-key-of-the-session-tests";

let service: StubServer;
let clock: FakeClock;
let reports: string[];

beforeEach(async () => {
  service = await startStubServer();
  clock = fakeClock();
  reports = [];
});
afterEach(() => service.close());

function open(apiUrl = service.url, timeoutMs = 5_000) {
  return createSession(
    { apiUrl, apiKey: KEY, readOnly: false },
    { clock, random: () => 1, timeoutMs, report: (message) => void reports.push(message) },
  );
}

function refusal(status: number, headers = {}): StubAnswer {
  return { status, headers, body: { statusCode: status, message: "No." } };
}

function waitedMs(): number {
  return clock.waits.reduce((sum, wait) => sum + wait, 0);
}

test("a service that is down is tried for at most 8 seconds, with a line before each wait", async () => {
  await service.close();
  const error = await failureOf(open().identity());
  const refused =
    /^Reading the API credential: the connection was refused, connect ECONNREFUSED [\d.:]+\. Trying again in (0\.5|1|2|4) s$/;
  expect(reports.map((report) => refused.exec(report)?.[1])).toEqual(["0.5", "1", "2", "4"]);
  expect(waitedMs()).toBe(7_500);
  expect(error.message).toMatch(/^Reading the API credential failed after 5 attempts: /);
});

test("an error that does not pass by itself is reported at once", async () => {
  const untrusted = await startPrivateService(wireCredential);
  const error = explain(await failureOf(open(`https://127.0.0.1:${untrusted.port}`).identity()));
  await untrusted.close();
  expect(error.message).toMatch(/failed: self-signed certificate; .*\n.* set NODE_EXTRA_CA_CERTS to/s);
  service.answer(refusal(401));
  await failureOf(open().identity());
  expect(reports).toEqual([]);
  expect(waitedMs()).toBe(0);
});

test("lookups at the same time share one request, and one that failed is repeated", async () => {
  service.answer(refusal(401), { body: wireCredential });
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

test("a lookup outlasts what it is refused with 429, for five minutes", async () => {
  service.answer(refusal(429, { "retry-after": "3600" }));
  expect((await failureOf(open().identity())).message).toContain("429 Too Many Requests");
  expect(clock.waits).toEqual(Array(5).fill(60_000));
});

test("a service that hangs ends the lookup after 30 seconds, with a line after each attempt of 10 seconds", async () => {
  jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask", "performance", "Date"] });
  try {
    const startMs = clock.now();
    service.answer(() => {
      const leftMs = Math.min(10_000, startMs + 30_000 - clock.now());
      clock.sleep(leftMs);
      setImmediate(() => jest.advanceTimersByTime(leftMs));
    });
    const error = await failureOf(open(service.url, 30_000).identity());
    expect(clock.now() - startMs).toBe(30_000);
    expect(reports).toEqual([
      "Reading the API credential: no response within 10 s. Trying again in 0.5 s",
      "Reading the API credential: no response within 10 s. Trying again in 1 s",
    ]);
    expect(error.message).toContain("failed after 3 attempts: no response within 8.5 s");
  } finally {
    jest.useRealTimers();
  }
});
