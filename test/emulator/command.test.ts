/** The command `emulator`: its output, its seed and controls, its errors, and its end. */
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { join } from "node:path";
import { generate } from "selfsigned";
import { DEVELOPMENT_KEY, emulatorCommand } from "../../cli/commands/emulator";
import { fileWith } from "../commands/directories";
import { type Ended, failedWith, run as runCommand } from "../commands/run";
import { start } from "../support/processes/execute";
import { until } from "../support/processes/until";
import { FOREIGN, OWN } from "./service";

const BRAND = "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e";

/** Runs the command. Calls `use` as soon as the emulator listens, and then interrupts the command. */
async function run(args: string[], use: (url: string) => Promise<void> = async () => {}): Promise<Ended> {
  let url = "";
  let failure: unknown;
  const create = (console: Parameters<typeof emulatorCommand>[0] & object) => {
    const print = (text: string) => {
      url = text.trim();
      console.print(text);
    };
    // The URL is printed immediately after this call.
    const stopped = () =>
      new Promise(setImmediate)
        .then(() => use(url))
        .catch((error: unknown) => {
          failure = error;
        });
    return emulatorCommand({ ...console, print }, stopped)
      .exitOverride()
      .configureOutput({ writeErr: () => {} });
  };
  const ended = await runCommand(create, args, {});
  if (failure !== undefined) throw failure;
  return ended;
}

async function statusWith(key: string, url: string, path = "/api-credentials/current"): Promise<number> {
  return (await fetch(`${url}/api/v2${path}`, { headers: { "x-api-key": key } })).status;
}

async function statusOfControls(url: string): Promise<number> {
  return (await fetch(`${url}/_emulator/state`)).status;
}

test("the command prints its URL, a key, and how to use them, and runs until it is interrupted", async () => {
  let url = "";
  const { stdout, stderr, code } = await run([], async (printed) => {
    url = printed;
    expect([await statusWith(DEVELOPMENT_KEY, url), await statusOfControls(url)]).toEqual([200, 200]);
  });
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
  expect(stderr.split("\n")).toEqual([
    `pulumi config set dynamiclink:apiUrl ${url}`,
    `export DYNAMICLINK_API_KEY=${DEVELOPMENT_KEY}`,
    expect.stringMatching(/^Organization [0-9a-f-]{36}:$/),
    `  ${DEVELOPMENT_KEY}`,
    `The project Brand exists: ${BRAND}`,
    `What exists: curl ${url}/_emulator/state`,
    "",
  ]);
  expect(code).toBe(0);
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test("the organizations and keys of a seed file are printed, each with what limits it", async () => {
  const [one, other] = [OWN.organization, FOREIGN.organization];
  const keys = [
    { key: "key-that-is-revoked", revoked: true },
    { key: "key's$(scopes)", scopes: ["projects:read", "links:read"] },
    { key: "key-of-all-scopes" },
  ];
  const organizations = [
    { id: other, blocked: true, keys: [{ key: "other-key-1", scopes: [] }] },
    { id: one, keys, projects: [{ id: BRAND, name: "Shop" }] },
  ];
  const { stderr } = await run(["--seed", fileWith({ organizations })]);
  expect(stderr.split("\n").slice(1, -2)).toEqual([
    "export DYNAMICLINK_API_KEY='key'\\''s$(scopes)'",
    `Organization ${other}, which is blocked:`,
    "  other-key-1; no scopes",
    `Organization ${one}:`,
    "  key-that-is-revoked; revoked",
    "  key's$(scopes); projects:read, links:read",
    "  key-of-all-scopes",
  ]);
});

test("--log prints each request with its status and fault, and nothing in it controls the terminal", async () => {
  const { stderr } = await run(["--log"], async (url) => {
    await statusWith(DEVELOPMENT_KEY, url);
    const fault = { method: "POST", headers: { "content-type": "application/json" } };
    await fetch(`${url}/_emulator/faults`, { ...fault, body: '{"effect":{"reset":"before"}}' });
    await expect(statusWith(DEVELOPMENT_KEY, url, "/nothing?a=%1b[31m")).rejects.toThrow("fetch failed");
  });
  expect(stderr.split("\n").filter((line) => /^\d\d:/.test(line))).toEqual([
    expect.stringMatching(/^[\d:.]{12} 200 GET \/api\/v2\/api-credentials\/current getCurrentApiCredential$/),
    expect.stringMatching(
      /^[\d:.]{12} no response GET \/api\/v2\/nothing\?a=%1B%5B31m unknown operation fault: \{"reset":"before"\}$/,
    ),
  ]);
});

test.each([
  [404, ["--host", "0.0.0.0"]],
  [200, ["--host", "0.0.0.0", "--controls"]],
  [200, ["--host", "localhost"]],
])("the controls respond with %d under %j", async (status, args) => {
  const { stderr } = await run(args, async (url) => expect(await statusOfControls(url)).toBe(status));
  const warning =
    "The controls are off, because other machines can reach this address. Use --controls to turn them on.\n";
  expect(stderr.includes(warning)).toBe(status === 404);
});

test("a seed file with a wrong field is rejected with one line", async () => {
  const path = fileWith({ organizations: [{ projects: [{ nam: "x" }] }] });
  const message = `${path}: organizations.0.projects.0.name is required`;
  expect(await run(["--seed", path])).toEqual(failedWith(message));
});

test("--tls-cert and --tls-key serve https, and the command prints how a client trusts the certificate", async () => {
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
    extensions: [
      { name: "basicConstraints", cA: true },
      { name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] },
    ],
  });
  const [certFile, keyFile] = [fileWith(cert, "cert.pem"), fileWith(key, "key.pem")];
  const { stdout, stderr } = await run(["--tls-cert", certFile, "--tls-key", keyFile], async (url) => {
    const [response] = (await once(get(url, { ca: cert, agent: false }), "response")) as [IncomingMessage];
    expect(response.resume().statusCode).toBe(404);
    await expect(fetch(url)).rejects.toThrow("fetch failed");
  });
  expect(stdout).toMatch(/^https:\/\/127\.0\.0\.1:\d+\n$/);
  expect(stderr).toContain(`export NODE_EXTRA_CA_CERTS=${certFile}\n`);
  const other = fileWith("not PEM", "other.pem");
  expect(await run(["--tls-cert", certFile, "--tls-key", other])).toEqual(
    failedWith(/^error: .*cert\.pem and .*other\.pem are not a certificate and its key in PEM: .*\n$/),
  );
  const half = "--tls-cert and --tls-key belong together: give both, or none for http.";
  expect(await run(["--tls-cert", certFile])).toEqual(failedWith(half));
});

test.each(["x", "-1", "65536", "1.5", " "])("%j is rejected as a port", async (port) => {
  await expect(run(["--port", port])).rejects.toThrow("A port must be an integer from 0 to 65535.");
});

test("an empty host is rejected, because it would be every address of this machine", async () => {
  expect(await run(["--host", ""])).toEqual(failedWith(/^error: The host is empty, .*\n$/));
});

test("a port that is in use is reported with one line", async () => {
  await run([], async (url) => {
    const { port } = new URL(url);
    const message = `Port ${port} is already in use, perhaps by another emulator. Use that one, stop it, or choose another port with --port; 0 selects a free port.`;
    expect(await run(["--port", port])).toEqual(failedWith(message));
  });
});

const onPosix = process.platform === "win32" ? test.skip : test;

onPosix("an emulator that `pulumi plugin run` has started ends with it, without a signal", async () => {
  const command = `"${process.execPath}" "${join(__dirname, "../../dist/cli/index.js")}" emulator & wait`;
  const environment = { ...process.env, PULUMI_RPC_TARGET: "127.0.0.1:1" };
  const { child, printed, ended } = start("sh", ["-c", command], { directory: __dirname, environment });
  await until(() => printed.stderr.includes("What exists:"));
  child.kill("SIGKILL");
  // Its output is open until it has ended.
  await ended;
});
