/** The input and output of a command, and its exit code. Results go to stdout, everything else to stderr. */
import type { Readable, Writable } from "node:stream";
import { isatty } from "node:tty";
import { SingleBar } from "cli-progress";
import { explain } from "../../provider/lifecycle/explain";
import type { TerminalStream } from "./redraw";

export const EXIT_CODES = {
  all: 0,
  error: 1,
  partial: 2,
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

export const EXIT_CODES_HELP = exitCodesHelp({
  all: "everything was done",
  error: "it failed, and no file was written",
  partial: "it was done, and what was reported needs review",
});

/** The exit codes in the help of a command. */
export function exitCodesHelp(meanings: Readonly<Record<keyof typeof EXIT_CODES, string>>): string {
  const lines = Object.entries(meanings).map(
    ([name, meaning]) => `\n  ${EXIT_CODES[name as keyof typeof EXIT_CODES]}  ${meaning}`,
  );
  return `\nExit codes:${lines.join("")}`;
}

/** The environment, input, output and exit code of a command. */
export interface Console {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: TerminalStream & Writable;
  readonly stderr: TerminalStream & Writable;
  /** Whether commands that this one starts can ask the user. They print to stderr. */
  readonly isInteractive: boolean;
  exit(code: ExitCode): void;
}

export const processConsole: Console = {
  environment: process.env,
  // Reading it only when it is needed leaves it to the commands that this one starts.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  isInteractive: isatty(0) && isatty(2),
  exit(code) {
    process.exitCode = code;
  },
};

/** Runs a command, and prints each error that it throws in one line. */
export async function runCommand(console: Console, command: () => Promise<ExitCode>): Promise<void> {
  try {
    console.exit(await command());
  } catch (error) {
    const errors = error instanceof AggregateError ? error.errors : [error];
    for (const one of errors) printMessage(console, "error", explain(one).message);
    console.exit(EXIT_CODES.error);
  }
}

/** Prints a message to stderr, in one line, and each of its details in one indented line. */
export function printMessage(
  { stderr }: Console,
  severity: "error" | "warning" | "note",
  message: string,
  details: readonly string[] = [],
): void {
  const [line = "", ...others] = [message, ...details].map((text) =>
    text.trim().replaceAll(/\s*\n\s*/g, " "),
  );
  stderr.write(severity === "note" ? `${line}\n` : `${severity}: ${line}\n`);
  for (const other of others) stderr.write(`  ${other}\n`);
}

/** Prints lines to stderr as they are. */
export function printLines({ stderr }: Console, lines: readonly string[]): void {
  stderr.write(lines.map((line) => `${line}\n`).join(""));
}

/** The progress of a command, shown in a terminal: the number of steps, and those that are done. */
export type Progress = Pick<SingleBar, "setTotal" | "increment">;

/** Runs work with a progress bar on stderr, if that is a terminal. */
export async function withProgress<Value>(
  { stderr }: Console,
  title: string,
  work: (progress: Progress) => Promise<Value>,
): Promise<Value> {
  const bar = new SingleBar({
    stream: stderr as NodeJS.WriteStream,
    format: `${title} {bar} {value} of {total}`,
    clearOnComplete: true,
    // A command that is interrupted would leave the terminal as the bar has set it.
    hideCursor: false,
    linewrap: true,
    noTTYOutput: false,
  });
  try {
    return await work({
      // Without steps, it would be full before anything is done.
      setTotal: (total) => {
        if (total > 0) bar.start(total, 0);
      },
      increment: () => bar.increment(),
    });
  } finally {
    bar.stop();
  }
}
