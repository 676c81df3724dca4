import type { ResourceState } from "../state/snapshot";

/** An operation on a resource. The names are those of Pulumi's steps. */
export type Operation =
  | "same"
  | "create"
  | "update"
  | "delete"
  | "replace"
  | "create-replacement"
  | "delete-replaced"
  | "read"
  | "read-replacement"
  | "refresh"
  | "discard"
  | "discard-replaced"
  | "remove-pending-replace"
  | "import"
  | "import-replacement";

/** One operation on one resource, with its states before and after. */
export interface RunStep {
  readonly operation: Operation;
  readonly old?: ResourceState;
  readonly new?: ResourceState;
  /** The properties that require a replacement. */
  readonly replaceKeys?: readonly string[];
  /** The properties that differ. */
  readonly changedKeys?: readonly string[];
  /** What a refresh found. */
  readonly result?: "same" | "update" | "delete";
}

/** Steps with these operations, in this order, between the same states. */
export function inOrder(operations: readonly Operation[], states: Omit<RunStep, "operation">): RunStep[] {
  return operations.map((operation) => ({ operation, ...states }));
}
