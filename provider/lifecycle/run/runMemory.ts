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

/** The memory of a run: what it remembers, when that is set, and when it is read. Objects are identified by {@link objectKey}. */
export interface RunMemory {
  /**
   * Objects that the program declares with `import`, now or at the last `up`. No step of this run deletes them.
   * Set by check, diff, a native import, and a create that has recovered an object. Read by delete and lost creates.
   */
  readonly held: Marks;
  /**
   * Objects that resources of the program have and keep. Other entries of the state do not delete them.
   * Set by check, diff and update. Read by delete and lost creates.
   */
  readonly declared: DeclaredObjects;
  /** Objects that an entry of the state has adopted. Set by diff. Read by the check of an adoption. */
  readonly adoptedBefore: Set<string>;
  /**
   * Objects that a resource declares with `import`, or that Pulumi itself imports. A second resource must not adopt them,
   * and none of them is the result of a create whose response was lost.
   * Set and read by check and a native import. Read by lost creates.
   */
  readonly claimed: Marks;
  /** What identifies these resources in the run, if the host knows it. Set and read with `claimed`. */
  readonly claimants: Map<string, string | undefined>;
  /**
   * Objects that a change of their resource replaces. No other resource adopts them in the same run: they may be deleted
   * first. Set by diff. Read with `claimed`.
   */
  readonly replaced: Set<string>;
  /**
   * The UUIDs of the objects that Pulumi itself imports in this run, by the URN of their resources.
   * Set by read. Read by the plugin's check, diff and update.
   */
  readonly imported: Map<string, string>;
  /**
   * The objects that resources have adopted, in this run or before, by the URN of their resources.
   * Set by the plugin's read and diff. Read by its delete.
   */
  readonly adoptedBy: Map<string, { readonly uuid: string; readonly properties: Properties }>;
  /**
   * Objects that this run has created. None of them is the result of another create whose response was lost.
   * Set by create. Read by lost creates, and where a new project need not be read or listed.
   */
  readonly created: Marks;
  /** Creates in progress, and those that may have had an effect that is not known. Set by create. Read by lost creates. */
  readonly creating: Marks;
  /** Objects that resources have because the response to their create was lost. Set by lost creates. Read by diff. */
  readonly recovered: Marks;
  /** The URNs, if known, of these resources, by object. Set and read with `recovered`. */
  readonly recoveredBy: Map<string, string | undefined>;
  /**
   * Objects that a state has shown, or a message has reported.
   * Set by diff, read, update, delete and create. Read by lost creates, and where a project need not be read.
   */
  readonly known: Set<string>;
  /**
   * What the service listed in a project or organization before this run created an object there; undefined if it could
   * not be listed. Set before the first create. Read by lost creates.
   */
  readonly presentBefore: Map<string, Promise<readonly Found[] | undefined>>;
  /**
   * Whether the service has each project that new objects are declared in, as far as the key can read it.
   * Set and read by check.
   */
  readonly projects: Map<string, Promise<unknown>>;
  /**
   * Texts that the program declares and that are not secret there, so that messages may show them.
   * Set by check. Read by messages about other resources.
   */
  readonly shown: Set<string>;
  /** Organizations that own objects in the state. Set by every operation with a state. Read by create. */
  readonly owners: Set<string>;
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
    claimants: new Map(),
    replaced: new Set(),
    imported: new Map(),
    adoptedBy: new Map(),
    created: marks("created"),
    creating: marks("creating"),
    recovered: marks("recovered"),
    recoveredBy: new Map(),
    known: new Set(),
    presentBefore: new Map(),
    projects: new Map(),
    shown: new Set(),
    owners: new Set(),
    reads: coalescedReads(),
    exclusively: serializer(),
  };
}

/**
 * The key of an object in the memory. It contains the kind, because an activation has the same UUID as its domain. Letter
 * case does not matter: an import file can have a UUID in upper case.
 */
export function objectKey(title: string, uuid: string): string {
  return `${title} ${uuid.toLowerCase()}`;
}
