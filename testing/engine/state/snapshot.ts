/** The state of a stack, in memory. */
import type { HookNames } from "../protocol/hooks";
import { parseReference } from "../protocol/urn";
import type { Properties } from "../protocol/values";

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
  resourceHooks?: HookNames;
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

/** The URNs of everything that a resource needs in the state, except its parent. */
export function dependenciesOf(state: ResourceState): Set<string> {
  return new Set([
    ...(state.dependencies ?? []),
    ...Object.values(state.propertyDependencies ?? {}).flat(),
    ...(state.deletedWith ? [state.deletedWith] : []),
    ...(state.provider ? [parseReference(state.provider).urn] : []),
  ]);
}
