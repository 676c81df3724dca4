/**
 * Decides what happens to each resource that a program registers or reads, and has it done. Decisions are made one
 * at a time, as in the real engine; the steps that follow from them run in parallel.
 */
import { deleteBeforeReplacement } from "./deletions";
import type { ResourceState } from "./deployment";
import { askProvider, type Difference, difference, ignoreChanges, replaceOnChanges } from "./diff";
import type { Goal, ReadGoal } from "./monitor";
import {
  type Alias,
  aliasUrns,
  createUrn,
  isProviderType,
  packageOf,
  parseReference,
  parseUrn,
  providerReference,
  providerType,
  STACK_TYPE,
} from "./names";
import { shuttingDown } from "./protocol";
import type { Provider } from "./provider";
import type { Run, RunStep } from "./run";
import { performAll } from "./steps";
import { equalValues, type Properties } from "./values";

/** Begins to accept what a program registers. */
export function acceptRegistrations(run: Run, options: { replace: ReadonlySet<string> }) {
  const olds = new Map(
    run.base.resources.filter((state) => !state.delete).map((state) => [state.urn, state]),
  );
  /** What was decided of each resource of this run, by URN. */
  const decided = new Map<string, RunStep["operation"]>();
  const registered = new Map<string, { state: ResourceState; goal?: Goal; provider: string }>();
  const aliased = new Map<string, string>();
  const aliasOf = new Map<string, string>();
  const componentProviders = new Map<string, Record<string, string>>();
  const defaultProviders = new Map<string, Promise<string>>();
  let stackOutputs: { state: ResourceState; outputs: Properties } | undefined;

  let lastDecision: Promise<unknown> = Promise.resolve();
  /** Makes decisions wait for each other. */
  const inTurn = <Result>(decide: () => Promise<Result>): Promise<Result> => {
    const decision = lastDecision.then(() => run.track(decide));
    lastDecision = decision.catch(() => {});
    return decision;
  };

  /** The URN of a resource; refuses a second one of the same name, and one whose parent is unknown. */
  const claimUrn = ({ parent, type, name }: Pick<Goal, "parent" | "type" | "name">): string => {
    const urn = createUrn(run.place, type, name, parent);
    if (parent !== "" && !registered.has(parent)) run.abort(`The parent ${parent} is not registered.`, urn);
    if (registered.has(urn))
      run.abort(`There is more than one resource with the URN ${urn}. Give it another name.`, urn);
    if (aliased.has(urn))
      run.abort(`${urn} was taken over already, as an alias, by ${aliased.get(urn)}.`, urn);
    return urn;
  };

  /** The resource in the state, under its own name or one of its aliases. */
  const findOld = (
    urn: string,
    resource: { type: string; name: string; parent: string; aliases: readonly Alias[] },
  ) => {
    const own = olds.get(urn);
    if (own) return { old: own };
    const alias = aliasUrns(run.place, resource, (parent) => aliasOf.get(parent)).find((name) =>
      olds.has(name),
    );
    if (alias === undefined) return {};
    const taker = aliased.get(alias) ?? (registered.has(alias) ? alias : undefined);
    if (taker) run.abort(`The alias ${alias} of ${urn} belongs to ${taker} already.`, urn);
    aliased.set(alias, urn);
    aliasOf.set(urn, alias);
    return { old: olds.get(alias) as ResourceState, alias };
  };

  /** The reference of a resource's provider: its own, its parent's, else the package's default provider. */
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
    const prefix = `${packageName}:`;
    const goal: Goal = {
      ...EMPTY_GOAL,
      type: providerType(packageName),
      name: "default",
      properties:
        packageName === "pulumi-nodejs"
          ? run.config
          : Object.fromEntries(
              Object.entries(run.config)
                .filter(([key]) => key.startsWith(prefix))
                .map(([key, value]) => [key.slice(prefix.length), value]),
            ),
    };
    const reference = register(goal).then(({ urn, id }) => providerReference(urn, id));
    defaultProviders.set(packageName, reference);
    return reference;
  };

  async function register(asked: Goal): Promise<{ urn: string; id: string; outputs: Properties }> {
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
    return { urn: state.urn, id: state.id ?? "", outputs: goal.custom ? (state.outputs ?? {}) : {} };
  }

  /** Decides what is to be done with a resource. */
  async function decide(goal: Goal, reference: string): Promise<{ state: ResourceState; steps: RunStep[] }> {
    const urn = claimUrn(goal);
    const { old, alias } = findOld(urn, goal);
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
    run.underWay.add(doing);
    try {
      const steps = await decideSteps(goal, state, old);
      const { operation } = steps.find(({ operation }) => operation === "replace") ?? (steps[0] as RunStep);
      decided.set(urn, operation);
      return { state, steps };
    } catch (error) {
      return run.abortWith(error, urn);
    } finally {
      run.underWay.delete(doing);
    }
  }

  async function decideSteps(
    goal: Goal,
    state: ResourceState,
    old: ResourceState | undefined,
  ): Promise<RunStep[]> {
    const { urn } = state;
    const provider = reallyManaged(state) ? await run.providerOf(state) : undefined;
    // A resource that had to be deleted before another one was replaced is made again when it is registered.
    const recreating = old !== undefined && run.deleted.has(old.urn);
    const targeted = options.replace.has(urn) || old?.taint === true;
    if (provider) {
      const forget = recreating || targeted || old?.external === true;
      const ignored = ignoreChanges(goal.ignoreChanges, old?.inputs ?? {}, goal.properties);
      if (old && ignored.impossible.length > 0) {
        const message = `cannot ignore changes in added or removed elements of the path: "${ignored.impossible.join(", ")}"`;
        run.report({ severity: "info", message, urn });
      }
      state.inputs = await check(
        provider,
        state,
        old && !forget ? (old.inputs ?? {}) : {},
        old && !forget ? ignored.inputs : goal.properties,
      );
    }
    if (old === undefined) return [{ operation: "create", new: state }];
    if (recreating) {
      run.deleted.delete(old.urn);
      return [
        { operation: "replace", old, new: state },
        { operation: "create-replacement", old, new: state },
      ];
    }
    if (old.external) {
      return [
        { operation: "create-replacement", old, new: state },
        { operation: "replace", old, new: state },
      ];
    }
    const hasInitErrors = (old.initErrors ?? []).length > 0;
    const found = replaceOnChanges(
      await compare(old, state, provider, targeted),
      goal.replaceOnChanges,
      hasInitErrors,
    );
    const keys = { replaceKeys: found.replaceKeys, changedKeys: found.changedKeys };
    const replacing = (found.changes && found.replaceKeys.length > 0) || old.pendingReplacement;
    if (replacing) {
      refuseProtected(old, state);
      if (provider && !targeted) state.inputs = await check(provider, state, {}, goal.properties);
      return replace(goal, old, state, found, keys);
    }
    if (found.changes || hasInitErrors) return [{ operation: "update", old, new: state, ...keys }];
    return [{ operation: "same", old, new: state }];
  }

  /** Lets the provider check inputs; ends the run when it finds fault with them. */
  async function check(provider: Provider, state: ResourceState, olds: Properties, news: Properties) {
    const { urn, type } = state;
    const { inputs, failures } = await provider.check({ urn, olds, news });
    const { name } = parseUrn(urn);
    for (const { property, reason } of failures) {
      // As in the real engine a property that is named is shown with its value, secret or not.
      const about = property && `: property ${property} value ${JSON.stringify(inputs[property])}`;
      run.fail(`${type} resource '${name}'${about} has a problem: ${reason}`, urn);
    }
    if (failures.length > 0) {
      run.stop();
      throw shuttingDown();
    }
    return inputs;
  }

  /** Whether and how a resource differs from what is wanted. */
  async function compare(
    old: ResourceState,
    state: ResourceState,
    provider: Provider | undefined,
    targeted: boolean,
  ): Promise<Difference> {
    if (targeted) return difference(true, ["id"]);
    if (state.deletedWith && decided.get(state.deletedWith) === "replace")
      return difference(true, ["deletedWith"]);
    // Only a change between a component and a managed resource replaces: every provider here can take over from another.
    if ((old.provider === undefined) !== (state.provider === undefined))
      return difference(true, ["provider"]);
    const news = state.inputs ?? {};
    if (isProviderType(state.type)) return difference(!equalValues(old.outputs ?? {}, news));
    if (!provider) return difference(!equalValues(old.inputs ?? {}, news));
    if (!provider.known) {
      const message =
        "The provider for this resource has inputs that are not known during preview: an update is assumed.";
      run.report({ severity: "warning", message, urn: state.urn });
    }
    return askProvider(provider, {
      urn: state.urn,
      id: old.id as string,
      oldInputs: old.inputs ?? {},
      oldOutputs: old.outputs ?? {},
      news,
      ignoreChanges: state.ignoreChanges ?? [],
    });
  }

  /** Ends the run when a replacement would delete what is protected; a preview goes on, to show what it would do. */
  function refuseProtected(old: ResourceState, state: ResourceState): void {
    if (state.protect && old.protect) {
      run.fail(`${state.urn} is protected and is not replaced. Remove the option protect first.`, state.urn);
      if (!run.dryRun) {
        run.stop();
        throw shuttingDown();
      }
    }
  }

  /** A replacement in the order that the program, else the provider, wants. */
  async function replace(
    goal: Goal,
    old: ResourceState,
    state: ResourceState,
    found: Difference,
    keys: Pick<RunStep, "replaceKeys" | "changedKeys">,
  ): Promise<RunStep[]> {
    if (!(goal.deleteBeforeReplace ?? found.deleteBeforeReplace)) {
      return [
        { operation: "create-replacement", old, new: state, ...keys },
        { operation: "replace", old, new: state, ...keys },
      ];
    }
    const deletions = await deleteBeforeReplacement(run, old, new Set(decided.keys()));
    return [
      ...deletions,
      { operation: "replace", old, new: state, ...keys },
      { operation: "create-replacement", old, new: state, ...keys },
    ];
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
      // A resource that was managed until now is given up; another one of that name is deleted.
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
    /** The states of this run and their URNs' old names, for what follows the program. */
    isRegistered: (urn: string): boolean => {
      const operation = decided.get(aliased.get(urn) ?? urn);
      return operation !== undefined && operation !== "create";
    },
    /** A resource of this run, as a reference to it is resolved. */
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

    /** Sets the stack's outputs. A failed run only adds to those it had, since it may not have come to all of them. */
    finishOutputs(): void {
      if (!stackOutputs) return;
      const { state, outputs } = stackOutputs;
      state.outputs = run.failed ? { ...olds.get(state.urn)?.outputs, ...outputs } : outputs;
    },
  };
}

export type Registrations = ReturnType<typeof acceptRegistrations>;

/** Whether a provider, other than the engine itself, manages the resource. */
function reallyManaged({ custom, type }: ResourceState): boolean {
  return custom && !isProviderType(type);
}

/** A custom resource that asks for nothing, to lay what is asked for over. */
export const EMPTY_GOAL: Goal = {
  type: "",
  name: "",
  custom: true,
  parent: "",
  properties: {},
  dependencies: [],
  propertyDependencies: {},
  provider: "",
  providers: {},
  aliases: [],
  deletedWith: "",
  ignoreChanges: [],
  replaceOnChanges: [],
  additionalSecretOutputs: [],
  hideDiffs: [],
  customTimeouts: {},
};
