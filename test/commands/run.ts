/** Runs commands in this process. */
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import type { Command } from "commander";
import { compareCommand } from "../../cli/commands/compare";
import { discoverCommand } from "../../cli/commands/discover";
import { domainsCommand } from "../../cli/commands/domains";
import { whoamiCommand } from "../../cli/commands/whoami";
import { type Console, consoleOf } from "../../cli/terminal/console";
import type { Emulator } from "../../testing/emulator";
import { KEY, OTHER_KEY } from "../support/values/organizations";
import { newDirectory } from "./directories";

/** The result of a command. */
export interface Ended {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** The result of a command that failed with this one error, or with what matches, and printed nothing else. */
export function failedWith(message: string | RegExp): Ended {
  const stderr = typeof message === "string" ? `error: ${message}\n` : expect.stringMatching(message);
  return { code: 1, stdout: "", stderr };
}

/** The environment variables of a command. */
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
): Promise<Ended> {
  const [stdout, stderr] = [sink(), sink()];
  let code: number | undefined;
  const console = consoleOf({
    environment,
    stdin: Readable.from([Buffer.from(input)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    exit(given) {
      code = given;
    },
  });
  const create = typeof command === "string" ? COMMANDS[command] : command;
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
export function discover(service: Emulator, ...args: string[]): Promise<Ended> {
  return run("discover", [...args, "--api-url", service.url]);
}

/** A result, and the new directory that the command has written to. */
type Written = Ended & { readonly out: string };

/** The same for a new directory. */
export async function discoverFirst(service: Emulator, ...args: string[]): Promise<Written> {
  const out = join(newDirectory(), "organization");
  return { out, ...(await discover(service, ...args, "--out", out)) };
}
