/** The input and output of a command, and its exit code. Results go to stdout, everything else to stderr. */
import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { sanitizerWithout } from "../../provider/client/sanitized";
import { explain } from "../../provider/lifecycle/explain";
import { API_KEY_VARIABLE } from "../../provider/service";

export const EXIT_CODES = { all: 0, error: 1, review: 2 } as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** The environment, input and exit code of a command, and the streams that {@link Output} writes to. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  exit(code: ExitCode): void;
}

/**
 * The only way to write output. Everything passes through one filter, which removes the key, control characters except
 * the ends of lines, and commands for CI runners. So no command needs to remember where a text is from.
 */
export interface Console extends Pick<Terminal, "environment" | "stdin" | "exit"> {
  /** Writes a part of the result, which consists of whole lines. */
  print(text: string): void;
  /** Writes a message in one line to stderr, and each of its details in one indented line. */
  message(severity: "error" | "warning" | "note", message: string, details?: readonly string[]): void;
  /** Removes this key from everything that is written from now on. */
  hide(apiKey: string): void;
}

export function consoleOf({ stdout, stderr, ...terminal }: Terminal): Console {
  // Until the key is known: probably that of the environment, else one that no text contains.
  const { [API_KEY_VARIABLE]: key } = terminal.environment;
  let filter = sanitizerWithout(key || randomUUID(), { whole: true });
  return {
    ...terminal,
    // As a getter, standard input is opened only if it is read.
    get stdin() {
      return terminal.stdin;
    },
    hide(apiKey) {
      filter = sanitizerWithout(apiKey, { whole: true });
    },
    print: (text) => void stdout.write(text.split("\n").map(filter).join("\n")),
    message(severity, message, details = []) {
      const label = severity === "note" ? "" : `${severity}: `;
      const lines = [label + message.trim(), ...details.map((detail) => `  ${detail}`)];
      stderr.write(lines.map((line) => `${filter(line.replaceAll(/\s*\n\s*/g, " "))}\n`).join(""));
    },
  };
}

export const processConsole: Console = consoleOf({
  environment: process.env,
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  exit(code) {
    process.exitCode = code;
  },
});

/** Runs a command, and prints each error that it throws in one line. */
export async function runCommand(console: Console, command: () => Promise<ExitCode>): Promise<void> {
  try {
    console.exit(await command());
  } catch (error) {
    const errors = error instanceof AggregateError ? error.errors : [error];
    for (const one of errors) console.message("error", explain(one).message);
    console.exit(EXIT_CODES.error);
  }
}
