/**
 * The providers of one run, by reference: a host process for each dynamic provider, and mocks for all others.
 */
import type { ProviderProcess } from "./host";
import { echoProvider, type Mocks } from "./mocks";
import { DYNAMIC_PACKAGE, providedPackage } from "./names";
import { type Provider, unknownProvider } from "./provider";
import { containsUnknown, type Properties } from "./values";

/** Opens the registry of a run. `spares` hosts are started immediately, because their start takes the most time. */
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
    /** Configures a provider in a new host, because a host keeps its first configuration. */
    configure(references: readonly string[], type: string, inputs: Properties): Promise<Provider> {
      const provider = configure(type, inputs);
      for (const reference of references) configured.set(reference, provider);
      return provider;
    },
    /** Ends all hosts and waits for their remaining output. */
    async close(): Promise<void> {
      for (const host of hosts) host.kill();
      await Promise.all(hosts.map((host) => host.exited));
    },
  };
}

export type Providers = ReturnType<typeof openProviders>;
