/**
 * Starts Node processes for a command. Each reports the lines that it writes, and ends with the process that started it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { compileCache } from "./compileCache";

/** A running process, or what stands in for one in a test. */
export interface RunningProcess {
  /** Resolves with the exit code (null after a signal) once the process ended and all its output was read. */
  readonly exited: Promise<number | null>;
  /** Ends it at once. */
  kill(): void;
}

/** Called with each line of output. */
export type OnLine = (line: string, stream: "stdout" | "stderr") => void;

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

const PRELOAD = require.resolve("./processPreload");

/** Starts a process with the Node binary of this one. */
export function startNode(
  parameters: readonly string[],
  options: {
    readonly directory: string;
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly onLine: OnLine;
  },
): RunningProcess {
  const child = spawn(process.execPath, ["--require", PRELOAD, ...parameters], {
    cwd: options.directory,
    env: { ...compileCache(), ...options.environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  running.add(child);
  for (const stream of ["stdout", "stderr"] as const) {
    createInterface({ input: child[stream] }).on("line", (line) => options.onLine(line, stream));
  }
  const exited = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      running.delete(child);
      resolve(code);
    });
  });
  return { exited, kill: () => void child.kill("SIGKILL") };
}

/** The path of a script of the `@pulumi/pulumi` that a program would load. */
export function pulumiScript(directory: string, script: string): string {
  try {
    return require.resolve(`@pulumi/pulumi/${script}`, { paths: [directory] });
  } catch (cause) {
    throw new Error("@pulumi/pulumi is not installed where the program could load it.", { cause });
  }
}
