/**
 * Remembers what a run of Pulumi has seen and done in this process, where later steps depend on it. The engine starts
 * new provider processes for each run, so the memory ends with the run.
 */

import { type DeclaredObjects, declaredObjects } from "./declaredObjects";
import type { Marks } from "./marks";
import { coalescedReads, type Reads } from "./reads";
import { type RunExclusively, serializer } from "./serializer";

/** The memory of a run. Objects are identified by {@link objectKey}. */
export interface RunMemory {
  /** Objects that the program declares with `import`, now or at the last `up`. No step of this run deletes them. */
  readonly held: Marks;
  /** Objects that resources of the program have and keep. Other entries of the state do not delete them. */
  readonly declared: DeclaredObjects;
  /** Objects that an entry of the state has adopted. */
  readonly adoptedBefore: Set<string>;
  /** Objects that a new resource will adopt. A second resource must not adopt them. */
  readonly claimed: Set<string>;
  /** The UUIDs of the objects that Pulumi itself imports in this run, by the URN of their resources. */
  readonly imported: Map<string, string>;
  /** The UUIDs of the objects that resources have adopted, in this run or before, by URN. */
  readonly adoptedBy: Map<string, string>;
  /** Objects that this run has adopted. None of them is the result of a create whose response was lost. */
  readonly adopted: Set<string>;
  /** Objects that this run has created. None of them is the result of another create whose response was lost. */
  readonly created: Set<string>;
  /** Organizations that own objects in the state. */
  readonly owners: Set<string>;
  /** Coalesced reads for refreshes. */
  readonly reads: Reads;
  /** Serializes creates whose objects could be confused. */
  readonly exclusively: RunExclusively;
}

/**
 * Creates the memory of a new run.
 *
 * @param marks creates the marks that are shared with other processes of the run. Default: marks of this process only.
 */
export function newRunMemory(marks: (kind: string) => Marks = () => new Set<string>()): RunMemory {
  return {
    held: marks("held"),
    declared: declaredObjects(marks("declared")),
    adoptedBefore: new Set(),
    claimed: new Set(),
    imported: new Map(),
    adoptedBy: new Map(),
    adopted: new Set(),
    created: new Set(),
    owners: new Set(),
    reads: coalescedReads(),
    exclusively: serializer(),
  };
}

/** The key of an object in the memory. It contains the kind, because an activation has the same UUID as its domain. */
export function objectKey(title: string, uuid: string): string {
  return `${title} ${uuid}`;
}
