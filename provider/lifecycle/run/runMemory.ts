/** The memory of a provider process, which the engine starts for each provider and run. The ledger has the facts. */
import type { Found } from "../description";
import { newLedger } from "../ledger/ledger";
import { newCheckedResources } from "./checkedResources";
import type { Creation } from "./creation";
import { coalescedReads } from "./reads";
import { serializer } from "./serializer";

export type RunMemory = ReturnType<typeof newRunMemory>;

export function newRunMemory() {
  return {
    ledger: newLedger(),
    /** The checked resources that have an object. A refresh also compares those that the program does not declare. */
    checkedExisting: newCheckedResources(),
    /** The checked resources that are new, or replace their object. */
    checkedNew: newCheckedResources(),
    /** The properties whose values messages may not show, by the keys of their resources. They may be secret in one of these. */
    notShown: new Map<string, ReadonlySet<string>>(),
    /** The creates that may have created an object, by their resources. A repeated call continues its create. */
    creations: new Map<string, Creation>(),
    /** The lists that a preview, or the first create in a project or organization, has requested; undefined if that failed. */
    listsBefore: new Map<string, Promise<readonly Found[] | undefined>>(),
    /** The resources whose object is deleted before its replacement is created, as far as the host knows. */
    deletedFirst: new Set<string | undefined>(),
    /** Whether a preview runs, on a host that says so only to `check`. */
    isPreview: false as boolean,
    /** Whether the service has each project that new objects are declared in, as far as the key can read it. */
    projects: new Map<string, Promise<unknown>>(),
    /** The parents that resources of this run adopt. Their contents may be adopted before the program knows their UUIDs. */
    adoptedParents: new Set<string>(),
    /** Until when the service may still count what this run has deleted in objects, by their keys. */
    emptiedUntilMs: new Map<string, number>(),
    noticed: new Set<string>(),
    /** The warnings that name an object in use, by the kinds of objects. */
    namedInUse: new Map<string, Set<string>>(),
    /** Organizations that own objects in the state. */
    owners: new Set<string>(),
    reads: coalescedReads(),
    /** Serializes creates whose objects could be confused. */
    exclusively: serializer(),
  };
}
