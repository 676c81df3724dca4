/**
 * The providers of one run, by reference: a process for each provider of dynamic resources or of a package whose plugin
 * the project names, and mocks for all others.
 */

import { withoutInternal, withPluginOf } from "../protocol/plugin";
import { parseReference, providedPackage } from "../protocol/urn";
import { containsUnknown, type Properties } from "../protocol/values";
import { echoProvider, type Mocks } from "./mocks";
import { type CheckedInputs, type InputChange, type Provider, unknownProvider } from "./provider";
import type { ProviderProcess } from "./providerProcess";

/** Starts a provider process of one package. */
type StartProcess = () => ProviderProcess;

/** How the providers of a run are opened. */
interface ProvidersOptions {
  /** Starts processes, by package. The other packages are mocked. */
  readonly start: ReadonlyMap<string, StartProcess>;
  /** The packages for which processes are started immediately, because their start takes the most time. */
  readonly expected: readonly string[];
  readonly mocks: Mocks;
}

/** Opens the registry of a run. */
export function openProviders({ start, expected, mocks }: ProvidersOptions) {
  const configured = new Map<string, Promise<Provider>>();
  const processes: ProviderProcess[] = [];
  /** Processes that are not used yet, by package. */
  const spares = new Map<string, ProviderProcess[]>();
  /** Processes that have checked the configuration of a provider, by its URN. They are the ones to configure. */
  const checked = new Map<string, ProviderProcess>();

  function newProcess(startProcess: StartProcess): ProviderProcess {
    const process = startProcess();
    processes.push(process);
    return process;
  }

  function sparesOf(packageName: string): ProviderProcess[] {
    const found = spares.get(packageName) ?? [];
    spares.set(packageName, found);
    return found;
  }

  for (const packageName of expected) {
    const startProcess = start.get(packageName);
    if (startProcess) sparesOf(packageName).push(newProcess(startProcess));
  }

  function kill(): void {
    for (const process of processes) process.kill();
  }

  /** The process of a provider that is not configured yet. Undefined if its package is mocked. */
  function unconfigured(type: string, urn: string): ProviderProcess | undefined {
    const packageName = providedPackage(type);
    const startProcess = start.get(packageName);
    if (!startProcess) return undefined;
    const process = checked.get(urn) ?? sparesOf(packageName).shift() ?? newProcess(startProcess);
    checked.set(urn, process);
    return process;
  }

  async function configure(urn: string, type: string, inputs: Properties): Promise<Provider> {
    if (containsUnknown(inputs)) return unknownProvider;
    const process = unconfigured(type, urn);
    checked.delete(urn);
    return process?.configure(withoutInternal(inputs)) ?? echoProvider(mocks);
  }

  return {
    has: (reference: string): boolean => configured.has(reference),
    get(reference: string): Promise<Provider> {
      const provider = configured.get(reference);
      if (!provider) throw new Error(`There is no provider ${reference}.`);
      return provider;
    },
    /** Whether functions of a package are called in a process, and not mocked. */
    serves: (packageName: string): boolean => start.has(packageName),
    /** Checks the configuration of a provider. */
    async check(type: string, configuration: InputChange): Promise<CheckedInputs> {
      const process = unconfigured(type, configuration.urn);
      const { news } = configuration;
      const result = await process?.check(forPlugin(configuration));
      if (result === undefined) return { inputs: news, failures: [] };
      return { ...result, inputs: withPluginOf(news, result.inputs) };
    },
    /** Whether a checked configuration changes the provider. Undefined if its process does not decide. */
    changes: async (type: string, configuration: InputChange): Promise<boolean | undefined> =>
      await unconfigured(type, configuration.urn)?.changes(forPlugin(configuration)),
    /** Configures a provider in a new process, because a process keeps its first configuration. */
    configure(references: readonly string[], type: string, inputs: Properties): Promise<Provider> {
      const [reference = ""] = references;
      const provider = configure(parseReference(reference).urn, type, inputs);
      for (const reference of references) configured.set(reference, provider);
      return provider;
    },
    /** Asks all processes to stop. Their calls in progress end. */
    cancel(): void {
      for (const process of processes) void process.cancel();
    },
    /** Ends all processes. Their calls in progress fail. */
    kill,
    /** Ends all processes and waits for their remaining output. */
    async close(): Promise<void> {
      kill();
      await Promise.all(processes.map(({ exited }) => exited));
    },
  };
}

/** A configuration as the plugin gets it. */
function forPlugin({ urn, olds, news }: InputChange): InputChange {
  return { urn, olds: withoutInternal(olds), news: withoutInternal(news) };
}

export type Providers = ReturnType<typeof openProviders>;
