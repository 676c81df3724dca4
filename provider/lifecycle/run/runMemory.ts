/**
 * Remembers what a run of Pulumi has seen and done, where later steps depend on it. The engine starts new provider
 * processes for each run, one for each provider, so the memory ends with the run. What holds for the objects of the
 * whole run is in marks, which its processes share.
 */

import type { Found } from "../description";
import type { Properties } from "../properties";
import { type DeclaredObjects, declaredObjects } from "./declaredObjects";
import { type Marks, ownMarks } from "./marks";
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
  /**
   * Objects that a resource declares with `import`, or that Pulumi itself imports. A second resource must not adopt them,
   * and none of them is the result of a create whose response was lost.
   */
  readonly claimed: Marks;
  /** What identifies these resources in the run, if the host knows it. */
  readonly claimants: Map<string, string | undefined>;
  /** Objects that a change of their resource replaces. No other resource adopts them in the same run: they may be deleted first. */
  readonly replaced: Set<string>;
  /** The UUIDs of the objects that Pulumi itself imports in this run, by the URN of their resources. */
  readonly imported: Map<string, string>;
  /** The objects that resources have adopted, in this run or before, by the URN of their resources. */
  readonly adoptedBy: Map<string, { readonly uuid: string; readonly properties: Properties }>;
  /** Objects that this run has created. None of them is the result of another create whose response was lost. */
  readonly created: Marks;
  /** Creates in progress, and those that may have had an effect that is not known. */
  readonly creating: Marks;
  /** The URNs, if known, of resources that have an object because the response to their create was lost, by object. */
  readonly recoveredBy: Map<string, string | undefined>;
  /** Objects that a state has shown, or a message has reported. */
  readonly known: Set<string>;
  /**
   * What the service listed in a project or organization before this run created an object there; undefined if it could
   * not be listed.
   */
  readonly places: Map<string, Promise<readonly Found[] | undefined>>;
  /** Whether the service has each project that new objects are declared in, as far as the key can read it. */
  readonly projects: Map<string, Promise<unknown>>;
  /** Texts that the program declares and that are not secret there, so that messages may show them. */
  readonly shown: Set<string>;
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
export function newRunMemory(marks: (kind: string) => Marks = ownMarks): RunMemory {
  return {
    held: marks("held"),
    declared: declaredObjects(marks("declared")),
    adoptedBefore: new Set(),
    claimed: marks("claimed"),
    replaced: new Set(),
    claimants: new Map(),
    imported: new Map(),
    adoptedBy: new Map(),
    created: marks("created"),
    creating: marks("creating"),
    recoveredBy: new Map(),
    known: new Set(),
    places: new Map(),
    projects: new Map(),
    shown: new Set(),
    owners: new Set(),
    reads: coalescedReads(),
    exclusively: serializer(),
  };
}

/** The key of an object in the memory. It contains the kind, because an activation has the same UUID as its domain. */
export function objectKey(title: string, uuid: string): string {
  return `${title} ${uuid}`;
}
