/** The operations of all resources: what is the same for all kinds, and does not depend on a host. */
import { objectKey } from "../ledger/facts";
import type { ResourceRun } from "../run/runContext";
import type { ManagedObject } from "../state";
import { remove as removeEntry } from "./delete";
import { diff as diffEntry } from "./diff";
import { read as readEntry } from "./read";
import { update as updateEntry } from "./update";

export { check } from "./check";
export { create } from "./create";

export const diff = onEntry(diffEntry);
export const read = onEntry(readEntry);
export const update = onEntry(updateEntry);
export const remove = onEntry(removeEntry);

/** Records that an entry of the state has an object. States of import files can have its UUID in upper case. */
function onEntry<Entry extends ManagedObject, Result>(
  operation: (run: ResourceRun, entry: Entry) => Promise<Result>,
) {
  return (run: ResourceRun, entry: Entry) => {
    const object = objectKey(run.description.title, entry.uuid);
    run.memory.ledger.record({ is: "seen", object, by: run.urn });
    return operation(run, { ...entry, uuid: entry.uuid.toLowerCase() });
  };
}
