/**
 * Registers and reads the resources of a program. One resource is decided at a time, as in the real engine; the
 * resulting steps run in parallel.
 */

import { EMPTY_GOAL, type Goal, type ReadGoal } from "../protocol/goal";
import type { Registered } from "../protocol/monitor";
import {
  type Alias,
  aliasUrns,
  createUrn,
  DYNAMIC_PACKAGE,
  isProviderType,
  packageOf,
  parseReference,
  parseUrn,
  providerReference,
  providerType,
  STACK_TYPE,
} from "../protocol/urn";
import type { Properties } from "../protocol/values";
import type { Run, RunStep } from "../run/run";
import { performAll } from "../run/steps";
import type { ResourceState } from "../state/deployment";
import { decideSteps } from "./decisions";

/** Starts to accept the registrations of a program. */
export function acceptRegistrations(run: Run, options: { replace: ReadonlySet<string> }) {
  const olds = new Map(
    run.base.resources.filter((state) => !state.delete).map((state) => [state.urn, state]),
  );
  /** The operation decided for each resource of this run, by URN. */
  const decided = new Map<string, RunStep["operation"]>();
  /** New resources that the command does not create. */
  const skipped = new Set<string>();
  const registered = new Map<string, { state: ResourceState; goal?: Goal; provider: string }>();
  const aliased = new Map<string, string>();
  const aliasOf = new Map<string, string>();
  const componentProviders = new Map<string, Record<string, string>>();
  const defaultProviders = new Map<string, Promise<string>>();
  let stackOutputs: { state: ResourceState; outputs: Properties } | undefined;

  let lastDecision: Promise<unknown> = Promise.resolve();
  /** Serializes decisions. */
  const inTurn = <Result>(decide: () => Promise<Result>): Promise<Result> => {
    const decision = lastDecision.then(() => run.track(decide));
    lastDecision = decision.catch(() => {});
    return decision;
  };

  /** The URN of a resource. Stops the run if the URN is already used or the parent is not registered. */
  const claimUrn = ({ parent, type, name }: Pick<Goal, "parent" | "type" | "name">): string => {
    const urn = createUrn(run.identity, type, name, parent);
    if (parent !== "" && !registered.has(parent)) run.abort(`The parent ${parent} is not registered.`, urn);
    if (registered.has(urn))
      run.abort(`There is more than one resource with the URN ${urn}. Give it another name.`, urn);
    if (aliased.has(urn)) run.abort(`${urn} is already used as an alias by ${aliased.get(urn)}.`, urn);
    return urn;
  };

  /** The resource in the state, under its own URN or that of an alias. */
  const findOld = (
    urn: string,
    resource: { type: string; name: string; parent: string; aliases: readonly Alias[] },
  ) => {
    const own = olds.get(urn);
    if (own) return { old: own };
    const alias = aliasUrns(run.identity, resource, (parent) => aliasOf.get(parent)).find((name) =>
      olds.has(name),
    );
    if (alias === undefined) return {};
    const owner = aliased.get(alias) ?? (registered.has(alias) ? alias : undefined);
    if (owner) run.abort(`The alias ${alias} of ${urn} already belongs to ${owner}.`, urn);
    aliased.set(alias, urn);
    aliasOf.set(urn, alias);
    return { old: olds.get(alias) as ResourceState, alias };
  };

  /** The reference of a resource's provider: its own, or its parent's, or the default provider of the package. */
  const providerFor = (goal: {
    type: string;
    parent: string;
    provider: string;
    providers?: Goal["providers"];
  }) => {
    const name = packageOf(goal.type);
    const ofParent = registered.get(goal.parent)?.provider ?? "";
    const inherited =
      ofParent !== "" && parseUrn(parseReference(ofParent).urn).type === providerType(name) && ofParent;
    return (
      goal.provider ||
      inherited ||
      goal.providers?.[name] ||
      componentProviders.get(goal.parent)?.[name] ||
      defaultProvider(name)
    );
  };

  const defaultProvider = (packageName: string): Promise<string> => {
    const known = defaultProviders.get(packageName);
    if (known) return known;
    const goal: Goal = {
      ...EMPTY_GOAL,
      type: providerType(packageName),
      name: "default",
      properties: defaultConfiguration(run, packageName),
    };
    const reference = register(goal).then(({ urn, id }) => providerReference(urn, id));
    defaultProviders.set(packageName, reference);
    return reference;
  };

  async function register(asked: Goal): Promise<Registered> {
    const parent = registered.get(asked.parent)?.goal;
    const protect = asked.protect ?? parent?.protect;
    const retainOnDelete = asked.retainOnDelete ?? parent?.retainOnDelete;
    const goal: Goal = {
      ...asked,
      ...(protect !== undefined && { protect }),
      ...(retainOnDelete !== undefined && { retainOnDelete }),
      deletedWith: asked.deletedWith || parent?.deletedWith || "",
    };
    const provider = goal.custom && !isProviderType(goal.type) ? await providerFor(goal) : "";
    const { state, steps } = await inTurn(() => decide(goal, provider));
    await performAll(run, steps);
    if (!goal.custom) {
      componentProviders.set(state.urn, { ...componentProviders.get(goal.parent), ...goal.providers });
    }
    return {
      urn: state.urn,
      id: state.id ?? "",
      outputs: goal.custom ? (state.outputs ?? {}) : {},
      skipped: skipped.has(state.urn),
    };
  }

  /** Decides the steps for a resource. */
  async function decide(goal: Goal, reference: string): Promise<{ state: ResourceState; steps: RunStep[] }> {
    const urn = claimUrn(goal);
    const { old, alias } = findOld(urn, goal);
    if (goal.type !== STACK_TYPE && !isProviderType(goal.type) && !run.includes(urn)) {
      return leaveOut(goal, reference, urn, old);
    }
    const missing = [...goal.dependencies, goal.parent].find((each) => skipped.has(each));
    if (missing !== undefined) {
      run.abort(`${urn} needs ${missing}, which this command does not create. Include both.`, urn);
    }
    const state: ResourceState = {
      urn,
      custom: goal.custom,
      type: goal.type,
      inputs: goal.properties,
      ...(goal.parent && { parent: goal.parent }),
      protect: goal.protect ?? false,
      dependencies: goal.dependencies,
      ...(reference && { provider: reference }),
      propertyDependencies: goal.propertyDependencies,
      additionalSecretOutputs: goal.additionalSecretOutputs,
      aliases: alias ? [alias] : [],
      customTimeouts: goal.customTimeouts,
      retainOnDelete: goal.retainOnDelete ?? false,
      ...(goal.deletedWith && { deletedWith: goal.deletedWith }),
      ...(old?.created && { created: old.created }),
      ...(old?.modified && { modified: old.modified }),
      ignoreChanges: goal.ignoreChanges,
      replaceOnChanges: goal.replaceOnChanges,
      hideDiff: goal.hideDiffs,
    };
    registered.set(urn, { state, goal, provider: reference });
    const doing = `the decision about ${urn}`;
    run.inProgress.add(doing);
    try {
      const steps = await decideSteps({ run, replace: options.replace, decided }, goal, state, old);
      const decisive = steps.find(({ operation }) => operation === "replace") ?? steps[0];
      // Without steps, the resource was imported and needs nothing else.
      decided.set(urn, decisive?.operation ?? "import");
      return { state, steps };
    } catch (error) {
      return run.abortWith(error, urn);
    } finally {
      run.inProgress.delete(doing);
    }
  }

  /** Leaves a resource as it is. The program gets the outputs in the state. One that does not exist is not created. */
  function leaveOut(
    goal: Goal,
    provider: string,
    urn: string,
    old: ResourceState | undefined,
  ): { state: ResourceState; steps: RunStep[] } {
    const state: ResourceState = old ? { ...old, urn } : { urn, type: goal.type, custom: goal.custom };
    registered.set(urn, { state, goal, provider });
    decided.set(urn, "same");
    if (old !== undefined) return { state, steps: [{ operation: "same", old, new: state }] };
    skipped.add(urn);
    // Pulumi counts it, although it is not in the state.
    run.record({ operation: "same", new: state });
    return { state, steps: [] };
  }

  async function read(goal: ReadGoal): Promise<{ urn: string; outputs: Properties }> {
    const provider = await providerFor(goal);
    const { state, steps } = await inTurn(async () => {
      const urn = claimUrn(goal);
      const { old, alias } = findOld(urn, { ...goal, aliases: [] });
      const state: ResourceState = {
        urn,
        custom: true,
        id: goal.id,
        type: goal.type,
        inputs: goal.properties,
        ...(goal.parent && { parent: goal.parent }),
        external: true,
        dependencies: goal.dependencies,
        provider,
        additionalSecretOutputs: goal.additionalSecretOutputs,
        aliases: alias ? [alias] : [],
      };
      registered.set(urn, { state, provider });
      // The object itself is kept if it was managed until now. Another object under this name is deleted.
      const replacing = old !== undefined && !old.external && old.id !== goal.id;
      decided.set(urn, replacing ? "replace" : "read");
      const states = { ...(old && { old }), new: state };
      const steps: RunStep[] = replacing
        ? [
            { operation: "read-replacement", ...states },
            { operation: "replace", ...states },
          ]
        : [{ operation: "read", ...states }];
      return { state, steps };
    });
    await performAll(run, steps);
    return { urn: state.urn, outputs: state.outputs ?? {} };
  }

  return {
    register,
    read,
    /** Calls a function of a package that has a provider here. */
    async invoke(token: string, args: Properties, provider: string): Promise<Properties> {
      const reference = provider || (await defaultProvider(packageOf(token)));
      const { invoke } = await run.providers.get(reference);
      if (!invoke) throw new Error(`The provider of ${token} has no functions.`);
      return await invoke(token, args);
    },
    /** Whether this run has registered the resource in the state that has this URN, under any name. */
    isRegistered: (urn: string): boolean => {
      const operation = decided.get(aliased.get(urn) ?? urn);
      return operation !== undefined && operation !== "create";
    },
    /** The resource that a reference to a resource of this run resolves to. */
    describe: (urn: string): Properties => {
      const state = registered.get(urn)?.state;
      if (!state) throw new Error(`There is no resource ${urn}.`);
      return { urn, id: state.id ?? "", state: state.outputs ?? {} };
    },

    async registerOutputs(urn: string, outputs: Properties): Promise<void> {
      const state = registered.get(urn)?.state;
      if (!state) run.abort(`${urn} registers outputs, but is not registered.`, urn);
      else if (state.type === STACK_TYPE) stackOutputs = { state, outputs };
      else state.outputs = outputs;
    },

    /** Sets the stack outputs. A failed run keeps the earlier ones too, because it may not have reached all. */
    finishOutputs(): void {
      if (!stackOutputs) return;
      const { state, outputs } = stackOutputs;
      state.outputs = run.failed ? { ...olds.get(state.urn)?.outputs, ...outputs } : outputs;
    },
  };
}

export type Registrations = ReturnType<typeof acceptRegistrations>;

/** The configuration of a package's default provider. That of dynamic providers is the whole stack configuration. */
export function defaultConfiguration({ config }: Pick<Run, "config">, packageName: string): Properties {
  if (packageName === DYNAMIC_PACKAGE) return config;
  const prefix = `${packageName}:`;
  return Object.fromEntries(
    Object.entries(config)
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, value]) => [key.slice(prefix.length), value]),
  );
}
