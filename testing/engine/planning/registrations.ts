/**
 * Registers and reads the resources of a program. One resource is decided at a time, and the resulting steps run in
 * parallel: see docs/internals/engine.md#one-decision-at-a-time.
 */
import type { Goal } from "../protocol/goal";
import type { Registered } from "../protocol/monitor";
import { isProviderType, packageOf, parseReference, STACK_TYPE } from "../protocol/urn";
import type { Properties } from "../protocol/values";
import { limit } from "../run/limit";
import type { Run } from "../run/run";
import { inOrder, type RunStep } from "../run/step";
import { performAll } from "../run/steps";
import type { ResourceState } from "../state/snapshot";
import { type Decision, decide } from "./decisions";
import { importObject } from "./imports";
import { providerReferences } from "./providerReferences";
import { type RegisteredResources, registeredResources } from "./registeredResources";

/** What the decisions of one run share. */
interface Planning {
  readonly run: Run;
  /** The URNs of resources to replace, changed or not. */
  readonly replace: ReadonlySet<string>;
  readonly resources: RegisteredResources;
  /** The operations that this run has decided on, by URN. */
  readonly decided: Map<string, RunStep["operation"]>;
  /** New resources that the command does not create. */
  readonly skipped: Set<string>;
}

/** The steps that delete a resource before its replacement is created. */
const DELETES_FIRST: readonly RunStep["operation"][] = ["delete-replaced", "discard-replaced"];

export function acceptRegistrations(run: Run, replace: ReadonlySet<string>) {
  const resources = registeredResources(run);
  const planning: Planning = { run, replace, resources, decided: new Map(), skipped: new Set() };
  const providers = providerReferences(run, resources, register);
  const oneAtATime = limit(1);
  const inTurn = <Result>(decide: () => Promise<Result>) => oneAtATime(() => run.work.track(decide));

  async function register(requested: Goal): Promise<Registered> {
    const goal = withInherited(requested, resources.get(requested.parent)?.goal);
    const provider = goal.custom && !isProviderType(goal.type) ? await providers.of(goal) : "";
    const { state, steps } = await inTurn(() => plan(planning, goal, provider));
    await performAll(run, steps);
    if (!goal.custom) providers.addComponent(state.urn, goal);
    return {
      urn: state.urn,
      id: state.id ?? "",
      outputs: goal.custom ? (state.outputs ?? {}) : {},
      skipped: planning.skipped.has(state.urn),
    };
  }

  return {
    register,

    async read(goal: Goal): Promise<Registered> {
      const provider = await providers.of(goal);
      const { state, steps } = await inTurn(async () => planRead(planning, goal, provider));
      await performAll(run, steps);
      return { urn: state.urn, id: state.id ?? "", outputs: state.outputs ?? {} };
    },

    /** Calls a function of a package that has a provider here. */
    async invoke(token: string, args: Properties, { provider, plugin }: Pick<Goal, "provider" | "plugin">) {
      const reference = provider || (await providers.defaultOf(packageOf(token), plugin));
      const { invoke } = await run.providers.get(reference);
      if (!invoke) throw new Error(`The provider of ${token} has no functions.`);
      return await invoke(token, args);
    },

    /** Whether this run has registered the resource in the state that has this URN, under any name. */
    isRegistered(urn: string): boolean {
      const operation = planning.decided.get(resources.currentUrn(urn));
      return operation !== undefined && operation !== "create";
    },

    ...outputsOf(run, resources),
  };
}

/** The outputs that components and the stack register. */
function outputsOf(run: Run, resources: RegisteredResources) {
  let stackOutputs: { readonly state: ResourceState; readonly outputs: Properties } | undefined;
  return {
    async registerOutputs(urn: string, outputs: Properties): Promise<void> {
      const state = resources.get(urn)?.state;
      if (!state) run.outcome.abort(`${urn} registers outputs, but is not registered.`, urn);
      else if (state.type === STACK_TYPE) stackOutputs = { state, outputs };
      else state.outputs = outputs;
    },

    /** Sets the stack outputs. A failed run keeps the earlier ones too, because it may not have reached all. */
    finishOutputs(): void {
      if (!stackOutputs) return;
      const { state, outputs } = stackOutputs;
      state.outputs = run.outcome.failed ? { ...resources.oldOutputs(state.urn), ...outputs } : outputs;
    },
  };
}

/** A goal with the options that resources inherit from their parents. */
function withInherited(goal: Goal, parent: Goal | undefined): Goal {
  const protect = goal.protect ?? parent?.protect;
  const retainOnDelete = goal.retainOnDelete ?? parent?.retainOnDelete;
  return {
    ...goal,
    ...(protect !== undefined && { protect }),
    ...(retainOnDelete !== undefined && { retainOnDelete }),
    deletedWith: goal.deletedWith || parent?.deletedWith || "",
  };
}

async function plan(planning: Planning, goal: Goal, provider: string): Promise<Decision> {
  const { run, replace, resources, decided } = planning;
  const urn = resources.claimUrn(goal);
  const { old, alias } = resources.findOld(urn, goal);
  const isAlwaysIncluded = goal.type === STACK_TYPE || isProviderType(goal.type);
  if (!isAlwaysIncluded && !run.includes(urn)) return planLeftOut(planning, goal, provider, urn, old);
  requireCreated(planning, goal, urn);
  const declared: ResourceState = {
    urn,
    ...declaredState(goal),
    ...(provider && { provider }),
    aliases: alias ? [alias] : [],
    ...(old?.created && { created: old.created }),
    ...(old?.modified && { modified: old.modified }),
  };
  const activity = `the decision about ${urn}`;
  run.work.inProgress.add(activity);
  try {
    const imported = await importObject(run, goal, declared, old);
    const created = imported?.created ?? declared.created;
    const isDeleted = old !== undefined && run.deleted.has(old.urn);
    const facts = { isImported: imported !== undefined, isDeleted, isForced: replace.has(urn) };
    const situation = { run, decided, old: imported ?? old, ...facts };
    const { state, steps } = await decide(situation, goal, { ...declared, ...(created && { created }) });
    resources.add({ state, goal, provider });
    if (isDeleted) run.deleted.delete(old.urn);
    for (const { operation, old: replaced } of steps)
      if (replaced && DELETES_FIRST.includes(operation)) run.deleted.add(replaced.urn);
    const decisive = steps.find(({ operation }) => operation === "replace") ?? steps[0];
    // Without steps, the resource was imported and needs nothing else.
    decided.set(urn, decisive?.operation ?? "import");
    return { state, steps };
  } catch (error) {
    return run.outcome.abortWith(error, urn);
  } finally {
    run.work.inProgress.delete(activity);
  }
}

/** Stops the run if a resource needs another one that this command does not create. */
function requireCreated({ run, skipped }: Planning, { dependencies, parent }: Goal, urn: string): void {
  const missing = [...dependencies, parent].find((each) => skipped.has(each));
  if (missing === undefined) return;
  run.outcome.abort(`${urn} needs ${missing}, which this command does not create. Include both.`, urn);
}

/** Stops the run if a resource that is left out keeps a provider that the program does not use before it. */
function requireProvider({ run }: Planning, { urn, provider }: ResourceState): void {
  if (!provider || run.journal.hasCompleted(parseReference(provider).urn)) return;
  const message = `provider ${provider} for resource ${urn} has not been registered yet, this is due to a change of providers mixed with --target. Change your program back to the original providers`;
  run.outcome.abort(message, urn);
}

/** Leaves a resource as it is. The program gets the outputs in the state. One that does not exist is not created. */
function planLeftOut(
  planning: Planning,
  goal: Goal,
  provider: string,
  urn: string,
  old: ResourceState | undefined,
): Decision {
  if (old !== undefined) requireProvider(planning, old);
  const { run, resources, decided, skipped } = planning;
  const state: ResourceState = old ? { ...old, urn } : { urn, type: goal.type, custom: goal.custom };
  resources.add({ state, goal, provider });
  decided.set(urn, "same");
  if (old !== undefined) return { state, steps: [{ operation: "same", old, new: state }] };
  skipped.add(urn);
  // Pulumi counts it, although it is not in the state.
  run.record.add({ operation: "same", new: state });
  return { state, steps: [] };
}

/** Plans a resource that the program only reads. */
function planRead({ resources, decided }: Planning, goal: Goal, provider: string): Decision {
  const urn = resources.claimUrn(goal);
  const { old, alias } = resources.findOld(urn, goal);
  const state: ResourceState = {
    urn,
    ...declaredState(goal),
    id: goal.importId,
    external: true,
    provider,
    aliases: alias ? [alias] : [],
  };
  resources.add({ state, provider });
  // The object itself is kept if it was managed until now. Another object under this name is deleted.
  const replacing = old !== undefined && !old.external && old.id !== goal.importId;
  decided.set(urn, replacing ? "replace" : "read");
  const states = { ...(old && { old }), new: state };
  return { state, steps: inOrder(replacing ? ["read-replacement", "replace"] : ["read"], states) };
}

/** The part of a resource's new state that its goal determines. */
function declaredState(goal: Goal): Omit<ResourceState, "urn"> {
  return {
    custom: goal.custom,
    type: goal.type,
    inputs: goal.properties,
    ...(goal.parent && { parent: goal.parent }),
    protect: goal.protect ?? false,
    dependencies: goal.dependencies,
    propertyDependencies: goal.propertyDependencies,
    additionalSecretOutputs: goal.additionalSecretOutputs,
    customTimeouts: goal.customTimeouts,
    retainOnDelete: goal.retainOnDelete ?? false,
    ...(goal.deletedWith && { deletedWith: goal.deletedWith }),
    ignoreChanges: goal.ignoreChanges,
    replaceOnChanges: goal.replaceOnChanges,
  };
}
