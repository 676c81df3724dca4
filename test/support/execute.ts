/** Runs a program to its end, without blocking this process: what it asks may be in here. */
import { spawn } from "node:child_process";

/** How a program is run. */
export interface ExecuteOptions {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What is written to its standard input. Default: nothing. */
  readonly input?: string;
  /** Default: none. */
  readonly timeoutMs?: number;
}

/** Resolves with the standard output. @throws Error with all that was printed, when the exit code is not 0 */
export async function execute(
  command: string,
  args: readonly string[],
  { directory, environment, input = "", timeoutMs }: ExecuteOptions,
): Promise<string> {
  const child = spawn(command, args, { cwd: directory, env: environment, timeout: timeoutMs });
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
    });
  }
  child.stdin.end(input);
  const code = await new Promise((end, fail) => child.once("error", fail).once("close", end));
  if (code !== 0)
    throw new Error(`${args.join(" ")} ended with ${code}:\n${printed.stdout}${printed.stderr}`);
  return printed.stdout;
}
