/** Runs programs without blocking this process, which may serve their requests. */
import { spawn } from "node:child_process";
import { join } from "node:path";

/** Ends only programs that hang. */
const LIMIT_MS = 600_000;

export interface ExecuteOptions {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether it leads a process group, to which its descendants belong. Default: no. */
  readonly ownGroup?: boolean;
}

/** How a program ended, and everything that it printed. */
interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a program. `ended` rejects if it cannot be started. */
export function start(
  command: string,
  args: readonly string[],
  { directory, environment, ownGroup = false }: ExecuteOptions,
) {
  const options = { cwd: directory, env: environment, detached: ownGroup, timeout: LIMIT_MS };
  const child = spawn(command, args, options);
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
    });
  }
  child.stdin.end();
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject).once("close", (code) => resolve({ code, ...printed }));
  });
  return { child, printed, ended };
}

/** Resolves with the standard output. @throws Error with all output if the exit code is not 0. */
export async function execute(command: string, args: readonly string[], options: ExecuteOptions) {
  const { code, stdout, stderr } = await start(command, args, options).ended;
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

/** Runs a script in Node.js at the root of the repository, where it can load `./dist`. */
export async function runScript(script: string, environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const options = { directory: join(__dirname, "../../.."), environment: { ...process.env, ...environment } };
  return await start(process.execPath, ["-e", script], options).ended;
}
