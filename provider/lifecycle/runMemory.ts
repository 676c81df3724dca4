/**
 * What one run of Pulumi has seen and done in this process, as far as later steps of the run depend on it. The engine
 * starts a provider process for each run, so the memory ends with the run.
 */

import { coalescedReads, type Reads } from "./reads";
import { newTurns, type Turns } from "./turns";

/** Things that are marked by a text. */
export interface Marks {
  add(mark: string): void;
  has(mark: string): boolean;
}

/** What a run remembers. Objects are named by {@link objectKey}. */
export interface RunMemory {
  /** Objects that the program declares with `import`, now or at the last `up`: no step of this run deletes them. */
  readonly held: Marks;
  /** Objects that an entry of the state adopted, and those entries: no other entry deletes the objects. */
  readonly kept: Marks;
  /** Objects that a new resource is to adopt: no second one may. */
  readonly claimed: Set<string>;
  /** Objects that this run adopted: none of them is the lost result of a create. */
  readonly adopted: Set<string>;
  /** Objects that this run created: none of them is the lost result of another create. */
  readonly created: Set<string>;
  /** Organizations that own objects of the state. */
  readonly owners: Set<string>;
  /** Reads for refreshes, answered from lists where many come together. */
  readonly reads: Reads;
  /** Creates that the service could confuse with each other, one at a time. */
  readonly exclusively: Turns;
}

/**
 * The memory of a run that has just begun.
 *
 * @param marks makes the marks that other processes of the run see as well. Default: marks of this process.
 */
export function newRunMemory(marks: (kind: string) => Marks = () => new Set<string>()): RunMemory {
  return {
    held: marks("held"),
    kept: marks("kept"),
    claimed: new Set(),
    adopted: new Set(),
    created: new Set(),
    owners: new Set(),
    reads: coalescedReads(),
    exclusively: newTurns(),
  };
}

/** The name of an object in the memory: its kind and UUID, as an activation has the UUID of its domain. */
export function objectKey(title: string, uuid: string): string {
  return `${title} ${uuid}`;
}
