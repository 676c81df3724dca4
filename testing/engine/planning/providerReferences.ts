/** Which provider a resource has: the one that the program names, one that it inherits, or the default one. */
import { EMPTY_GOAL, type Goal } from "../protocol/goal";
import type { Registered } from "../protocol/monitor";
import { defaultProviderName, type RequestedPlugin, withPlugin } from "../protocol/plugin";
import {
  DYNAMIC_PACKAGE,
  packageOf,
  parseReference,
  parseUrn,
  providerReference,
  providerType,
} from "../protocol/urn";
import type { Properties } from "../protocol/values";
import type { Run } from "../run/run";
import type { RegisteredResources } from "./registeredResources";

/** The references of providers in one run. `register` registers a default provider. */
export function providerReferences(
  run: Run,
  resources: RegisteredResources,
  register: (goal: Goal) => Promise<Registered>,
) {
  /** The providers of each component, its parents' included, by package. */
  const ofComponents = new Map<string, Readonly<Record<string, string>>>();
  /** Registrations ask for the default provider of a plugin at the same time, and get the same one. */
  const defaults = new Map<string, Promise<string>>();

  function defaultOf(packageName: string, plugin: RequestedPlugin): Promise<string> {
    const name = defaultProviderName(plugin);
    const key = `${packageName} ${name}`;
    const known = defaults.get(key);
    if (known) return known;
    const reference = register({
      ...EMPTY_GOAL,
      type: providerType(packageName),
      name,
      properties: withPlugin(defaultConfiguration(run, packageName), plugin),
    }).then(({ urn, id }) => providerReference(urn, id));
    defaults.set(key, reference);
    return reference;
  }

  return {
    defaultOf,

    /** The reference of a resource's provider. */
    of({ type, parent, provider, plugin, providers }: Goal): string | Promise<string> {
      const name = packageOf(type);
      const ofParent = resources.get(parent)?.provider;
      const isOfPackage = ofParent && parseUrn(parseReference(ofParent).urn).type === providerType(name);
      const inherited = (isOfPackage && ofParent) || providers[name] || ofComponents.get(parent)?.[name];
      return provider || inherited || defaultOf(name, plugin);
    },

    /** Records the providers that a component passes on to its children. */
    addComponent: (urn: string, { parent, providers }: Goal): void =>
      void ofComponents.set(urn, { ...ofComponents.get(parent), ...providers }),
  };
}

/** The configuration of a package's default provider. That of dynamic providers is the whole stack configuration. */
export function defaultConfiguration({ config }: Pick<Run, "config">, packageName: string): Properties {
  if (packageName === DYNAMIC_PACKAGE) return config;
  const prefix = `${packageName}:`;
  const own = Object.entries(config).filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), value]));
}
