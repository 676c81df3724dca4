/** The Pulumi CLI: finds it, opens stacks, and runs its commands. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import type { SemVer } from "semver";
import gte from "semver/functions/gte";
import parse from "semver/functions/parse";
import { UserError } from "../../provider/errors";
import { READ_ONLY_VARIABLE } from "../../provider/service";
import type { Console } from "../terminal/console";
import { FIRST_CLI_VERSION } from "./importFile";
import { type PulumiStack, stackOf } from "./stack";

/** The Pulumi CLI on PATH. */
export interface PulumiCli {
  readonly version: SemVer;
  /** Whether it reads inputs and outputs from an import file. */
  readonly importsOutputs: boolean;
  /** Opens the stack with this name, by default the selected one. Returns the reason if there is none. */
  openStack(options: {
    readonly stack?: string | undefined;
    readonly cwd?: string | undefined;
  }): Promise<PulumiStack | string>;
  /** Runs an interactive command. @returns its exit code */
  run(args: readonly string[]): Promise<number>;
}

/** More than any state has, and less than the maximum length of a string in Node.js. */
export const MAX_STATE_MEBIBYTES = 256;

/** Finds the Pulumi CLI on PATH. */
export async function findPulumi(console: Console): Promise<PulumiCli | undefined> {
  // With readOnly, checks require no write scopes, so a read-only key suffices.
  const env = { ...console.environment, [READ_ONLY_VARIABLE]: "1", PULUMI_SKIP_UPDATE_CHECK: "true" };

  async function output(args: readonly string[]): Promise<string> {
    const options = { env, maxBuffer: MAX_STATE_MEBIBYTES * 1024 * 1024 };
    try {
      return (await promisify(execFile)("pulumi", args, options)).stdout;
    } catch (error) {
      throw new UserError(messageOf(error), { cause: error });
    }
  }

  const version = await output(["version"]).then(
    (text) => parse(text.trim()),
    () => null,
  );
  if (version === null) return undefined;
  return {
    version,
    importsOutputs: gte(version, FIRST_CLI_VERSION),
    async openStack({ stack, cwd }) {
      const place = [
        ...(stack === undefined ? [] : ["--stack", stack]),
        ...(cwd === undefined ? [] : ["--cwd", cwd]),
      ];
      const ask = async (...args: string[]) => await output([...args, ...place, "--non-interactive"]);
      try {
        const name = (await ask("stack", "--show-name")).trim();
        return stackOf(name, ask);
      } catch (error) {
        return (error as UserError).message;
      }
    },
    async run(args) {
      // Its output is not this command's result, so it goes to stderr. A terminal is inherited for prompts.
      const stream = console.stderr === process.stderr ? process.stderr : "pipe";
      const child = spawn("pulumi", args, { env, stdio: ["inherit", stream, stream] });
      child.stdout?.pipe(console.stderr, { end: false });
      child.stderr?.pipe(console.stderr, { end: false });
      // A terminal interrupts the CLI as well. This command ends after it, and removes its files.
      const interrupt = () => {};
      const terminate = () => void child.kill("SIGTERM");
      process.on("SIGINT", interrupt).on("SIGTERM", terminate);
      try {
        const [code] = (await once(child, "close")) as [number | null];
        return code ?? 1;
      } finally {
        process.off("SIGINT", interrupt).off("SIGTERM", terminate);
      }
    },
  };
}

/** The error message of a failed CLI command, without the command line. */
function messageOf(error: unknown): string {
  const { code, stderr = "", message = "" } = error as NodeJS.ErrnoException & { stderr?: string };
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") {
    return `it has more than ${MAX_STATE_MEBIBYTES} MiB, the limit of this command. Run it without the stack, with --api-url.`;
  }
  const text = /^error: (.*)$/m.exec(stderr)?.[1] ?? (stderr.trim() || message);
  return text.replace(/[.\s]*$/, ".");
}
