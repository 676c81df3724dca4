/** No error, report or client of any kind shows the key, in any encoding. */
import { inspect } from "node:util";
import {
  type Attempt,
  type Client,
  type ClientOptions,
  createClient,
  type Retry,
} from "../../../provider/client";
import { type Answering, type StubServer, startStubServer } from "../../support/servers/stubServer";
import { fakeClock } from "../../support/values/fakeClock";
import { ORGANIZATION, wireProject } from "../../support/values/wireObjects";
import { failureOf } from "./failureOf";

// A key that every encoding changes.
const KEY = 'c4n4ry/+é"\\?=&key~>>>';

const WRITTEN = {
  raw: KEY,
  percentEncoded: encodeURIComponent(KEY),
  lowerCasePercentEncoded: encodeURIComponent(KEY).toLowerCase(),
  form: new URLSearchParams({ k: KEY }).toString().slice(2),
  json: JSON.stringify(KEY).slice(1, -1),
  upperCase: KEY.toUpperCase(),
  cutByControlCharacters: [...KEY].join("\u200b"),
};
const echo = Object.values(WRITTEN).join(" and ");
const headerEcho = [WRITTEN.raw, WRITTEN.percentEncoded].join(",");

let server: StubServer;
const opened: Client[] = [];

beforeAll(async () => {
  server = await startStubServer();
});
afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));
afterAll(() => server.close());

function clientWith(options: Partial<ClientOptions> = {}): Client {
  const client = createClient({ apiUrl: server.url, apiKey: KEY, clock: fakeClock(), ...options });
  opened.push(client);
  return client;
}

function everythingOf(value: unknown): string {
  const everything = { depth: Infinity, showHidden: true, getters: true, maxStringLength: Infinity };
  const shown = inspect(value, everything);
  const { message, stack } = Object(value) as Error;
  return [shown, message, stack, String(value), JSON.stringify(value)].join("\n");
}

function expectNoKey(shown: string): void {
  const lower = shown.toLowerCase();
  const leaks = Object.entries(WRITTEN).filter(([, written]) => lower.includes(written.toLowerCase()));
  expect(leaks).toEqual([]);
  expect(shown.toLowerCase()).not.toContain("c4n4ry");
}

function create(client: Client) {
  return client.createProject({ organizationId: ORGANIZATION, body: { projectName: KEY } });
}

test.each<[string, Answering]>([
  ["an error that repeats the key", { status: 400, body: { statusCode: 400, message: echo, error: echo } }],
  ["an error with several texts", { status: 409, body: { statusCode: 409, message: [echo, echo] } }],
  ["an error with the key as the name of a field", { status: 500, body: { [echo]: echo } }],
  ["an error that is not JSON", { status: 404, body: echo, headers: { "content-type": headerEcho } }],
  ["a request id", { status: 404, headers: { "x-request-id": headerEcho } }],
  ["a redirect", { status: 302, headers: { location: `https://other.example/?${headerEcho}` } }],
  ["an answer that is not JSON", { status: 201, body: echo, headers: { "content-type": headerEcho } }],
  ["an answer with wrong fields", { status: 201, body: { ...wireProject, id: echo, [echo]: echo } }],
  ["a broken connection", (response) => response.destroy()],
  ["a broken answer", (response) => response.socket?.end(`HTTP/1.1 200 OK\r\n${headerEcho}\u0000\r\n\r\n`)],
])("neither errors nor reports show the key: %s", async (_, answering) => {
  server.answer(answering);
  const reports: unknown[] = [];
  const report = (one: Retry | Attempt) => reports.push(one);
  const client = clientWith({ onRetry: report, onAttempt: report });
  expectNoKey(everythingOf(await failureOf(create(client))));
  await failureOf(client.getProject({ organizationId: KEY, projectId: KEY }));
  expect(reports.length).toBeGreaterThan(1);
  expectNoKey(everythingOf(reports));
});

test("a report does not show the key in a text of the system", async () => {
  const reasons: string[] = [];
  const onRetry = ({ reason }: Retry) => reasons.push(reason);
  await failureOf(create(clientWith({ apiUrl: "http://nowhere.invalid", apiKey: "nowhere", onRetry })));
  expect(reasons[0]).toMatch(/getaddrinfo \w+ \*\*\*\.invalid$/);
});

test("a key that is a UUID is not shown as the request id of the service", async () => {
  const key = "0123abcd-0000-4000-8000-0000000000ff";
  const body = { statusCode: 404, message: "No." };
  server.answer({ status: 404, headers: { "x-request-id": key }, body });
  const error = await failureOf(create(clientWith({ apiKey: key })));
  expect(error).toMatchObject({ name: "NotFoundError", requestId: "***" });
  expect(everythingOf(error)).not.toContain(key);
});

test("no error shows the key: cancelled, timed out, read-only, unreachable", async () => {
  const signal = AbortSignal.abort(new Error(KEY));
  const errors = [
    clientWith().getProject({ organizationId: KEY, projectId: KEY }, { signal }),
    clientWith().deleteLink({ linkId: KEY }, { deadline: 0 }),
    clientWith({ readOnly: true }).deleteLink({ linkId: KEY }),
    create(clientWith({ apiUrl: "http://127.0.0.1:1" })),
  ];
  for (const error of errors) expectNoKey(everythingOf(await failureOf(error)));
});

test("the client does not show the key", () => {
  expectNoKey(everythingOf(clientWith()));
});

test("a response is sanitized as a whole, and for messages", () => {
  const response = { names: [KEY, "x  ".repeat(200)] };
  const { sanitized } = clientWith();
  expect(sanitized(response, { whole: true })).toEqual({ names: ["***", "x  ".repeat(200)] });
  expect(sanitized(response)).toEqual({ names: ["***", `${"x ".repeat(150)}…`] });
});
