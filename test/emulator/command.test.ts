/** The command `emulator`: its output, its seed and controls, its errors, and its end. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { DEVELOPMENT_KEY, emulatorCommand } from "../../cli/commands/emulator";
import { KEY, seed } from "./service";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "emulator-command-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

function file(content: string): string {
  const path = join(directory, "seed.json");
  writeFileSync(path, content);
  return path;
}

/** Runs the command. Calls `use` as soon as the emulator listens, and then interrupts the command. */
async function run(args: string[], use: (url: string) => Promise<void> = async () => {}) {
  const printed = { stdout: "", stderr: "" };
  const writable = (name: "stdout" | "stderr") =>
    new Writable({
      write(chunk, _encoding, done) {
        printed[name] += String(chunk);
        done();
      },
    });
  let exitCode: number | undefined;
  let failure: unknown;
  const command = emulatorCommand(
    {
      environment: {},
      stdin: Readable.from([]),
      stdout: writable("stdout"),
      stderr: writable("stderr"),
      isInteractive: false,
      exit(code) {
        exitCode = code;
      },
    },
    // The URL is printed immediately after this call.
    async () => {
      await new Promise(setImmediate);
      await use(printed.stdout.trim()).catch((error: unknown) => {
        failure = error;
      });
    },
  ).exitOverride();
  command.configureOutput({
    writeErr: (text) => {
      printed.stderr += text;
    },
  });
  await command.parseAsync(args, { from: "user" });
  if (failure !== undefined) throw failure;
  return { ...printed, exitCode };
}

test("the command prints its URL, a key, and how to use them, and runs until it is interrupted", async () => {
  let url = "";
  const { stdout, stderr, exitCode } = await run([], async (printed) => {
    url = printed;
    const response = await fetch(`${url}/api/v2/api-credentials/current`, {
      headers: { "x-api-key": DEVELOPMENT_KEY },
    });
    expect(response.status).toBe(200);
    expect((await fetch(`${url}/_emulator/state`)).status).toBe(200);
  });
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
  expect(stderr.split("\n")).toEqual([
    `pulumi config set dynamiclink:apiUrl ${url}`,
    `export DYNAMICLINK_API_KEY=${DEVELOPMENT_KEY}`,
    "The project Brand exists: 5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e",
    `Controls: ${url}/_emulator/`,
    "",
  ]);
  expect(exitCode).toBe(0);
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test("the emulator contains the objects of a seed file", async () => {
  const { stderr } = await run(["--seed", file(JSON.stringify(seed))], async (url) => {
    const response = await fetch(`${url}/api/v2/api-credentials/current`, { headers: { "x-api-key": KEY } });
    expect(response.status).toBe(200);
  });
  expect(stderr).not.toContain(KEY);
  expect(stderr).not.toContain("API_KEY");
});

test("the controls are off on an address that others can reach, unless --controls is set", async () => {
  const { stderr } = await run(["--host", "0.0.0.0"], async (url) => {
    expect((await fetch(`${url}/_emulator/state`)).status).toBe(404);
  });
  expect(stderr).toContain(
    "The controls are off, because other machines can reach this address. Use --controls to turn them on.\n",
  );
  await run(["--host", "0.0.0.0", "--controls"], async (url) => {
    expect((await fetch(`${url}/_emulator/state`)).status).toBe(200);
  });
});

test.each(["127.0.0.1", "localhost"])("the controls are on at %s", async (host) => {
  await run(["--host", host], async (url) => {
    expect((await fetch(`${url}/_emulator/state`)).status).toBe(200);
  });
});

test("a seed file with a wrong field is rejected with one line that reports the field", async () => {
  const path = file('{"organizations":[{"projects":[{"nam":"x"}]}]}');
  expect(await run(["--seed", path])).toEqual({
    stdout: "",
    stderr: `error: ${path}: organizations.0.projects.0.name is required\n`,
    exitCode: 1,
  });
});

test("a seed file that is not JSON is rejected with one line", async () => {
  const path = file("{\n  oops");
  const { stderr, exitCode } = await run(["--seed", path]);
  expect(stderr).toMatch(/^error: .*seed\.json is not JSON: .*\n$/);
  expect(exitCode).toBe(1);
});

test("a missing seed file is reported with one line", async () => {
  const { stderr, exitCode } = await run(["--seed", join(directory, "none.json")]);
  expect(stderr).toMatch(/^error: There is no file .*none\.json\.\n$/);
  expect(exitCode).toBe(1);
});

test.each(["x", "-1", "65536", "1.5", " "])("%j is rejected as a port", async (port) => {
  await expect(run(["--port", port])).rejects.toThrow("A port must be an integer from 0 to 65535.");
});

test("a port that is in use is reported with one line", async () => {
  await run([], async (url) => {
    const { stderr, exitCode } = await run(["--port", new URL(url).port]);
    expect(stderr).toBe(
      `error: Port ${new URL(url).port} is already in use. Choose another one with --port; 0 selects a free port.\n`,
    );
    expect(exitCode).toBe(1);
  });
});
