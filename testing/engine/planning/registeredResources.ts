/** The resources that a program has registered, and the resources in the state that they continue. */
import type { Goal } from "../protocol/goal";
import { aliasUrns, createUrn } from "../protocol/urn";
import type { Run } from "../run/run";
import type { ResourceState } from "../state/snapshot";

interface RegisteredResource {
  readonly state: ResourceState;
  /** Absent if the program only reads it. */
  readonly goal?: Goal;
  /** The reference of its provider, empty if it has none. */
  readonly provider: string;
}

/** The part of a resource's goal that identifies it. */
type Named = Pick<Goal, "parent" | "type" | "name" | "aliases">;

export function registeredResources(run: Run) {
  /** A resource in the state, under this URN. A refresh before the program changes it. */
  const oldWith = (urn: string): ResourceState | undefined =>
    run.base.resources.find((state) => state.urn === urn && !state.delete);
  const registered = new Map<string, RegisteredResource>();
  /** The URN in this run of each resource that was found under an alias, by that alias, and the other way round. */
  const urnByAlias = new Map<string, string>();
  const aliasByUrn = new Map<string, string>();
  return {
    get: (urn: string): RegisteredResource | undefined => registered.get(urn),
    add: (resource: RegisteredResource): void => void registered.set(resource.state.urn, resource),

    /** The outputs in the state before this run. */
    oldOutputs: (urn: string) => oldWith(urn)?.outputs,

    /** The URN in this run of a resource in the state. */
    currentUrn: (urn: string): string => urnByAlias.get(urn) ?? urn,

    /** The URN of a resource. Stops the run if the URN is already used or the parent is not registered. */
    claimUrn({ parent, type, name }: Omit<Named, "aliases">): string {
      const urn = createUrn(run.identity, type, name, parent);
      if (parent !== "" && !registered.has(parent))
        run.outcome.abort(`The parent ${parent} is not registered.`, urn);
      if (registered.has(urn))
        run.outcome.abort(`There is more than one resource with the URN ${urn}. Give it another name.`, urn);
      const owner = urnByAlias.get(urn);
      if (owner !== undefined) run.outcome.abort(`${urn} is already used as an alias by ${owner}.`, urn);
      return urn;
    },

    /** The resource in the state, under its own URN or that of an alias. */
    findOld(urn: string, resource: Named): { readonly old?: ResourceState; readonly alias?: string } {
      const own = oldWith(urn);
      if (own) return { old: own };
      const aliases = aliasUrns(run.identity, resource, (parent) => aliasByUrn.get(parent));
      const alias = aliases.find(oldWith);
      const old = alias && oldWith(alias);
      if (!alias || !old) return {};
      const owner = urnByAlias.get(alias) ?? (registered.has(alias) ? alias : undefined);
      if (owner) run.outcome.abort(`The alias ${alias} of ${urn} already belongs to ${owner}.`, urn);
      urnByAlias.set(alias, urn);
      aliasByUrn.set(urn, alias);
      return { old, alias };
    },
  };
}

export type RegisteredResources = ReturnType<typeof registeredResources>;
