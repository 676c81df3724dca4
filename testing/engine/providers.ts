/**
 * The providers of one run, by their references: a host process for each dynamic one, an echo for every other.
 */
import type { ProviderProcess } from "./host";
import { echoProvider, type Mocks } from "./mocks";
import { DYNAMIC_PACKAGE, providedPackage } from "./names";
import { type Provider, unknownProvider } from "./provider";
import { containsUnknown, type Properties } from "./values";

/** Opens the registry of a run. `spares` hosts are started at once, since starting one takes longer than all else. */
export function openProviders(options: { start: () => ProviderProcess; spares: number; mocks: Mocks }) {
  const configured = new Map<string, Promise<Provider>>();
  const hosts: ProviderProcess[] = [];
  const start = (): ProviderProcess => {
    const host = options.start();
    hosts.push(host);
    return host;
  };
  const spares = Array.from({ length: options.spares }, start);

  const configure = async (type: string, inputs: Properties): Promise<Provider> => {
    if (containsUnknown(inputs)) return unknownProvider;
    if (providedPackage(type) !== DYNAMIC_PACKAGE) return echoProvider(options.mocks);
    return (spares.shift() ?? start()).configure(inputs);
  };
  return {
    has: (reference: string): boolean => configured.has(reference),
    get(reference: string): Promise<Provider> {
      const provider = configured.get(reference);
      if (!provider) throw new Error(`There is no provider ${reference}.`);
      return provider;
    },
    /** Configures a provider anew, in a host of its own: a host keeps its first configuration for ever. */
    configure(references: readonly string[], type: string, inputs: Properties): Promise<Provider> {
      const provider = configure(type, inputs);
      for (const reference of references) configured.set(reference, provider);
      return provider;
    },
    /** Ends all hosts and waits for their last lines. */
    async close(): Promise<void> {
      for (const host of hosts) host.kill();
      await Promise.all(hosts.map((host) => host.exited));
    },
  };
}

export type Providers = ReturnType<typeof openProviders>;
