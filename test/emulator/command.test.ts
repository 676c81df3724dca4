/** The command `emulator`: its output, its seed and controls, its errors, and its end. */
import { once } from "node:events";
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { dirname, join } from "node:path";
import { generate } from "selfsigned";
import { DEVELOPMENT_KEY, emulatorCommand } from "../../cli/commands/emulator";
import type { EmulatorState } from "../../testing/emulator";
import { fileWith, newDirectory } from "../commands/directories";
import { type Ended, failedWith, run as runCommand } from "../commands/run";
import { FOREIGN, KEY, OWN, START_MS, seed } from "./service";

/** The project of the default seed. */
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

/** The status of a request to the service with a key. */
async function statusWith(key: string, url: string, path = "/api-credentials/current"): Promise<number> {
  return (await fetch(`${url}/api/v2${path}`, { headers: { "x-api-key": key } })).status;
}

/** The status of a request to the controls. */
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
    "The project Brand exists: 5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e",
    `What exists: curl ${url}/_emulator/state`,
    "",
  ]);
  expect(code).toBe(0);
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test("the emulator contains the objects of a seed file", async () => {
  const { stderr } = await run(["--seed", fileWith(seed)], async (url) => {
    expect(await statusWith(KEY, url)).toBe(200);
  });
  expect(stderr).not.toContain("Brand");
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
    { id: one, keys },
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

describe("--state <file>", () => {
  const control = (url: string, path: string, body: object) =>
    fetch(`${url}/_emulator/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const stateOf = async (url: string) => (await fetch(`${url}/_emulator/state`)).json();

  test("keeps the content and the clock between runs, in place of the seed", async () => {
    const path = join(newDirectory(), "emulator.state");
    const found: { before?: unknown; after?: unknown } = {};
    const first = await run(["--state", path, "--seed", fileWith(seed)], async (url) => {
      await control(url, "clock/advance", { milliseconds: 86_400_000 });
      await control(url, `domains/${OWN.domain}/status`, { status: "PENDING_DNS" });
      await control(url, `projects/${OWN.project}/applications`, { appType: "WEB" });
      await control(url, `organizations/${OWN.organization}/keys`, { key: "later-key-1" });
      found.before = await stateOf(url);
    });
    const second = await run(["--state", path], async (url) => {
      found.after = await stateOf(url);
      const now = new Date(START_MS + 86_400_000).toISOString();
      expect(await (await fetch(`${url}/_emulator/clock`)).json()).toEqual({ now });
    });
    expect(found.before).toMatchObject({ customDomains: [{ lifecycleStatus: "PENDING_DNS" }, {}, {}] });
    expect(found.after).toEqual(found.before);
    expect(second.stderr).toContain("  later-key-1\n");
    for (const { stderr } of [first, second])
      expect(stderr).toContain(
        `${path} keeps the content. The seed is used only for a new file, and after a reset.\n`,
      );
  });

  test("keeps each change before its response is sent, for no other user", async () => {
    const path = join(newDirectory(), "emulator.state");
    let afterRequest: Buffer | undefined;
    let killed: Buffer | undefined;
    let created: unknown;
    await run(["--state", path], async (url) => {
      const { organizations } = (await stateOf(url)) as EmulatorState;
      await fetch(`${url}/api/v2/organizations/${organizations[0]?.id}/projects`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": DEVELOPMENT_KEY },
        body: JSON.stringify({ project_name: "New" }),
      });
      afterRequest = readFileSync(path);
      const response = await control(url, `projects/${BRAND}/links`, {
        name: "New",
        url: "https://x.example/",
      });
      created = await response.json();
      killed = readFileSync(path);
      if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
    });
    const projects = [{ name: "Brand" }, { name: "New" }];
    writeFileSync(path, afterRequest ?? "");
    await run(["--state", path], async (url) => {
      expect(await stateOf(url)).toMatchObject({ projects, links: [{ name: "Home" }] });
    });
    writeFileSync(path, killed ?? "");
    await run(["--state", path], async (url) => {
      expect(await stateOf(url)).toMatchObject({ projects, links: [{ name: "Home" }, created] });
    });
    expect(readdirSync(dirname(path)).filter((name) => name.startsWith("emulator"))).toEqual([
      "emulator.state",
    ]);
  });

  test.each<[string, (text: string) => string]>([
    ["is cut off", (text) => text.slice(0, -100)],
    ["is empty", () => ""],
    ["was edited", (text) => text.replace(/[A-Z]/g, "x")],
    ["is of another version", (text) => text.replace("emulator-2", "emulator-1")],
  ])("refuses a file that %s, and leaves it unchanged", async (_what, damage) => {
    const path = join(newDirectory(), "emulator.state");
    await run(["--state", path]);
    const damaged = damage(readFileSync(path, "utf8"));
    writeFileSync(path, damaged);
    const message = `${path} is not a state of this version of the emulator, or it is damaged. It was not changed. Restore it from a copy, choose another file, or remove it to start with the seed.`;
    expect(await run(["--state", path])).toEqual(failedWith(message));
    expect(readFileSync(path, "utf8")).toBe(damaged);
  });

  test("a start that fails, and one that only reads, leave the file to the emulator that uses it", async () => {
    const path = join(newDirectory(), "emulator.state");
    await run(["--state", path]);
    const first = await run(["--state", path], async (url) => {
      const failed = await run(["--state", path, "--port", new URL(url).port]);
      expect(failed.code).toBe(1);
      expect((await control(url, "organizations", {})).status).toBe(200);
      expect(await statusOfControls(url)).toBe(200);
    });
    expect(first.code).toBe(0);
    const link = `${path}.link`;
    symlinkSync(path, link);
    await run(["--state", link], async (url) => void (await control(url, "organizations", {})));
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    const later = join(dirname(path), "later.state");
    const dangling = `${path}.dangling`;
    symlinkSync("later.state", dangling);
    await run(["--state", dangling]);
    expect(lstatSync(dangling).isSymbolicLink()).toBe(true);
    expect(statSync(later).mode & 0o777).toBe(0o600);
    symlinkSync("loop", join(dirname(path), "loop"));
    const looping = await run(["--state", join(dirname(path), "loop")]);
    expect(looping.stderr).toContain("cannot be read: ELOOP");
    expect(await run(["--state", ""])).toEqual(failedWith("The path of the state file is empty."));
  });

  test("does not overwrite what another emulator has written", async () => {
    const path = join(newDirectory(), "emulator.state");
    let other = "";
    const failed = await run(["--state", path], async (url) => {
      await run(["--state", path], async (second) => {
        await control(second, "organizations", {});
      });
      other = readFileSync(path, "utf8");
      expect((await control(url, "organizations", {})).status).toBe(500);
    });
    expect([failed.code, readFileSync(path, "utf8")]).toEqual([1, other]);
    expect(failed.stderr).toContain(
      `error: ${path} was changed by another process, perhaps another emulator, and was not overwritten. Let each emulator use a file of its own.\n`,
    );
  });

  test("reports a file that cannot be written", async () => {
    const path = join(newDirectory(), "missing", "emulator.state");
    expect(await run(["--state", path])).toEqual(
      failedWith(/^error: .*emulator\.state cannot be written: ENOENT.*\n$/),
    );
  });
});

test.each([
  [404, ["--host", "0.0.0.0"]],
  [200, ["--host", "0.0.0.0", "--controls"]],
  [200, ["--host", "127.0.0.1"]],
  [200, ["--host", "localhost"]],
])("the controls respond with %d under %j", async (status, args) => {
  const { stderr } = await run(args, async (url) => expect(await statusOfControls(url)).toBe(status));
  const warning =
    "The controls are off, because other machines can reach this address. Use --controls to turn them on.\n";
  expect(stderr.includes(warning)).toBe(status === 404);
});

test.each<[what: string, path: () => string, message: RegExp]>([
  [
    "with a wrong field",
    () => fileWith({ organizations: [{ projects: [{ nam: "x" }] }] }),
    /: organizations\.0\.projects\.0\.name is required/,
  ],
  ["that is not JSON", () => fileWith("{\n  oops", "seed.json"), /seed\.json is not JSON: /],
  ["that does not exist", () => join(newDirectory(), "none.json"), /There is no file .*none\.json\./],
])("a seed file %s is rejected with one line", async (_what, path, { source }) => {
  expect(await run(["--seed", path()])).toEqual(failedWith(new RegExp(`^error: .*${source}.*\n$`)));
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
