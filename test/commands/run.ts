/** Runs commands in this process. */
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { compareCommand } from "../../cli/commands/compare";
import { discoverCommand } from "../../cli/commands/discover";
import { domainsCommand } from "../../cli/commands/domains";
import { whoamiCommand } from "../../cli/commands/whoami";
import { type Console, consoleOf } from "../../cli/terminal/console";
import type { Emulator } from "../../testing/emulator";
import { KEY, OTHER_KEY } from "../support/values/organizations";
import { newDirectory } from "./directories";

export type Ended = Awaited<ReturnType<typeof run>>;

/** The result of a command that failed with this one error, or with what matches, and printed nothing else. */
export function failedWith(message: string | RegExp): Ended {
  const stderr = typeof message === "string" ? `error: ${message}\n` : expect.stringMatching(message);
  return { code: 1, stdout: "", stderr };
}

export type Environment = Record<string, string | undefined>;

/** An environment without a Pulumi CLI. */
export const WITHOUT_CLI: Environment = { PATH: "/nonexistent", DYNAMICLINK_API_KEY: KEY };

const COMMANDS = {
  discover: discoverCommand,
  compare: compareCommand,
  domains: domainsCommand,
  whoami: whoamiCommand,
};

/** Runs a command, with a text as standard input. Its output must not contain a key. */
export async function run(
  command: keyof typeof COMMANDS | ((console: Console) => Command),
  args: readonly string[],
  environment: Environment = WITHOUT_CLI,
  input = "",
) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  let code: number | undefined;
  const console = consoleOf({
    environment,
    stdin: Readable.from([Buffer.from(input)]),
    stdout,
    stderr,
    exit(given) {
      code = given;
    },
  });
  const create: (console: Console) => Command = typeof command === "string" ? COMMANDS[command] : command;
  await create(console).parseAsync(args, { from: "user" });
  const printed = { stdout: await text(stdout.end()), stderr: await text(stderr.end()) };
  for (const key of [KEY, OTHER_KEY]) expect(printed.stdout + printed.stderr).not.toContain(key);
  return { code, ...printed };
}

/** Runs `discover` on the objects of an emulator, without a stack. */
export function discover(service: Emulator, ...args: string[]): Promise<Ended> {
  return run("discover", [...args, "--api-url", service.url]);
}

/** The same for a new directory, with its path. */
export async function discoverFirst(service: Emulator, ...args: string[]) {
  const out = join(newDirectory(), "organization");
  return { out, ...(await discover(service, ...args, "--out", out)) };
}
