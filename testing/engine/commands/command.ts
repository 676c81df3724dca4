/**
 * Runs a command of a stack: starts the monitor, the provider hosts and the program, and ends them afterwards.
 */
import { deleteRest } from "../planning/deletions";
import { acceptRegistrations, defaultConfiguration, type Registrations } from "../planning/registrations";
import type { Program } from "../program/program";
import type { EngineMessage } from "../protocol/grpc";
import { type Diagnostic, type MonitorHandlers, startMonitor } from "../protocol/monitor";
import {
  DYNAMIC_PACKAGE,
  isProviderType,
  packageOf,
  providedPackage,
  type StackIdentity,
} from "../protocol/urn";
import { isSecret, type Properties, unwrapSecrets } from "../protocol/values";
import { type Mocks, mockCall } from "../providers/mocks";
import type { ProviderProcess } from "../providers/providerProcess";
import { openProviders } from "../providers/providers";
import { describeRun, type TestResult } from "../run/result";
import { beginRun, type Run } from "../run/run";
import type { Snapshot } from "../state/deployment";
import type { Processes } from "./processes";

/** What a command runs with. */
export interface CommandContext {
  readonly program: Program;
  readonly processes: Processes;
  readonly identity: StackIdentity;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The stack configuration, with secrets marked. */
  readonly config: Properties;
  readonly mocks: Mocks;
  readonly parallel: number;
  readonly timeoutMs: number;
  readonly trace: (message: EngineMessage) => void;
  /** The state before the command. It is not modified. */
  readonly state: Snapshot;
}

/** Runs the program until it ends, and then the deletions that follow it. */
type RunProgram = (options: { replace: ReadonlySet<string> }) => Promise<void>;

/** A command, such as preview or up. */
export interface Command {
  readonly name: string;
  /** Whether the command changes nothing. Default: no. */
  readonly dryRun?: boolean;
  /** Whether the summary counts what a refresh found. Default: no. */
  readonly countsRefresh?: boolean;
  /** The resources that it applies to, and those that it does not apply to, by URN. Default: all. */
  readonly target?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  execute(run: Run, runProgram: RunProgram): Promise<void>;
}

/** A command that has ended, successfully or not. */
export interface FinishedCommand {
  readonly failed: boolean;
  readonly result: TestResult;
  /** The state after the command. */
  readonly state: Snapshot;
}

/** A command in progress. */
export interface RunningCommand {
  readonly finished: Promise<FinishedCommand>;
  /** Kills the provider processes. The operations in progress fail. */
  killHosts(): void;
  /** Ends the command as a crash would. Operations in progress remain in the state as pending operations. */
  crash(reason: string): void;
}

/** Starts a command. */
export function startCommand(context: CommandContext, command: Command): RunningCommand {
  const crashed = Promise.withResolvers<string>();
  const killed = new AbortController();
  return {
    finished: runToEnd(context, command, { crashed: crashed.promise, killed: killed.signal }),
    killHosts: () => killed.abort(),
    crash: crashed.resolve,
  };
}

/** What ends a command, or its provider processes, from outside. */
interface Interruptions {
  /** Resolves with the reason. */
  readonly crashed: Promise<string>;
  /** Aborts when the provider processes are to be killed. */
  readonly killed: AbortSignal;
}

async function runToEnd(
  context: CommandContext,
  command: Command,
  { crashed, killed }: Interruptions,
): Promise<FinishedCommand> {
  const { program, processes, identity, trace, mocks, parallel, timeoutMs } = context;
  const environment = { ...process.env, ...context.environment };
  const base = structuredClone(context.state);
  const dryRun = command.dryRun ?? false;
  const stdout: string[] = [];
  let registrations: Registrations;
  let finish: Promise<void> | undefined;
  /** Does what follows the program: the deletions, unless the run has failed. */
  const finishOnce = (): Promise<void> =>
    (finish ??= run.failed ? Promise.resolve() : deleteRest(run, registrations.isRegistered));
  const report = (line: string, stream: "stdout" | "stderr"): void =>
    run.report({ severity: stream === "stdout" ? "info" : "info#err", message: line });

  const handlers: MonitorHandlers = {
    register: (goal) => registrations.register(goal),
    read: (goal) => registrations.read(goal),
    registerOutputs: (urn, outputs) => registrations.registerOutputs(urn, outputs),
    async invoke(token, inputs, provider) {
      if (token === "pulumi:pulumi:getResource") return registrations.describe(String(inputs.urn));
      if (providers.serves(packageOf(token))) return await registrations.invoke(token, inputs, provider);
      return await mockCall(mocks, token, inputs);
    },
    finish: finishOnce,
    log: (diagnostic) => run.report(diagnostic),
    unsupported: (what) => run.fail(`${what} is not supported by the test engine.`),
  };
  const monitor = await startMonitor(handlers, trace);
  const processRequest = {
    directory: program.directory,
    environment,
    project: identity.project,
    engineAddress: monitor.address,
    log: (diagnostic: Diagnostic) => run.report(diagnostic),
    onLine: report,
    trace,
  };
  /** As with the CLI, it contains the package's part of the stack configuration, secrets included. */
  const pluginEnvironment = (name: string) => ({
    ...environment,
    PULUMI_CONFIG: JSON.stringify(unwrapSecrets(defaultConfiguration(context, name))),
  });
  const used = base.resources.map(({ type }) => type).filter(isProviderType);
  const [firstPlugin = DYNAMIC_PACKAGE] = program.plugins.keys();
  const providers = openProviders({
    start: new Map<string, () => ProviderProcess>([
      [DYNAMIC_PACKAGE, () => processes.startHost(processRequest)],
      ...[...program.plugins].map(
        ([name, executable]) =>
          [
            name,
            () =>
              processes.startPlugin(executable, { ...processRequest, environment: pluginEnvironment(name) }),
          ] as const,
      ),
    ]),
    expected: used.length > 0 ? used.map(providedPackage) : [firstPlugin],
    mocks,
  });
  killed.addEventListener("abort", providers.kill);
  const run = beginRun({
    identity,
    base,
    dryRun,
    parallel,
    providers,
    config: context.config,
    countsRefresh: command.countsRefresh ?? false,
    includes: (urn) => command.target?.includes(urn) ?? !command.exclude?.includes(urn),
    onStop: monitor.stop,
  });

  let endProgram = async (): Promise<void> => {};
  const runProgram: RunProgram = async (options) => {
    // Not before now, because a refresh changes the state.
    registrations = acceptRegistrations(run, options);
    const child = processes.startProgram({
      program,
      monitor: handlers,
      stack: identity.stack,
      dryRun,
      parallel,
      address: monitor.address,
      environment,
      config: unwrapSecrets(context.config) as Record<string, string>,
      secretKeys: Object.keys(context.config).filter((key) => isSecret(context.config[key])),
      onLine: (line, stream) => {
        if (stream === "stdout") stdout.push(line);
        report(line, stream);
      },
    });
    endProgram = async () => {
      child.kill();
      await child.exited;
    };
    const code = await child.exited;
    // A program may also succeed without signalling its end.
    if (code === 0) await finishOnce().catch(() => {});
    await run.settled();
    if (code !== 0 && !run.stopped) run.fail(programFailure(code));
    registrations.finishOutputs();
  };

  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<string>((resolve) => {
    timer = setTimeout(() => {
      const waiting = [...run.inProgress].join(", ") || "the program";
      resolve(`The ${command.name} did not end within ${timeoutMs} ms; it waited for ${waiting}.`);
    }, timeoutMs);
  });
  const work = command.execute(run, runProgram).catch((error: unknown) => {
    // Anything other than an Error follows from an error that is already reported.
    if (error instanceof Error) run.fail(error.message);
  });
  let leftBehind: Snapshot | undefined;
  try {
    const reason = await Promise.race([work, crashed, expired]);
    if (typeof reason === "string") {
      leftBehind = run.journal.snapshot();
      run.crash(reason);
      await Promise.all([endProgram(), providers.close()]);
    }
    await work;
    await run.settled();
  } finally {
    clearTimeout(timer);
    await endProgram();
    await providers.close();
    monitor.close();
  }
  return {
    failed: run.failed,
    result: describeRun(run, stdout),
    state: leftBehind ?? run.journal.snapshot(),
  };
}

/** The error for a program's exit code. With 32, the program itself has reported the error. */
function programFailure(code: number | null): string {
  return code === 32
    ? "The program failed; it reported its error above."
    : `The program ended with exit code ${code}.`;
}
