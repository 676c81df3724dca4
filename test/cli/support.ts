/** Runs commands in this process, against an emulator, in temporary directories. */

import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Readable, Writable } from "node:stream";
import type { Command } from "commander";
import { discoverCommand } from "../../cli/commands/discover";
import { importCommand } from "../../cli/commands/import";
import type { Console } from "../../cli/terminal/console";
import { type Behaviour, type Emulator, type Seed, startEmulator } from "../../testing/emulator";
import { backendIn, pulumiCli, testOnCli as registerOnCli, runPulumi } from "../support/processes/pulumiCli";
import { KEY, OTHER_KEY } from "../support/stacks/scenarios";

/** The result of a command. */
export interface Ended {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Record<string, string | undefined>;

/** An environment without a Pulumi CLI. */
export const WITHOUT_CLI: Environment = { PATH: "/nonexistent", DYNAMICLINK_API_KEY: KEY };

/** Runs a command, with a text as standard input. Its output must not contain a key. */
export async function run(
  command: "import" | "discover" | ((console: Console) => Command),
  args: readonly string[],
  environment: Environment = WITHOUT_CLI,
  input = "",
): Promise<Ended> {
  const [stdout, stderr] = [sink(), sink()];
  let code: number | undefined;
  const console: Console = {
    environment,
    stdin: Readable.from([Buffer.from(input)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    isInteractive: false,
    exit(given) {
      code = given;
    },
  };
  const create =
    typeof command === "string" ? { import: importCommand, discover: discoverCommand }[command] : command;
  const made: Command = create(console);
  await made.parseAsync(args, { from: "user" });
  for (const key of [KEY, OTHER_KEY]) expect(stdout.text() + stderr.text()).not.toContain(key);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function sink() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

/** Runs `discover` on the objects of an emulator, without a stack. */
export function discover(service: Emulator, out: string, ...args: string[]): Promise<Ended> {
  return run("discover", ["--out", out, "--api-url", service.url, ...args]);
}

/** A new directory in which programs find their packages; removed after the tests of a file. */
export function newDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "dynamiclink-cli-"));
  directories.push(path);
  symlinkSync(resolve(__dirname, "..", "..", "node_modules"), join(path, "node_modules"));
  return path;
}

const directories: string[] = [];
const START = process.cwd();

/** Works in a directory until the end of the test. */
export function enter(directory: string): void {
  process.chdir(directory);
}

afterEach(() => process.chdir(START));
afterAll(() => {
  for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true });
});

/** Registers a test with {@link withStubbedCli}, which is a shell script. */
export const testOnShell = process.platform === "win32" ? test.skip : test;

/**
 * An environment whose Pulumi CLI has only a selected stack with these resources and further settings. {@link callsOf}
 * returns how it was called.
 */
export function withStubbedCli(
  service: Emulator,
  resources: readonly object[],
  settings: Readonly<Record<string, string>> = {},
): Environment {
  const directory = newDirectory();
  const config = Object.entries({ apiUrl: service.url, ...settings }).map(
    ([name, value]) => [`dynamiclink:${name}`, { value }] as const,
  );
  writeFileSync(join(directory, "config.json"), JSON.stringify(Object.fromEntries(config)));
  writeFileSync(join(directory, "state.json"), JSON.stringify({ deployment: { resources } }));
  const script = [
    `echo "$*" >> ${directory}/calls`,
    'case "$*" in',
    "  version) echo v3.300.0;;",
    '  "stack --show-name"*) echo test;;',
    `  config*) cat ${directory}/config.json;;`,
    `  "stack export"*) cat ${directory}/state.json;;`,
    "  *) exit 1;;",
    "esac",
  ];
  writeFileSync(join(directory, "pulumi"), `#!/bin/sh\n${script.join("\n")}\n`, { mode: 0o755 });
  return { PATH: `${directory}:/usr/bin:/bin`, DYNAMICLINK_API_KEY: KEY };
}

/** The calls of the Pulumi CLI of {@link withStubbedCli}, without their options. */
export function callsOf({ PATH = "" }: Environment): readonly string[] {
  const [directory = ""] = PATH.split(":");
  const calls = readFileSync(join(directory, "calls"), "utf8").trimEnd().split("\n");
  return calls.map((call) => call.replace(/ --.*$/, ""));
}

/** Runs a test against an emulator. No answer may break the interface. */
export async function withService(
  seed: Seed,
  test: (service: Emulator) => Promise<void>,
  behaviour: Partial<Behaviour> = {},
): Promise<void> {
  const service = await startEmulator({ seed, behaviour });
  try {
    await test(service);
    expect(service.violations).toEqual([]);
    // The commands never write to the service.
    expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  } finally {
    await service.close();
  }
}

type ServiceTest = (service: Emulator) => Promise<void>;

/** Functions in place of `test` and the like, for tests whose first argument is an emulator with these objects. */
export function testsWith(seed: Seed) {
  const onService = (body: ServiceTest) => () => withService(seed, body);
  function registering(register: jest.It) {
    return Object.assign((name: string, body: ServiceTest) => register(name, onService(body), TIMEOUT_MS), {
      each<Row extends unknown[] | [unknown]>(rows: readonly Row[]) {
        return (name: string, body: (service: Emulator, ...row: Row) => Promise<void>) =>
          register.each(rows)(
            name,
            (...row) => withService(seed, (service) => body(service, ...row)),
            TIMEOUT_MS,
          );
      },
    });
  }
  return {
    test: registering(test),
    testOnShell: registering(testOnShell),
    testOnCli: (name: string, body: ServiceTest) => testOnCli(name, onService(body)),
  };
}

/** How often each operation was called. */
export function requestCounts({ requests }: Emulator): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(requests, ({ operationId }) => String(operationId))].map(([id, group]) => [
      id,
      group.length,
    ]),
  );
}

/** Registers a test that needs a Pulumi CLI. */
export function testOnCli(name: string, body: () => Promise<void>): void {
  registerOnCli(name, body, TIMEOUT_MS);
}

/** An environment with the CLI and a backend in a directory. */
export function withCli(directory: string): Environment {
  return {
    ...pulumiCli().environment,
    DYNAMICLINK_API_KEY: KEY,
    DYNAMICLINK_READ_ONLY: undefined,
    ...backendIn(directory),
  };
}

/** The time limit of a test that runs other programs: far longer than it takes on an idle machine. */
export const TIMEOUT_MS = 240_000;

/** Runs the CLI in a directory. The emulator is in this process, so waiting must not block it. */
export async function pulumiIn(
  directory: string,
  environment: Environment,
  args: readonly string[],
  input?: string,
): Promise<string> {
  return await runPulumi(pulumiCli(), args, {
    directory,
    environment,
    timeoutMs: TIMEOUT_MS,
    ...(input !== undefined && { input }),
  });
}
