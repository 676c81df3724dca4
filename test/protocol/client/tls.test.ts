/** Certificates and proxies: which servers get the key, whatever the environment. The client runs in its own process. */
import { join } from "node:path";
import { type ClientError, ConnectionError, createClient } from "../../../provider/client";
import { UserError } from "../../../provider/errors";
import { explain } from "../../../provider/lifecycle/explain";
import { createSession } from "../../../provider/session/session";
import { type Directory, directoryWith } from "../../release/package/programs";
import { runScript } from "../../support/processes/execute";
import { fakeClock } from "../../support/values/fakeClock";
import { ORGANIZATION, wireCredential } from "../../support/values/wireObjects";
import { failureOf } from "./failureOf";
import {
  PRIVATE_HOST,
  type PrivateService,
  startPrivateService,
  startTunnelProxy,
  type TunnelProxy,
} from "./privateService";

const KEY = "canary-key-of-tls";
const PASSWORD = "canary-password";

let service: PrivateService;
let proxy: TunnelProxy;
let directory: Directory;
let certificateFile: string;

beforeEach(async () => {
  service = await startPrivateService(wireCredential);
  proxy = await startTunnelProxy(service.port);
  directory = directoryWith({ "authority.pem": service.identity.cert });
  certificateFile = join(directory.path, "authority.pem");
});
afterEach(async () => {
  await proxy.close();
  await service.close();
  directory.remove();
});

const PROXIES = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
const NO_PROXIES = Object.fromEntries(PROXIES.map((name) => [name, ""]));

/** Looks up the key in a process with that environment. Returns the organization, or the message of the error. */
async function lookUp(apiUrl: string, environment: Record<string, string>, timeoutMs = 5_000) {
  const { stdout, code } = await runScript(
    `
    const { createClient } = require("./dist/provider/client");
    const clock = { now: () => 0, date: () => new Date(), sleep: async () => {} };
    const client = createClient({ apiUrl: "${apiUrl}", apiKey: "${KEY}", clock, timeoutMs: ${timeoutMs} });
    // Not closed: idle connections and attempts to connect must not keep a process alive, with or without a proxy.
    setTimeout(() => process.exit(9), 8_000).unref();
    client.getCurrentApiCredential().then(
      ({ organizationId }) => console.log(organizationId),
      (error) => console.log(error.message),
    );
  `,
    { ...NO_PROXIES, ...environment },
  );
  expect(code).toBe(0);
  expect(stdout).not.toContain(KEY);
  expect(stdout).not.toContain(PASSWORD);
  return stdout.trim();
}

function direct() {
  return `https://127.0.0.1:${service.port}`;
}

function proxied() {
  return `https://${PRIVATE_HOST}`;
}

function proxyUrl() {
  return `http://user:${PASSWORD}@127.0.0.1:${proxy.port}`;
}

function trusting() {
  return { NODE_EXTRA_CA_CERTS: certificateFile };
}

/** A failure after a single attempt: the certificate would be the same at the next one. */
const NOT_TRUSTED = /^Reading the API credential failed: self-signed certificate\b/;

const UNCHECKED = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
const OTHER_HOST =
  /^Reading the API credential failed: .*Host: other\.private\.example\. is not in the cert's altnames/;

test.each<[string, url: () => string, environment: () => Record<string, string>, RegExp, asked: number]>([
  ["on loopback, without the proxy", direct, () => ({ https_proxy: proxyUrl() }), NOT_TRUSTED, 0],
  ["even with NODE_TLS_REJECT_UNAUTHORIZED=0", direct, () => UNCHECKED, NOT_TRUSTED, 0],
  ["even through a proxy", proxied, () => ({ ...UNCHECKED, HTTPS_PROXY: proxyUrl() }), NOT_TRUSTED, 1],
  [
    "such as one for another host",
    () => "https://other.private.example",
    () => ({ ...UNCHECKED, ...trusting(), HTTPS_PROXY: proxyUrl() }),
    OTHER_HOST,
    1,
  ],
])("the key is not sent without a trusted certificate, %s", async (_, url, environment, message, asked) => {
  expect(await lookUp(url(), environment())).toMatch(message);
  expect(proxy.asked).toHaveLength(asked);
  expect(service.requests).toEqual([]);
});

test("a private certificate authority is trusted with NODE_EXTRA_CA_CERTS", async () => {
  expect(await lookUp(direct(), trusting())).toBe(ORGANIZATION);
  expect(service.requests).toMatchObject([{ headers: { "x-api-key": KEY }, httpVersion: "1.1" }]);
});

describe("a proxy", () => {
  test.each([
    ["HTTPS_PROXY", ""],
    ["https_proxy", "http://"],
  ])("is read from %s, also without %j, and only tunnels", async (variable, scheme) => {
    // The proxy for HTTP is not even parsed.
    const environment = { ...trusting(), http_proxy: "no URL", [variable]: proxyUrl().replace(scheme, "") };
    expect(await lookUp(proxied(), environment)).toBe(ORGANIZATION);
    const authorization = `Basic ${Buffer.from(`user:${PASSWORD}`).toString("base64")}`;
    expect(proxy.asked).toEqual([{ target: `${PRIVATE_HOST}:443`, authorization }]);
    expect(service.requests).toMatchObject([{ headers: { "x-api-key": KEY }, httpVersion: "1.1" }]);
    expect(service.requests[0]?.headers).not.toHaveProperty("proxy-authorization");
  });

  test.each([
    ["NO_PROXY", PRIVATE_HOST],
    ["no_proxy", ".private.example"],
    ["NO_PROXY", "*"],
    ["HTTP_PROXY", "http://127.0.0.1:1"],
  ])("is not asked because of %s: %s", async (variable, value) => {
    const proxies = variable === "HTTP_PROXY" ? {} : { HTTPS_PROXY: proxyUrl() };
    const before = { ...process.env };
    Object.assign(process.env, NO_PROXIES, proxies, { [variable]: value });
    const client = createClient({ apiUrl: proxied(), apiKey: KEY, clock: fakeClock() });
    process.env = before;
    expect((await failureOf(client.getCurrentApiCredential())).message).toMatch(
      /getaddrinfo \w+ api\.private\.example/,
    );
    await client.close();
    expect(proxy.asked).toEqual([]);
  });

  test("can be reached over TLS, and its certificate is checked like any other", async () => {
    const secure = await startTunnelProxy(service.port, service.identity);
    try {
      const HTTPS_PROXY = `https://user:${PASSWORD}@127.0.0.1:${secure.port}`;
      const unchecked = { HTTPS_PROXY, ...UNCHECKED };
      expect(await lookUp(proxied(), unchecked)).toMatch(
        /^Reading the API credential failed: the proxy in HTTPS_PROXY cannot be used: self-signed certificate\b/,
      );
      expect(secure.asked).toEqual([]);
      expect(await lookUp(proxied(), { ...trusting(), HTTPS_PROXY })).toBe(ORGANIZATION);
      expect(secure.asked).toHaveLength(1);
    } finally {
      await secure.close();
    }
  });

  test("that does not answer times out, and keeps no process alive", async () => {
    proxy.refuse("silently");
    expect(await lookUp(proxied(), { HTTPS_PROXY: proxyUrl() }, 50)).toContain("no response within 0.05 s");
    expect(proxy.asked).not.toEqual([]);
    expect(service.requests).toEqual([]);
  });
});

describe("a proxy that does not work", () => {
  const before = process.env.HTTPS_PROXY;
  afterEach(() => {
    if (before === undefined) delete process.env.HTTPS_PROXY;
    else process.env.HTTPS_PROXY = before;
  });

  async function failureThrough(url: string): Promise<ClientError> {
    process.env.HTTPS_PROXY = url;
    const client = createClient({ apiUrl: proxied(), apiKey: KEY, clock: fakeClock(), timeoutMs: 5_000 });
    const body = { projectName: "Shop" };
    const error = await failureOf(client.createProject({ organizationId: ORGANIZATION, body }));
    await client.close();
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.effect).toBe("none");
    expect(JSON.stringify([error.message, error])).not.toContain(PASSWORD);
    return error;
  }

  test.each([
    [407, "407 Proxy Authentication Required", 1],
    [503, "503 Service Unavailable", 6],
  ])("is reported as what answered %d, and retried if that may pass", async (status, text, attempts) => {
    proxy.refuse(status);
    const error = await failureThrough(proxyUrl());
    expect(error.attempts).toBe(attempts);
    expect(error.message).toContain(`: the proxy in HTTPS_PROXY responded with ${text} (request `);
    const [once, again] = ["Nothing was sent to the service. Check HTTPS_PROXY", "Check apiUrl, the network"];
    expect(explain(error).message).toContain(`\n${attempts === 1 ? once : again}`);
    expect(proxy.asked).toHaveLength(attempts);
    expect(service.requests).toEqual([]);
  });

  test("is reported as unreachable", async () => {
    const url = proxyUrl();
    await proxy.close();
    const error = await failureThrough(url);
    // It may be starting.
    expect(error.attempts).toBe(6);
    expect(error.message).toContain(
      `: the proxy in HTTPS_PROXY cannot be used: the connection was refused, connect ECONNREFUSED 127.0.0.1:${proxy.port} (request`,
    );
  });

  test("is rejected without being shown if it is not a valid URL", () => {
    process.env.HTTPS_PROXY = `http://user:1#${PASSWORD}@proxy.example`;
    const message =
      "HTTPS_PROXY must be an http or https URL, such as http://proxy.example:3128. Percent-encode special characters in its user name and password, such as # as %23.";
    expect(() => createClient({ apiUrl: proxied(), apiKey: KEY })).toThrow(new TypeError(message));
    const open = () => createSession({ apiUrl: proxied(), apiKey: KEY, readOnly: false });
    expect(open).toThrow(message);
    expect(open).toThrow(UserError);
  });
});
