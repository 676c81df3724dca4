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

type StartProcess = () => ProviderProcess;

interface ProvidersOptions {
  /** Starts processes, by package. The other packages are mocked. */
  readonly start: ReadonlyMap<string, StartProcess>;
  /** The packages for which processes are started immediately, because their start takes the most time. */
  readonly expected: readonly string[];
  readonly mocks: Mocks;
}

export function openProviders({ start, expected, mocks }: ProvidersOptions) {
  const configured = new Map<string, Promise<Provider>>();
  const { unconfigured, used, ...processes } = providerProcesses(start, expected);

  async function configure(urn: string, type: string, inputs: Properties): Promise<Provider> {
    if (containsUnknown(inputs)) return unknownProvider;
    const process = unconfigured(type, urn);
    used(urn);
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
    async check(type: string, configuration: InputChange): Promise<CheckedInputs> {
      const { urn, news } = configuration;
      const result = await unconfigured(type, urn)?.check(forPlugin(configuration));
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
    ...processes,
  };
}

/** The processes of a run: those that serve a provider, and those that are not used yet. */
function providerProcesses(start: ReadonlyMap<string, StartProcess>, expected: readonly string[]) {
  const processes: ProviderProcess[] = [];
  /** Processes that are not used yet, by package. */
  const spares = new Map<string, ProviderProcess[]>();
  /** Processes that have checked the configuration of a provider, by its URN. They are the ones to configure. */
  const checked = new Map<string, ProviderProcess>();

  function newProcess(packageName: string): ProviderProcess | undefined {
    const process = start.get(packageName)?.();
    if (process !== undefined) processes.push(process);
    return process;
  }

  for (const packageName of expected) {
    const process = newProcess(packageName);
    if (process) spares.set(packageName, [...(spares.get(packageName) ?? []), process]);
  }

  function kill(): void {
    for (const process of processes) process.kill();
  }

  return {
    /** The process of a provider that is not configured yet. Undefined if its package is mocked. */
    unconfigured(type: string, urn: string): ProviderProcess | undefined {
      const packageName = providedPackage(type);
      const process = checked.get(urn) ?? spares.get(packageName)?.shift() ?? newProcess(packageName);
      if (process !== undefined) checked.set(urn, process);
      return process;
    },
    /** Notes that the process of a provider is configured. */
    used: (urn: string) => checked.delete(urn),
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
