/** Runs a command of a stack until it ends, is interrupted or takes too long. */
import { clearTimeout, setTimeout, withRealTimers } from "../process/realTimers";
import { describeRun, type TestResult } from "../run/result";
import type { Run } from "../run/run";
import type { Snapshot } from "../state/snapshot";
import type { Command, CommandContext } from "./command";
import { type Engine, openEngine } from "./openEngine";
import { programRunner } from "./programRunner";

export interface FinishedCommand {
  readonly failed: boolean;
  readonly result: TestResult;
  readonly state: Snapshot;
}

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

async function runToEnd(
  context: CommandContext,
  command: Command,
  engine: Engine,
  crashed: Promise<string>,
): Promise<FinishedCommand> {
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
