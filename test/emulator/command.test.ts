/** The command `emulator`: its output, its seed and controls, its errors, and its end. */
import { once } from "node:events";
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { basename, dirname, join } from "node:path";
import { generate } from "selfsigned";
import { DEVELOPMENT_KEY, emulatorCommand } from "../../cli/commands/emulator";
import type { EmulatorState } from "../../testing/emulator";
import { fileWith, newDirectory } from "../commands/directories";
import { type Ended, failedWith, run as runCommand } from "../commands/run";
import { FOREIGN, OWN, START_MS, seed } from "./service";

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
  let path: string;
  beforeEach(() => {
    path = join(newDirectory(), "emulator.state");
  });

  const post = (url: string, target: string, body: object) =>
    fetch(`${url}/${target}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": DEVELOPMENT_KEY },
      body: JSON.stringify(body),
    });
  const addOrganization = (url: string) => post(url, "_emulator/organizations", {});
  const stateOf = async (url: string) =>
    (await (await fetch(`${url}/_emulator/state`)).json()) as EmulatorState;

  test("keeps the content and the clock between runs, in place of the seed", async () => {
    let before: EmulatorState | undefined;
    let after: EmulatorState | undefined;
    const first = await run(["--state", path, "--seed", fileWith(seed)], async (url) => {
      await post(url, "_emulator/clock/advance", { milliseconds: 86_400_000 });
      await post(url, `_emulator/domains/${OWN.domain}/status`, { status: "PENDING_DNS" });
      await post(url, `_emulator/projects/${OWN.project}/applications`, { appType: "WEB" });
      await post(url, `_emulator/organizations/${OWN.organization}/keys`, { key: "later-key-1" });
      before = await stateOf(url);
    });
    const second = await run(["--state", path], async (url) => {
      after = await stateOf(url);
      const now = new Date(START_MS + 86_400_000).toISOString();
      expect(await (await fetch(`${url}/_emulator/clock`)).json()).toEqual({ now });
    });
    expect(before).toMatchObject({ customDomains: [{ lifecycleStatus: "PENDING_DNS" }, {}, {}] });
    expect(after).toEqual(before);
    expect(second.stderr).toContain("  later-key-1\n");
    const note = `${path} keeps the content. The seed is used only for a new file, and after a reset.\n`;
    for (const { stderr } of [first, second]) expect(stderr).toContain(note);
  });

  test("keeps each change before its response is sent, for no other user", async () => {
    /** The file after a request to the service, and after one to the controls, with what it then contains. */
    const files: [file: Buffer, state: object][] = [];
    const projects = [{ name: "Brand" }, { name: "New" }];
    await run(["--state", path], async (url) => {
      const [organization] = (await stateOf(url)).organizations;
      await post(url, `api/v2/organizations/${organization?.id}/projects`, { project_name: "New" });
      files.push([readFileSync(path), { projects, links: [{ name: "Home" }] }]);
      const link = { name: "New", url: "https://x.example/" };
      const created = await (await post(url, `_emulator/projects/${BRAND}/links`, link)).json();
      files.push([readFileSync(path), { projects, links: [{ name: "Home" }, created] }]);
      if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
    });
    for (const [file, state] of files) {
      writeFileSync(path, file);
      await run(["--state", path], async (url) => expect(await stateOf(url)).toMatchObject(state));
    }
    const names = readdirSync(dirname(path)).filter((name) => name.startsWith("emulator"));
    expect(names).toEqual(["emulator.state"]);
  });

  test.each<[string, (text: string) => string]>([
    ["is empty", () => ""],
    ["was edited", (text) => text.replace(/[A-Z]/g, "x")],
    ["is of another version", (text) => text.replace("emulator-2", "emulator-1")],
  ])("refuses a file that %s, and leaves it unchanged", async (_what, damage) => {
    await run(["--state", path]);
    const damaged = damage(readFileSync(path, "utf8"));
    writeFileSync(path, damaged);
    const message = `${path} is not a state of this version of the emulator, or it is damaged. It was not changed. Restore it from a copy, choose another file, or remove it to start with the seed.`;
    expect(await run(["--state", path])).toEqual(failedWith(message));
    expect(readFileSync(path, "utf8")).toBe(damaged);
  });

  test("a start that fails, and one that only reads, leave the file to the emulator that uses it", async () => {
    await run(["--state", path]);
    const first = await run(["--state", path], async (url) => {
      const failed = await run(["--state", path, "--port", new URL(url).port]);
      expect(failed.code).toBe(1);
      expect((await addOrganization(url)).status).toBe(200);
      expect(await statusOfControls(url)).toBe(200);
    });
    expect(first.code).toBe(0);
  });

  test("follows symbolic links, also to a file that does not exist yet", async () => {
    const later = join(dirname(path), "later.state");
    for (const target of [path, "later.state"]) {
      const link = join(dirname(path), `${basename(target)}.link`);
      symlinkSync(target, link);
      await run(["--state", link], async (url) => void (await addOrganization(url)));
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
    }
    expect(statSync(later).mode & 0o777).toBe(0o600);
    symlinkSync("loop", join(dirname(path), "loop"));
    const looping = await run(["--state", join(dirname(path), "loop")]);
    expect(looping.stderr).toContain("cannot be read: ELOOP");
  });

  test("does not overwrite what another emulator has written", async () => {
    let other = "";
    const failed = await run(["--state", path], async (url) => {
      await run(["--state", path], async (second) => void (await addOrganization(second)));
      other = readFileSync(path, "utf8");
      expect((await addOrganization(url)).status).toBe(500);
    });
    expect([failed.code, readFileSync(path, "utf8")]).toEqual([1, other]);
    expect(failed.stderr).toContain(
      `error: ${path} was changed by another process, perhaps another emulator, and was not overwritten. Let each emulator use a file of its own.\n`,
    );
  });

  test("reports a file that cannot be written, and an empty path", async () => {
    const missing = join(dirname(path), "missing", "emulator.state");
    expect(await run(["--state", missing])).toEqual(
      failedWith(/^error: .*emulator\.state cannot be written: ENOENT.*\n$/),
    );
    expect(await run(["--state", ""])).toEqual(failedWith("The path of the state file is empty."));
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
