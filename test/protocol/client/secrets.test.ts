/** No error, report or client of any kind shows the key, in any encoding. */
import { createServer, type Server } from "node:net";
import { inspect } from "node:util";
import fc from "fast-check";
import { type Client, type ClientOptions, createClient, type Retry } from "../../../provider/client";
import { newHiddenValues, sanitizerWithout } from "../../../provider/client/sanitized";
import { type Answering, type StubServer, startStubServer } from "../../support/servers/stubServer";
import { failureOf, fakeClock, ORGANIZATION, wireProject } from "./support";

// A key that every encoding changes.
const KEY = 'c4n4ry/+é"\\?=&key~>>>';

const WRITTEN = {
  raw: KEY,
  base64: Buffer.from(KEY).toString("base64"),
  base64Url: Buffer.from(KEY).toString("base64url"),
  percentEncoded: encodeURIComponent(KEY),
  lowerCasePercentEncoded: encodeURIComponent(KEY).toLowerCase(),
  form: new URLSearchParams({ k: KEY }).toString().slice(2),
  json: JSON.stringify(KEY).slice(1, -1),
  upperCase: KEY.toUpperCase(),
  cutByControlCharacters: [...KEY].join("\u200b"),
};
const echo = Object.values(WRITTEN).join(" and ");
const headerEcho = [WRITTEN.raw, WRITTEN.base64, WRITTEN.percentEncoded].join(",");

let server: StubServer;
const opened: Client[] = [];

beforeAll(async () => {
  server = await startStubServer();
});
afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));
afterAll(() => server.close());

test("values are replaced in any letter case, escaped, as hostnames and cut off, but not if they are short", () => {
  const hide = hiding(["Straße.example", 'a "b" c', "iOS", ""]);
  expect(hide("STRAßE.example xn--strae-oqa.example iOS")).toBe("*** *** iOS");
  expect(hide(JSON.stringify({ is: 'a "b" c' }))).toBe('{"is":"***"}');
  expect(hide("begins Straße.ex… and ends")).toBe("begins ***… and ends");
  expect(hide("no value…")).toBe("no value…");
});

test.each(["::group::x", "a##[b", "a\u200bb  \ncd", "née/ß x", 'née "b"', 'a "b"\u0007c', "half \ud800"])(
  "the value %j is replaced in every form in which a message quotes it",
  (value) => {
    const hide = hiding([value]);
    const json = JSON.stringify(value).slice(1, -1);
    const ascii = json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const quoted = [value, json, ascii, encodeURIComponent(value.toWellFormed())];
    // As a message begins with it and contains it, after what is not the key was made sanitized.
    const shown = quoted.flatMap((form) => [form, `the name ${form}.`]).map(sanitizerWithout(KEY));
    expect(shown.map(hide)).toEqual(quoted.flatMap(() => ["***", "the name ***."]));
  },
);

test("of more than 10,000 values, those that were added last are replaced", () => {
  const { add, sanitized } = newHiddenValues();
  add(["first", "again"]);
  add(Array.from({ length: 9_998 }, (_, index) => `value ${index};`));
  add(["again", "last"]);
  expect(sanitized("first again value 0; value 9997; last")).toBe("first *** *** *** ***");
});

function hiding(values: readonly string[]): (text: string) => string {
  const { add, sanitized } = newHiddenValues();
  add(values);
  return sanitized;
}

function clientWith(options: Partial<ClientOptions> = {}): Client {
  const client = createClient({ apiUrl: server.url, apiKey: KEY, clock: fakeClock(), ...options });
  opened.push(client);
  return client;
}

/** Everything that a program can print of a value. */
function everythingOf(value: unknown): string {
  const shown = inspect(value, {
    depth: Infinity,
    showHidden: true,
    getters: true,
    maxStringLength: Infinity,
  });
  const { message, stack } = Object(value) as Error;
  return [shown, message, stack, String(value), JSON.stringify(value)].join("\n");
}

function expectNoKey(shown: string): void {
  for (const [way, written] of Object.entries(WRITTEN)) {
    expect({ way, leaks: shown.toLowerCase().includes(written.toLowerCase()) }).toEqual({
      way,
      leaks: false,
    });
  }
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
  [
    "an answer with wrong fields",
    { status: 201, body: { ...wireProject, id: echo, [echo]: echo, ios_app_flag: echo } },
  ],
  ["a broken connection", (response) => response.destroy()],
  [
    "a broken answer",
    (response) => response.socket?.end(`HTTP/1.1 200 OK\r\n${headerEcho}\u0000\r\n\r\n${headerEcho}`),
  ],
])("no error shows the key: %s", async (_, answering) => {
  server.answer(answering);
  expectNoKey(everythingOf(await failureOf(create(clientWith()))));
});

test("a key that is a UUID is not shown as the request id of the service", async () => {
  const key = "0123abcd-0000-4000-8000-0000000000ff";
  server.answer({
    status: 404,
    headers: { "x-request-id": key },
    body: { statusCode: 404, message: "No." },
  });
  const error = await failureOf(create(clientWith({ apiKey: key })));
  expect(error).toMatchObject({ name: "NotFoundError", requestId: "***" });
  expect(everythingOf(error)).not.toContain(key);
});

describe("a server that does not speak HTTP", () => {
  let babbler: Server;
  beforeAll(async () => {
    babbler = createServer((socket) => {
      socket.on("error", () => {});
      socket.end(headerEcho);
    });
    await new Promise<void>((resolve) => babbler.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => babbler.close());

  test("leads to errors and reports without the key, even if it sends the key", async () => {
    const { port } = babbler.address() as { port: number };
    const retries: Retry[] = [];
    const client = clientWith({ apiUrl: `http://127.0.0.1:${port}` });
    const call = client.getProject(
      { organizationId: KEY, projectId: KEY },
      { onRetry: (retry) => retries.push(retry) },
    );
    const error = await failureOf(call);
    expect(error.name).toBe("ConnectionError");
    expect(retries).toHaveLength(5);
    expectNoKey(everythingOf(error) + everythingOf(retries));
  });
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

test("the key is sent", async () => {
  server.answer({ status: 201, body: wireProject });
  server.requests.length = 0;
  await create(clientWith());
  expect(Buffer.from(String(server.requests[0]?.headers["x-api-key"]), "latin1").toString("latin1")).toBe(
    KEY,
  );
});

test("a key with spaces is found in text with other white space", () => {
  expect(sanitizerWithout("a  key")("no a  key, no a \n key")).toBe("no ***, no ***");
});

test("a text that people copy keeps its length and its spaces, and nothing else that a message must not show", () => {
  const whole = sanitizerWithout("a  key", { whole: true });
  const long = " x  ".repeat(200);
  expect(whole(long)).toBe(long);
  expect(whole("::no a  key\u001b[1m\n\u202e##vso[x]")).toBe(": :no *** [1m # #vso[x]");
});

test("the text around the key is unchanged", () => {
  const sanitized = sanitizerWithout("a.key");
  expect(sanitized("no a.key, and aXkey and a%2Fkey are others")).toBe(
    "no ***, and aXkey and a%2Fkey are others",
  );
});

describe("any key", () => {
  const keys = fc
    .array(fc.integer({ min: 0x21, max: 0x7e }), { minLength: 8, maxLength: 40 })
    .map((codes) => String.fromCharCode(...codes));

  test.each(["base64", "base64url"] as const)(
    "is removed from the %s of a longer text, at any position",
    (encoding) => {
      fc.assert(
        fc.property(
          fc.uint8Array({ maxLength: 30 }),
          keys,
          fc.uint8Array({ maxLength: 30 }),
          (before, key, after) => {
            const encoded = Buffer.concat([before, Buffer.from(key), after]).toString(encoding);
            const printed = sanitizerWithout(key)(encoded);
            const [head = "", ...rest] = printed.split("***");
            // What is left is only the text before and after the key.
            expect(rest.length).toBeGreaterThan(0);
            expect(Math.ceil((head.length * 6) / 8)).toBeLessThanOrEqual(before.length);
            expect(rest.join("").replace(/=+$/, "").length).toBeLessThanOrEqual(
              Math.ceil((after.length * 8) / 6),
            );
          },
        ),
        { numRuns: 500 },
      );
    },
  );

  const hex = (character: string) => Buffer.from(character).toString("hex");
  test.each<[string, readonly ((character: string) => string)[]]>([
    [
      "percent-encoded",
      [
        (character) => character,
        (character) => `%${hex(character)}`,
        (character) => `%${hex(character).toUpperCase()}`,
      ],
    ],
    [
      "escaped as in JSON",
      [(character) => JSON.stringify(character).slice(1, -1), (character) => `\\u00${hex(character)}`],
    ],
  ])("is removed with any of its characters %s", (_, escapes) => {
    const choices = fc.infiniteStream(fc.constantFrom(...escapes));
    fc.assert(
      fc.property(keys, choices, (key, each) => {
        const text = [...key].map((character) => each.next().value?.(character)).join("");
        expect(sanitizerWithout(key)(` ${text} `)).toBe("***");
      }),
      { numRuns: 500 },
    );
  });

  test("is removed in hex, in any letter case", () => {
    fc.assert(
      fc.property(keys, (key) => {
        expect(sanitizerWithout(key)(`${hex(key)} ${hex(key).toUpperCase()}`)).toBe("*** ***");
      }),
    );
  });

  test.each([
    ["repeats its beginning", "aaaaaaaaaaaaaaab", "a"],
    ["has percent signs", "%25%25%25%25%25x", "%25"],
    ["has backslashes", "\\\\\\\\\\\\\\x", "\\"],
  ])("that %s is looked for in linear time", (_, key, part) => {
    // Quadratic time would take hours.
    expect(sanitizerWithout(key)(part.repeat(1_000_000))).toHaveLength(301);
  });
});
