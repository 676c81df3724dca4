/**
 * The memory of a provider process. The engine starts new processes for each run, one for each provider, so the memory
 * ends with the run. The ledger has the facts about objects.
 */
import type { Found } from "../description";
import { type Ledger, newLedger } from "../ledger/ledger";
import { type Checked, newChecked } from "./checked";
import type { Creation } from "./creation";
import { coalescedReads, type Reads } from "./reads";
import { type RunExclusively, serializer } from "./serializer";

export interface RunMemory {
  readonly ledger: Ledger;
  /** The checked resources that have an object. A refresh also compares those that the program does not declare. */
  readonly checked: Checked;
  /** The checked resources that are new, or replace their object. */
  readonly checkedNew: Checked;
  /** The creates that may have created an object, by their resources. A repeated call continues its create. */
  readonly creations: Map<string, Creation>;
  /** The lists that a preview, or the first create in a project or organization, has requested; undefined if that failed. */
  readonly listsBefore: Map<string, Promise<readonly Found[] | undefined>>;
  /** The resources whose object must be deleted before its replacement is created. */
  readonly deletedFirst: Set<string | undefined>;
  /** Whether the service has each project that new objects are declared in, as far as the key can read it. */
  readonly projects: Map<string, Promise<unknown>>;
  /** The parents that resources of this run adopt. Their contents may be adopted before the program knows their UUIDs. */
  readonly adoptedParents: Set<string>;
  /** The notices that this process has reported. */
  readonly noticed: Set<string>;
  /** Organizations that own objects in the state. */
  readonly owners: Set<string>;
  readonly reads: Reads;
  /** Serializes creates whose objects could be confused. */
  readonly exclusively: RunExclusively;
}

/** Creates the memory of a new run. */
export function newRunMemory(): RunMemory {
  return {
    ledger: newLedger(),
    checked: newChecked(),
    checkedNew: newChecked(),
    creations: new Map(),
    listsBefore: new Map(),
    deletedFirst: new Set(),
    projects: new Map(),
    adoptedParents: new Set(),
    noticed: new Set(),
    owners: new Set(),
    reads: coalescedReads(),
    exclusively: serializer(),
  };
}
