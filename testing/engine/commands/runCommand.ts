/** Runs a command of a stack until it ends, is interrupted or takes too long. */
import { clearTimeout, setTimeout, withRealTimers } from "../process/realTimers";
import { isSecret, unwrapSecrets } from "../protocol/values";
import { describeRun } from "../run/result";
import type { Run } from "../run/run";
import type { Snapshot } from "../state/snapshot";
import type { Command, CommandContext } from "./command";
import { type Engine, lineDiagnostic, openEngine } from "./openEngine";

export type FinishedCommand = Awaited<ReturnType<typeof runToEnd>>;

export type RunningCommand = ReturnType<typeof startCommand>;

export function startCommand(given: CommandContext, command: Command) {
  const context = { ...given, environment: { ...process.env, ...given.environment } };
  const crashed = Promise.withResolvers<string>();
  const opened = withRealTimers(() => openEngine(context, command));
  const whenOpen = (act: (engine: Engine) => void): void => void opened.then(act, () => {});
  return {
    finished: withRealTimers(async () => await runToEnd(context, command, await opened, crashed.promise)),
    /** Starts nothing else, and asks the provider processes to stop. The operations in progress end, and are saved. */
    cancel: () =>
      whenOpen(({ run, providers }) => {
        run.outcome.fail("The command was cancelled.");
        run.outcome.stop();
        providers.cancel();
      }),
    /** Kills the provider processes. The operations in progress fail. */
    killHosts: () => whenOpen(({ providers }) => providers.kill()),
    /** Ends the command as a crash would. Operations in progress remain in the state as pending operations. */
    crash: (reason: string) => crashed.resolve(reason),
  };
}

async function runToEnd(context: CommandContext, command: Command, engine: Engine, crashed: Promise<string>) {
  const { run, providers, monitor } = engine;
  const program = programRunner(context, engine);
  const work = command.execute(run, program.run).catch((error: unknown) => {
    // Anything other than an Error follows from an error that is already reported.
    if (error instanceof Error) run.outcome.fail(error.message);
  });
  const limit = timeLimit(command, run, context.timeoutMs);
  let leftBehind: Snapshot | undefined;
  try {
    const reason = await Promise.race([work, crashed, limit.exceeded]);
    if (typeof reason === "string") {
      leftBehind = run.journal.snapshot();
      run.outcome.crash(reason);
      await Promise.all([program.end(), providers.close()]);
    }
    await work;
    await run.work.settled();
  } finally {
    limit.clear();
    await program.end();
    await providers.close();
    monitor.close();
  }
  const state = leftBehind ?? run.journal.snapshot();
  return { failed: run.outcome.failed, result: describeRun(run), state };
}

/** The time limit of a command. `exceeded` resolves with a message that says what the command waited for. */
function timeLimit({ name }: Command, run: Run, timeoutMs: number) {
  let timer: NodeJS.Timeout | undefined;
  const exceeded = new Promise<string>((resolve) => {
    timer = setTimeout(() => {
      const waiting = [...run.work.inProgress].join(", ") || "the program";
      resolve(`The ${name} did not end within ${timeoutMs} ms; it waited for ${waiting}.`);
    }, timeoutMs);
  });
  return { exceeded, clear: () => clearTimeout(timer) };
}

/** Prepares to run a program, at most once. */
function programRunner(context: CommandContext, engine: Engine) {
  const { program, processes, identity, environment, parallel, config } = context;
  const { run, registrations, monitor, handlers } = engine;
  let end = async (): Promise<void> => {};
  const runProgram = async (): Promise<void> => {
    const child = processes.startProgram({
      program,
      monitor: handlers,
      stack: identity.stack,
      dryRun: run.dryRun,
      parallel,
      address: monitor.address,
      environment,
      config: unwrapSecrets(config) as Record<string, string>,
      secretKeys: Object.keys(config).filter((key) => isSecret(config[key])),
      onLine: (line, stream) => run.outcome.report(lineDiagnostic(line, stream)),
    });
    end = async () => {
      child.kill();
      await child.exited;
    };
    const code = await child.exited;
    // A program may also succeed without signalling its end.
    if (code === 0) await handlers.finish().catch(() => {});
    await run.work.settled();
    if (code !== 0 && !run.outcome.stopped) run.outcome.fail(programFailure(code));
    registrations.finishOutputs();
  };
  /** `end` kills the program, if it is running, and waits for it. */
  return { run: runProgram, end: () => end() };
}

/** The error for a program's exit code. With 32, the program itself has reported the error. */
function programFailure(code: number | null): string {
  return code === 32
    ? "The program failed; it reported its error above."
    : `The program ended with exit code ${code}.`;
}
