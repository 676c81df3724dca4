/** Starts processes for a command. Each reports its lines of output, and ends when this process ends. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { compileCache } from "./compileCache";

/** A running process, or a substitute for one in tests. */
export interface RunningProcess {
  /** Resolves with the exit code (null after a signal) when the process has ended and all its output has been read. */
  readonly exited: Promise<number | null>;
  kill(): void;
}

export type OnLine = (line: string, stream: "stdout" | "stderr") => void;

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

const PRELOAD = require.resolve("./processPreload");

interface ProcessOptions {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onLine: OnLine;
}

/** Starts a process with the Node.js executable of this process. */
export function startNode(parameters: readonly string[], options: ProcessOptions): RunningProcess {
  // Not with the long form: see docs/internals/engine.md#processes.
  return startProcess(process.execPath, ["-r", PRELOAD, ...parameters], options);
}

export function startProcess(
  executable: string,
  parameters: readonly string[],
  options: ProcessOptions,
): RunningProcess {
  const child = spawn(executable, parameters, {
    cwd: options.directory,
    env: { ...compileCache(), ...options.environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  running.add(child);
  for (const stream of ["stdout", "stderr"] as const)
    createInterface({ input: child[stream] }).on("line", (line) => options.onLine(line, stream));
  // A process that cannot be started has ended too.
  child.on("error", ({ message }) => options.onLine(message, "stderr"));
  const exited = new Promise<number | null>((resolve) => {
    child.on("close", (code) => {
      running.delete(child);
      resolve(code);
    });
  });
  return { exited, kill: () => void child.kill("SIGKILL") };
}

/** The path of a script in the `@pulumi/pulumi` package that a program in this directory loads. */
export function pulumiScript(directory: string, script: string): string {
  try {
    return require.resolve(`@pulumi/pulumi/${script}`, { paths: [directory] });
  } catch (cause) {
    throw new Error("@pulumi/pulumi is not installed where the program can load it.", { cause });
  }
}
