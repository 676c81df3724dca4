/** Runs the program of a command. */
import { isSecret, unwrapSecrets } from "../protocol/values";
import type { CommandContext } from "./command";
import { type Engine, lineDiagnostic } from "./openEngine";

/** Prepares to run a program, at most once. */
export function programRunner(context: CommandContext, engine: Engine) {
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
