/** Shared by creates and updates. */
import { ConflictError } from "../../client/errors";
import { NotReadyError } from "../../errors";
import { canonicalValues } from "../../values/canonical";
import { stepsOf, valueAt } from "../../values/walk";
import { explainConflict } from "../create/conflict";
import { isKept, subjectKey } from "../creates";
import type { Change, Found, OperationContext, ResourceDescription } from "../description";
import { readKnown } from "../evidence/known";
import { whileYoung } from "../evidence/youth";
import { explain } from "../explain";
import { differences, type Properties } from "../properties";
import type { ResourceRun } from "../run/runContext";
import { type ManagedObject, stateOf } from "../state";

/** Runs a write. Lists that were requested before or during it may be outdated, so they are discarded. */
export async function writing<Value>(
  { description, memory: { reads } }: ResourceRun,
  write: () => Promise<Value>,
): Promise<Value> {
  reads.forget(description);
  try {
    return await write();
  } finally {
    reads.forget(description);
  }
}

export type StateParts = Parameters<typeof stateOf>[1];

/** Waits until the object can be used. If that times out, or fails after a create, the object is saved as not ready. */
export async function whenReady(
  description: ResourceDescription,
  context: OperationContext,
  found: Found,
  kept: StateParts,
  before?: Properties,
): Promise<Found> {
  try {
    return (await description.waitUntilReady?.(context, found)) ?? found;
  } catch (error) {
    // An object that was just created must be saved after any error. A resource that only waits creates none.
    const created = before === undefined && isKept(description);
    if (!(error instanceof NotReadyError) && !created) throw explain(error);
    const reasons = error instanceof NotReadyError ? error.reasons : [explain(error).message];
    const properties = error instanceof NotReadyError ? error.state : found.properties;
    throw new NotReadyError(found.uuid, stateOf(description, kept, { properties }), reasons);
  }
}

/** The error if the service did not apply what was sent: changed values, and values that are no longer declared. */
export function notApplied(
  { title, computed, inputs: schema }: ResourceDescription,
  { inputs, changed }: Pick<Change, "inputs" | "changed">,
  { uuid, properties }: Found,
): string | undefined {
  const differing = differences(canonicalValues(schema, inputs), properties).filter(({ path }) =>
    changed.some((each) => `${path}.`.startsWith(`${each}.`) || each.startsWith(`${path}.`)),
  );
  const kept = changed
    .filter((path) => {
      const steps = stepsOf(path);
      return valueAt(inputs, steps) == null && valueAt(properties, steps) != null;
    })
    .filter((path) => !computed?.includes(path));
  const paths = new Set([...differing.map(({ path }) => path), ...kept]);
  if (paths.size === 0) return undefined;
  return `The service did not apply ${[...paths].join(", ")} of ${title} ${uuid}. Run \`pulumi refresh\` to see what it has.`;
}

/** Updates the object. Without changes, it is only read, to resume a resource that was not ready. */
export async function applyChange(
  { description, memory, urn: by }: ResourceRun,
  context: OperationContext,
  { uuid, state }: ManagedObject,
  change: Change,
): Promise<Found> {
  const { uniqueBy, update } = description;
  const { inputs } = change;
  // A resource that only waits reads while it waits.
  const isRead = isKept(description) && change.changed.length === 0;
  if (update === undefined || isRead) {
    const target = { description, context, uuid, state: { ...state, ...inputs } };
    return await readKnown(target, () => description.read(context, uuid, target.state));
  }
  try {
    const send = () => update(context, uuid, change);
    return await whileYoung(context, subjectKey(description, uuid), send);
  } catch (error) {
    if (!(error instanceof ConflictError) || uniqueBy === undefined || !change.changed.includes(uniqueBy))
      throw error;
    throw await explainConflict(memory, { description, context, inputs }, error, { by, before: state });
  }
}
