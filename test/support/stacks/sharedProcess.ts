/**
 * One process for the programs of many commands, because loading Pulumi's SDK takes most of a program's time. Hosts run
 * in this process, or with the programs if they are Pulumi's own. test/engine, test/protocol/hosts and test/release/examples test what depends on separate processes.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Processes } from "../../../testing/engine/commands/processes";
import type { OnLine } from "../../../testing/engine/process/nodeProcess";
import { findProgram, ORGANIZATION } from "../../../testing/engine/program/program";
import { startMonitor } from "../../../testing/engine/protocol/monitor";
import { connect, connectedProvider } from "../../../testing/engine/providers/providerClient";
import type {
  ProviderProcess,
  ProviderProcessRequest,
} from "../../../testing/engine/providers/providerProcess";
import { createStack, type TestStack, type TestStackOptions } from "../../../testing/engine/testStack";
import { QUICK_START } from "../processes/quickStart";
import { inProcessProviders } from "../providers/inProcessProviders";

const ROOT = join(__dirname, "..", "..", "..");

/** How providers are started. */
type Providers = Pick<Processes, "startHost" | "startPlugin">;

/** How programs and providers are started, with the programs in a process that the commands of a test file share. */
export interface SharedProcess extends Processes {
  /** Starts Pulumi's dynamic-provider host in the process of the programs. */
  startSharedHost(request: ProviderProcessRequest): ProviderProcess;
}

/** What the process sends: the exit code of its program, or the port of a host. */
type Message = { readonly code: number } | { readonly host: number; readonly port: number };

/** A process that the commands of a test file share. It is ended after the tests. */
export function sharedProcess(): SharedProcess {
  let runner: ChildProcess | undefined;
  let onLine: OnLine = () => {};
  let hosts = 0;
  afterAll(async () => {
    const child = runner;
    // Jest expects that nothing runs after the tests.
    if (child?.kill("SIGKILL")) await once(child, "close");
  });

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

  /** Resolves with the first result that a message has, or with the exit code if the process ends before. */
  function received<Result>(child: ChildProcess, read: (message: Message) => Result | undefined) {
    return new Promise<Result | number | null>((resolve) => {
      function end(result: Result | number | null): void {
        child.off("message", receive).off("exit", end);
        resolve(result);
      }
      function receive(message: Message): void {
        const result = read(message);
        if (result !== undefined) end(result);
      }
      child.on("message", receive).on("exit", end);
    });
  }

  return {
    ...inProcessProviders(),
    startMonitor,
    startProgram({ onLine: report, monitor: _, ...program }) {
      runner ??= start();
      const child = runner;
      onLine = report;
      let running = true;
      const exited = received(child, (message) => ("code" in message ? message.code : undefined)).finally(
        () => {
          running = false;
        },
      );
      child.send({ program: { ...program, organization: ORGANIZATION } });
      return {
        exited,
        kill() {
          if (running) child.kill("SIGKILL");
        },
      };
    },
    startSharedHost({ environment, directory, engineAddress, trace }) {
      runner ??= start();
      const child = runner;
      hosts += 1;
      const id = hosts;
      const connected = received(child, (message) =>
        "host" in message && message.host === id ? message.port : undefined,
      ).then((port) => connect(String(port)));
      child.send({ host: { id, environment, directory, engineAddress } });
      return {
        exited: connected.then(() => null),
        kill() {
          if (child.connected) child.send({ endedHost: id });
          void connected.then((client) => client.close());
        },
        ...connectedProvider(connected, "dynamic host", trace),
      };
    },
  };
}

/** Creates stacks as `testStack` does, whose programs share a process. Their providers run in this one by default. */
export function sharedStacks(): (options: TestStackOptions, providers?: Providers) => TestStack {
  const processes = sharedProcess();
  return ({ program, project, ...options }, { startHost, startPlugin } = processes) =>
    createStack(
      { ...options, program: findProgram(program, project) },
      { ...processes, startHost, startPlugin },
    );
}
