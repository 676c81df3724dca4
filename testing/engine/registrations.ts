/**
 * Decides what happens to each resource that a program registers or reads, and has it done. Decisions are made one
 * at a time, as in the real engine; the steps that follow from them run in parallel.
 */
import { decideSteps } from "./decisions";
import type { ResourceState } from "./deployment";
import { EMPTY_GOAL, type Goal, type ReadGoal } from "./goal";
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
import type { Run, RunStep } from "./run";
import { performAll } from "./steps";
import type { Properties } from "./values";

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
    const urn = createUrn(run.identity, type, name, parent);
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
    const alias = aliasUrns(run.identity, resource, (parent) => aliasOf.get(parent)).find((name) =>
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
      const steps = await decideSteps({ run, replace: options.replace, decided }, goal, state, old);
      const { operation } = steps.find(({ operation }) => operation === "replace") ?? (steps[0] as RunStep);
      decided.set(urn, operation);
      return { state, steps };
    } catch (error) {
      return run.abortWith(error, urn);
    } finally {
      run.underWay.delete(doing);
    }
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
