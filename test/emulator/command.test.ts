/** The command `emulator`: its output, its seed and controls, its errors, and its end. */
import { join } from "node:path";
import { Writable } from "node:stream";
import { DEVELOPMENT_KEY, emulatorCommand } from "../../cli/commands/emulator";
import { fileWith, newDirectory } from "../commands/directories";
import { type Ended, failedWith, run as runCommand } from "../commands/run";
import { KEY, seed } from "./service";

/** Runs the command. Calls `use` as soon as the emulator listens, and then interrupts the command. */
async function run(args: string[], use: (url: string) => Promise<void> = async () => {}): Promise<Ended> {
  let url = "";
  let failure: unknown;
  const create = (console: Parameters<typeof emulatorCommand>[0] & object) => {
    const stdout = new Writable({
      write(chunk, encoding, done) {
        url = String(chunk).trim();
        console.stdout.write(chunk, encoding, done);
      },
    });
    // The URL is printed immediately after this call.
    const stopped = () =>
      new Promise(setImmediate)
        .then(() => use(url))
        .catch((error: unknown) => {
          failure = error;
        });
    return emulatorCommand({ ...console, stdout }, stopped)
      .exitOverride()
      .configureOutput({ writeErr: () => {} });
  };
  const ended = await runCommand(create, args, {});
  if (failure !== undefined) throw failure;
  return ended;
}

test("the command prints its URL, a key, and how to use them, and runs until it is interrupted", async () => {
  let url = "";
  const { stdout, stderr, code } = await run([], async (printed) => {
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
  expect(code).toBe(0);
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test("the emulator contains the objects of a seed file", async () => {
  const { stderr } = await run(["--seed", fileWith(seed)], async (url) => {
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
  const path = fileWith({ organizations: [{ projects: [{ nam: "x" }] }] });
  const message = `${path}: organizations.0.projects.0.name is required`;
  expect(await run(["--seed", path])).toEqual(failedWith(message));
});

test("a seed file that is not JSON is rejected with one line", async () => {
  const path = fileWith("{\n  oops", "seed.json");
  expect(await run(["--seed", path])).toEqual(failedWith(/^error: .*seed\.json is not JSON: .*\n$/));
});

test("a missing seed file is reported with one line", async () => {
  const path = join(newDirectory(), "none.json");
  expect(await run(["--seed", path])).toEqual(failedWith(/^error: There is no file .*none\.json\.\n$/));
});

test.each(["x", "-1", "65536", "1.5", " "])("%j is rejected as a port", async (port) => {
  await expect(run(["--port", port])).rejects.toThrow("A port must be an integer from 0 to 65535.");
});

test("a port that is in use is reported with one line", async () => {
  await run([], async (url) => {
    const { port } = new URL(url);
    const message = `Port ${port} is already in use. Choose another one with --port; 0 selects a free port.`;
    expect(await run(["--port", port])).toEqual(failedWith(message));
  });
});
