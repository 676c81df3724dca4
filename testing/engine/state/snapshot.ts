/** The state of a stack, in memory. */
import { parseReference } from "../protocol/urn";
import type { Properties } from "../protocol/values";

// biome-ignore-start lint/plugin/readonlyMembers: steps fill in the state of their resource.
/** A resource in the form of Pulumi's state. Secrets in its property values are marked. */
export interface ResourceState {
  /** The URN. */
  urn: string;
  /** Whether a provider manages it; false for components and the stack. */
  custom: boolean;
  /** Whether it has been replaced and is still to be deleted. */
  delete?: boolean;
  /** The id. Components and the stack have none. */
  id?: string;
  /** The type, such as `pulumi-nodejs:dynamic/things:Thing`. */
  type: string;
  /** What the program declares. */
  inputs?: Properties;
  /** What the program gets. */
  outputs?: Properties;
  /** The URN of the parent. */
  parent?: string;
  /** The option `protect`. */
  protect?: boolean;
  /** Whether it is only read (`.get`) and not managed. */
  external?: boolean;
  /** The URNs of the resources that it depends on. */
  dependencies?: readonly string[];
  /** The reasons why it was created but is not ready. */
  initErrors?: readonly string[];
  /** The reference `urn::id` of its provider. */
  provider?: string;
  /** The URNs of the resources that each property depends on. */
  propertyDependencies?: Readonly<Record<string, readonly string[]>>;
  /** Whether it has been deleted and its replacement is still to be created. */
  pendingReplacement?: boolean;
  /** The option `additionalSecretOutputs`. */
  additionalSecretOutputs?: readonly string[];
  /** Its former URN, if the command has moved it. */
  aliases?: readonly string[];
  /** The option `customTimeouts`, in seconds. */
  customTimeouts?: Readonly<Record<string, number>>;
  /** The option `retainOnDelete`. */
  retainOnDelete?: boolean;
  /** The URN in the option `deletedWith`. */
  deletedWith?: string;
  /** When it was created, as an ISO 8601 date and time. */
  created?: string;
  /** When it was last changed, as an ISO 8601 date and time. */
  modified?: string;
  /** The option `ignoreChanges`. */
  ignoreChanges?: readonly string[];
  /** The option `replaceOnChanges`. */
  replaceOnChanges?: readonly string[];
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
