/**
 * The state of a stack: its form in memory, the journal of a run, and Pulumi's file format.
 */
import {
  createUrn,
  nameOf,
  parseReference,
  parseUrn,
  providerReference,
  STACK_TYPE,
  type StackIdentity,
} from "../protocol/urn";
import { fromDeployment, type Properties, toDeployment } from "../protocol/values";

// biome-ignore-start lint/plugin/readonlyMembers: steps fill in the state of their resource.
/** A resource in the form of Pulumi's state. Secrets in its property values are marked. */
export interface ResourceState {
  urn: string;
  /** Whether a provider manages it; false for components and the stack. */
  custom: boolean;
  /** Whether it has been replaced and is still to be deleted. */
  delete?: boolean;
  id?: string;
  type: string;
  inputs?: Properties;
  outputs?: Properties;
  parent?: string;
  protect?: boolean;
  /** Whether the next update replaces it. */
  taint?: boolean;
  /** Whether it is only read (`.get`) and not managed. */
  external?: boolean;
  dependencies?: readonly string[];
  /** The reasons why it was created but is not ready. */
  initErrors?: readonly string[];
  /** The reference `urn::id` of its provider. */
  provider?: string;
  propertyDependencies?: Readonly<Record<string, readonly string[]>>;
  /** Whether it has been deleted and its replacement is still to be created. */
  pendingReplacement?: boolean;
  additionalSecretOutputs?: readonly string[];
  aliases?: readonly string[];
  customTimeouts?: Readonly<Record<string, number>>;
  retainOnDelete?: boolean;
  deletedWith?: string;
  created?: string;
  modified?: string;
  ignoreChanges?: readonly string[];
  replaceOnChanges?: readonly string[];
  hideDiff?: readonly string[];
}

// biome-ignore-end lint/plugin/readonlyMembers: steps fill in the state of their resource.

/** An operation that was started, and whose outcome is not known. */
export interface PendingOperation {
  readonly resource: ResourceState;
  readonly type: "creating" | "updating" | "deleting" | "reading" | "importing";
}

/** The state of a stack in memory. */
export interface Snapshot {
  // biome-ignore lint/plugin/readonlyMembers: a refresh replaces it.
  resources: readonly ResourceState[];
  readonly pendingOperations: readonly PendingOperation[];
}

/** The state of a stack as `pulumi stack export` writes it and `pulumi stack import` reads it. */
export interface Deployment {
  /** The version of the format. Only 3 is supported. */
  readonly version: number;
  readonly deployment: {
    readonly manifest?: unknown;
    readonly resources?: readonly ResourceState[];
    readonly pending_operations?: readonly PendingOperation[];
    [other: string]: unknown;
  };
}

/** The URNs of everything that a resource needs in the state, except its parent. */
export function dependenciesOf(state: ResourceState): Set<string> {
  return new Set([
    ...(state.dependencies ?? []),
    ...Object.values(state.propertyDependencies ?? {}).flat(),
    ...(state.deletedWith ? [state.deletedWith] : []),
    ...(state.provider ? [parseReference(state.provider).urn] : []),
  ]);
}

/**
 * The changes of one run to the state. `snapshot` is the state that a crash at this moment would leave: first the
 * resources that this run has completed, in that order, then those that it has not processed.
 */
export function openJournal(base: Snapshot) {
  const completed: ResourceState[] = [];
  const done = new Set<ResourceState>();
  const pending = new Map<ResourceState, PendingOperation["type"]>();
  return {
    /** Records the start of an operation on a resource. */
    begin: (state: ResourceState, type: PendingOperation["type"]): void => void pending.set(state, type),
    /** Records the end of the operation, successful or not. */
    end: (state: ResourceState): void => void pending.delete(state),
    /** Adds a resource to the new state. */
    add: (state: ResourceState): void => void completed.push(state),
    /** Removes a resource from the state. */
    remove: (state: ResourceState): void => void done.add(state),
    snapshot: (): Snapshot =>
      withoutAliases({
        resources: [...completed, ...base.resources].filter((state) => !done.has(state)),
        pendingOperations: [
          ...[...pending].map(([resource, type]) => ({ resource, type })),
          // It is not known whether such a resource exists, so only the user can clear the operation.
          ...base.pendingOperations.filter(({ type }) => type === "creating"),
        ],
      }),
  };
}

export type Journal = ReturnType<typeof openJournal>;

/** The state with every reference to a former URN replaced by the current one. */
function withoutAliases(snapshot: Snapshot): Snapshot {
  const present = new Map<string, string>();
  for (const { urn, aliases, parent } of snapshot.resources) {
    for (const alias of aliases ?? []) present.set(alias, urn);
    const newParent = parent && present.get(parent);
    if (newParent && parseUrn(newParent).type !== STACK_TYPE) {
      present.set(urn, createUrn(parseUrn(urn), parseUrn(urn).type, nameOf(urn), newParent));
    }
  }
  if (present.size === 0) return snapshot;
  const fix = (urn: string): string => present.get(urn) ?? urn;
  const fixReference = (reference: string): string => {
    const { urn, id } = parseReference(reference);
    return providerReference(fix(urn), id);
  };
  return {
    ...snapshot,
    resources: snapshot.resources.map(({ aliases: _, ...state }) => ({
      ...state,
      urn: fix(state.urn),
      ...(state.parent && { parent: fix(state.parent) }),
      ...(state.dependencies && { dependencies: state.dependencies.map(fix) }),
      ...(state.propertyDependencies && {
        propertyDependencies: Object.fromEntries(
          Object.entries(state.propertyDependencies).map(([name, urns]) => [name, urns.map(fix)]),
        ),
      }),
      ...(state.deletedWith && { deletedWith: fix(state.deletedWith) }),
      ...(state.provider && { provider: fixReference(state.provider) }),
    })),
  };
}

/**
 * The state without the resources that a refresh did not find. References to them are removed, and their parents become
 * the parents of their children.
 */
export function withoutVanished(
  resources: readonly ResourceState[],
  vanished: ReadonlySet<ResourceState>,
): ResourceState[] {
  const present = new Set<string>();
  const kept: ResourceState[] = [];
  const parentOf = new Map(resources.map((state) => [state.urn, state.parent]));
  const stillThere = (urn: string | undefined): string | undefined =>
    urn === undefined || present.has(urn) ? urn : stillThere(parentOf.get(urn));
  for (const state of resources) {
    if (vanished.has(state)) continue;
    if (state.dependencies) state.dependencies = state.dependencies.filter((urn) => present.has(urn));
    state.propertyDependencies = Object.fromEntries(
      Object.entries(state.propertyDependencies ?? {})
        .map(([name, urns]) => [name, urns.filter((urn) => present.has(urn))] as const)
        .filter(([, urns]) => urns.length > 0),
    );
    if (state.deletedWith && !present.has(state.deletedWith)) delete state.deletedWith;
    const parent = stillThere(state.parent);
    if (parent === undefined) delete state.parent;
    else state.parent = parent;
    present.add(state.urn);
    kept.push(state);
  }
  return kept;
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === false ||
    value === "" ||
    (typeof value === "object" && value !== null && Object.keys(value).length === 0)
  );
}

/** A resource in the form of the state file, without empty fields. */
function exportResource(state: ResourceState, showSecrets: boolean): ResourceState {
  const { urn, custom, ...others } = state;
  const fields = Object.entries(others)
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => [
      name,
      name === "inputs" || name === "outputs"
        ? toDeployment(value as Properties, showSecrets)
        : structuredClone(value),
    ]);
  return { urn, custom, ...(Object.fromEntries(fields) as Omit<ResourceState, "urn" | "custom">) };
}

function importResource(state: ResourceState): ResourceState {
  const copy = structuredClone(state);
  for (const name of ["inputs", "outputs"] as const) {
    const properties = copy[name];
    if (properties !== undefined) copy[name] = fromDeployment(properties) as Properties;
  }
  return copy;
}

/** The state in Pulumi's format. */
export function exportSnapshot(snapshot: Snapshot, showSecrets: boolean): Deployment {
  const pending = snapshot.pendingOperations.map(({ resource, type }) => ({
    resource: exportResource(resource, showSecrets),
    type,
  }));
  return {
    version: 3,
    deployment: {
      manifest: { time: new Date().toISOString(), magic: "", version: "" },
      resources: snapshot.resources.map((state) => exportResource(state, showSecrets)),
      ...(pending.length > 0 && { pending_operations: pending }),
    },
  };
}

/**
 * Reads a state in Pulumi's format. Throws an error that names the resource if the state is not valid for this stack.
 */
export function importSnapshot({ version, deployment }: Deployment, identity: StackIdentity): Snapshot {
  if (version !== 3)
    throw new Error(`The state has version ${version}; the test engine supports only version 3.`);
  const resources = (deployment.resources ?? []).map(importResource);
  const seen = new Set<string>();
  for (const { urn, type, custom, id, parent, provider } of resources) {
    const parts = parseUrn(urn);
    if (parts.stack !== identity.stack || parts.project !== identity.project) {
      throw new Error(`${urn} does not belong to the stack ${identity.project}/${identity.stack}.`);
    }
    if (parts.type !== type) throw new Error(`${urn} has the type ${type} in its state.`);
    if (custom && !id) throw new Error(`${urn} has no id.`);
    if (parent && !seen.has(parent)) throw new Error(`${urn} comes before its parent ${parent}.`);
    if (provider && !seen.has(provider)) throw new Error(`${urn} comes before its provider ${provider}.`);
    seen.add(urn).add(providerReference(urn, id ?? ""));
  }
  return {
    resources,
    pendingOperations: (deployment.pending_operations ?? []).map(({ resource, type }) => ({
      resource: importResource(resource),
      type,
    })),
  };
}
