/**
 * One process for the programs of many commands, because loading Pulumi's SDK takes most of a program's time. test/engine,
 * test/protocol/hosts and test/release/examples test what depends on separate processes.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Processes } from "../../../testing/engine/commands/processes";
import type { OnLine } from "../../../testing/engine/process/nodeProcess";
import { ORGANIZATION } from "../../../testing/engine/program/program";
import { startMonitor } from "../../../testing/engine/protocol/monitor";
import { QUICK_START } from "../processes/quickStart";

const ROOT = join(__dirname, "..", "..", "..");

/** A process that commands share. It starts with the first program. */
export function sharedProcess() {
  let runner: ChildProcess | undefined;
  let onLine: OnLine = () => {};

  function start(): ChildProcess {
    const child = fork(join(__dirname, "programRunner.cjs"), {
      cwd: ROOT,
      env: { ...process.env, ...QUICK_START },
      stdio: ["pipe", "pipe", "pipe", "ipc"],
    });
    for (const stream of ["stdout", "stderr"] as const) {
      const input = child[stream];
      if (input !== null) createInterface({ input }).on("line", (line) => onLine(line, stream));
    }
    child.on("exit", () => {
      if (runner === child) runner = undefined;
    });
    return child;
  }

  /** Resolves with the exit code of the program, or of the process if that ends before. */
  function exitCode(child: ChildProcess): Promise<number | null> {
    return new Promise((resolve) => {
      function end(code: unknown): void {
        child.off("message", end).off("exit", end);
        resolve(code as number | null);
      }
      child.on("message", end).on("exit", end);
    });
  }

  async function close(): Promise<void> {
    const child = runner;
    if (child?.kill("SIGKILL")) await once(child, "close");
  }

  return {
    close,
    [Symbol.asyncDispose]: close,
    startMonitor,
    startProgram({ onLine: report, monitor: _, ...program }: Parameters<Processes["startProgram"]>[0]) {
      runner ??= start();
      const child = runner;
      onLine = report;
      let running = true;
      const exited = exitCode(child).finally(() => {
        running = false;
      });
      child.send({ ...program, organization: ORGANIZATION });
      return {
        exited,
        kill() {
          if (running) child.kill("SIGKILL");
        },
      };
    },
  };
}
