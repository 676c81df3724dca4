/** What a command runs on: the monitor that programs and providers call, the providers, and the run. */
import { deleteRest } from "../planning/deletions";
import { defaultConfiguration } from "../planning/providerReferences";
import { acceptRegistrations } from "../planning/registrations";
import type { Diagnostic, MonitorHandlers } from "../protocol/monitor";
import { DYNAMIC_PACKAGE, isProviderType, packageOf, providedPackage } from "../protocol/urn";
import { unwrapSecrets } from "../protocol/values";
import { mockCall } from "../providers/mocks";
import type { ProviderProcess, ProviderProcessRequest } from "../providers/providerProcess";
import { openProviders } from "../providers/providers";
import { beginRun } from "../run/run";
import type { Snapshot } from "../state/snapshot";
import type { Command, CommandContext } from "./command";

export type Engine = Awaited<ReturnType<typeof openEngine>>;

/** Starts the monitor and the expected provider processes, and begins the run. */
export async function openEngine(context: CommandContext, command: Command) {
  const { identity, mocks, config, parallel, processes, trace } = context;
  const base = structuredClone(context.state);
  const report = (diagnostic: Diagnostic): void => run.outcome.report(diagnostic);
  let finished: Promise<void> | undefined;
  // The program and its providers call them only when everything below exists.
  const handlers: MonitorHandlers = {
    register: (goal) => registrations.register(goal),
    read: (goal) => registrations.read(goal),
    registerOutputs: (urn, outputs) => registrations.registerOutputs(urn, outputs),
    async invoke(token, inputs, requested) {
      if (providers.serves(packageOf(token))) return await registrations.invoke(token, inputs, requested);
      return await mockCall(mocks, token, inputs);
    },
    /** Does what follows the program, once: the deletions, unless the run has failed. */
    finish() {
      finished ??= run.outcome.failed ? Promise.resolve() : deleteRest(run, registrations.isRegistered);
      return finished;
    },
    log: report,
    unsupported(what) {
      run.outcome.fail(`${what} is not supported by the test engine.`);
      run.outcome.stop();
    },
  };
  const monitor = await processes.startMonitor(handlers, trace);
  const providers = openProviders({
    start: processStarters(context, monitor.address, report),
    expected: expectedPackages(context, base),
    mocks,
  });
  const run = beginRun({
    identity,
    base,
    dryRun: command.dryRun ?? false,
    parallel,
    providers,
    config,
    includes: (urn) => command.target?.includes(urn) ?? !command.exclude?.includes(urn),
    onStop: monitor.stop,
  });
  const registrations = acceptRegistrations(run, new Set(command.replace));
  return { run, registrations, providers, monitor, handlers };
}

/** How the provider processes are started, by package. The other packages are mocked. */
function processStarters(
  context: CommandContext,
  engineAddress: string,
  report: (diagnostic: Diagnostic) => void,
): ReadonlyMap<string, () => ProviderProcess> {
  const { program, processes, identity, environment, trace } = context;
  const request: ProviderProcessRequest = {
    directory: program.directory,
    environment,
    project: identity.project,
    engineAddress,
    log: report,
    onLine: (line, stream) => report(lineDiagnostic(line, stream)),
    trace,
  };
  const starters = new Map([[DYNAMIC_PACKAGE, () => processes.startHost(request)]]);
  for (const [name, executable] of program.plugins) {
    // As with the CLI, it contains the package's part of the stack configuration, secrets included.
    const configuration = unwrapSecrets(defaultConfiguration(context, name));
    const own = { ...request, environment: { ...environment, PULUMI_CONFIG: JSON.stringify(configuration) } };
    starters.set(name, () => processes.startPlugin(executable, own));
  }
  return starters;
}

/** The packages for which a provider process is started at once: those in the state, or the one that the program is likely to use. */
function expectedPackages({ program }: CommandContext, base: Snapshot): readonly string[] {
  const used = base.resources.map(({ type }) => type).filter(isProviderType);
  const [firstPlugin = DYNAMIC_PACKAGE] = program.plugins.keys();
  return used.length > 0 ? used.map(providedPackage) : [firstPlugin];
}

export function lineDiagnostic(line: string, stream: "stdout" | "stderr"): Diagnostic {
  return { severity: stream === "stdout" ? "info" : "info#err", message: line };
}
