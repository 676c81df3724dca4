/**
 * One process for the programs of many commands, because loading Pulumi's SDK takes most of a program's time. Hosts run
 * in this process. test/engine, test/host and test/examples test what depends on separate processes.
 */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Processes } from "../../../testing/engine/commands/processes";
import { compileCache } from "../../../testing/engine/process/compileCache";
import type { OnLine } from "../../../testing/engine/process/nodeProcess";
import { findProgram, ORGANIZATION, type ProgramRequest } from "../../../testing/engine/program/program";
import { createStack, type TestStack, type TestStackOptions } from "../../../testing/engine/testStack";
import { inProcessProviders } from "../providers/inProcessProviders";

const ROOT = join(__dirname, "..", "..", "..");
const PRELOAD = join(ROOT, "testing/engine/process/processPreload.ts");

/** A process that the commands of a test file share. It is ended after the tests. */
export function sharedProcess(): Processes {
  let runner: ChildProcess | undefined;
  let onLine: OnLine = () => {};
  afterAll(() => runner?.kill("SIGKILL"));

  function start(): ChildProcess {
    const child = fork(join(__dirname, "programRunner.cjs"), {
      cwd: ROOT,
      env: { ...process.env, ...compileCache() },
      execArgv: ["--require", PRELOAD],
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

  return {
    ...inProcessProviders(),
    startProgram({ program, environment, address, stack, dryRun, parallel, config, secretKeys, ...request }) {
      runner ??= start();
      const child = runner;
      onLine = request.onLine;
      const sent: Omit<ProgramRequest, "monitor" | "onLine"> & { readonly organization: string } = {
        program,
        environment,
        address,
        stack,
        dryRun,
        parallel,
        config,
        secretKeys,
        organization: ORGANIZATION,
      };
      let running = true;
      const exited = new Promise<number | null>((resolve) => {
        function end(code: number | null): void {
          running = false;
          child.off("message", end).off("exit", end);
          resolve(code);
        }
        child.on("message", end).on("exit", end);
      });
      child.send(sent);
      return {
        exited,
        kill() {
          if (running) child.kill("SIGKILL");
        },
      };
    },
  };
}

/** Creates stacks as `testStack` does, whose commands share a process. */
export function sharedStacks(): (options: TestStackOptions) => TestStack {
  const processes = sharedProcess();
  return ({ program, project, ...options }) =>
    createStack({ ...options, program: findProgram(program, project) }, processes);
}
