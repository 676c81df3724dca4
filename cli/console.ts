/** Where a command reads from and writes to, and how it ends: results on stdout, everything else on stderr. */
import type { Writable } from "node:stream";
import { SingleBar } from "cli-progress";
import { explain } from "../provider/lifecycle/explain";

/** How a command ended. */
export const EXIT_CODES = {
  /** Everything was done. */
  all: 0,
  /** It failed, and no file was written. */
  error: 1,
  /** It was done, and something that was reported is left to be looked at. */
  partial: 2,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** What the help of a command says of exit codes. */
export const EXIT_CODES_HELP = `
Exit codes:
  ${EXIT_CODES.all}  everything was done
  ${EXIT_CODES.error}  it failed, and no file was written
  ${EXIT_CODES.partial}  it was done, and what was reported is left to be looked at`;

/** What a command works with besides its arguments. */
export interface Console {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Sets how the process will end. */
  exit(code: ExitCode): void;
}

/** That of this process. */
export const processConsole: Console = {
  environment: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  exit(code) {
    process.exitCode = code;
  },
};

/** Runs a command: what it throws becomes one line, and each of several errors one. */
export async function runCommand(console: Console, command: () => Promise<ExitCode>): Promise<void> {
  try {
    console.exit(await command());
  } catch (error) {
    const errors = error instanceof AggregateError ? error.errors : [error];
    for (const one of errors) say(console, "error", explain(one).message);
    console.exit(EXIT_CODES.error);
  }
}

/** Says something on stderr, in one line. */
export function say({ stderr }: Console, severity: "error" | "warning" | "note", message: string): void {
  const line = message.trim().replaceAll(/\s*\n\s*/g, " ");
  stderr.write(severity === "note" ? `${line}\n` : `${severity}: ${line}\n`);
}

/** Shows how far something is, where someone is watching. */
export interface Progress {
  /** So many more steps are known of. */
  expect(steps: number): void;
  /** One step is done. */
  done(): void;
}

/** Runs work under a progress bar on stderr; without a terminal it is silent. */
export async function withProgress<Value>(
  { stderr }: Console,
  title: string,
  work: (progress: Progress) => Promise<Value>,
): Promise<Value> {
  const bar = new SingleBar({
    stream: stderr as NodeJS.WriteStream,
    format: `${title} {bar} {value} of {total}`,
    clearOnComplete: true,
    hideCursor: true,
    noTTYOutput: false,
  });
  bar.start(0, 0);
  try {
    return await work({
      expect: (steps) => bar.setTotal(bar.getTotal() + steps),
      done: () => bar.increment(),
    });
  } finally {
    bar.stop();
  }
}
