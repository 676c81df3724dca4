/** Runs a program until it ends, without blocking this process, which may serve its requests. */
import { spawn } from "node:child_process";

/** Ends only programs that hang. */
const LIMIT_MS = 600_000;

/** The options of a program. */
export interface ExecuteOptions {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The content of its standard input. Default: empty. */
  readonly input?: string;
}

/** Resolves with the standard output. @throws Error with all output if the exit code is not 0. */
export async function execute(
  command: string,
  args: readonly string[],
  { directory, environment, input = "" }: ExecuteOptions,
): Promise<string> {
  const child = spawn(command, args, { cwd: directory, env: environment, timeout: LIMIT_MS });
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
    });
  }
  // A program may end before it has read its input.
  child.stdin.on("error", () => {}).end(input);
  const code = await new Promise((end, fail) => child.once("error", fail).once("close", end));
  if (code !== 0)
    throw new Error(`${args.join(" ")} ended with ${code}:\n${printed.stdout}${printed.stderr}`);
  return printed.stdout;
}
