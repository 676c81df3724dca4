/** Shared by creates and updates. */
import { BadRequestError, type ClientError, ConflictError } from "../../client/errors";
import { NotReadyError } from "../../errors";
import { canonicalValues } from "../../values/canonical";
import { stepsOf, valueAt } from "../../values/walk";
import { differenceLines } from "../adoption";
import { explainConflict } from "../create/conflict";
import { existsInService, subjectKey } from "../creates";
import type { Change, Found, OperationContext, ResourceDescription } from "../description";
import { readKnown } from "../evidence/known";
import { whileYoung } from "../evidence/youth";
import { explain } from "../explain";
import { serviceMs } from "../poll";
import { type Difference, differences, type Properties } from "../properties";
import { resourceKey } from "../run/checkedResources";
import type { ResourceRun } from "../run/runContext";
import { type Declared, type ManagedObject, stateOf } from "../state";
import { mayBeOutdated } from "../version";

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
  parts: StateParts,
  before?: Properties,
): Promise<Found> {
  try {
    return (await description.waitUntilReady?.(context, found)) ?? found;
  } catch (error) {
    // An object that was just created must be saved after any error. A resource that only waits creates none.
    const created = before === undefined && existsInService(description);
    if (!(error instanceof NotReadyError) && !created) throw explain(error);
    const reasons = error instanceof NotReadyError ? error.reasons : [explain(error).message];
    const properties = error instanceof NotReadyError ? error.state : found.properties;
    throw new NotReadyError(found.uuid, stateOf(description, parts, { properties }), reasons);
  }
}

/** What the service did not apply of what was sent: changed values, and values that are no longer declared. */
export function unapplied(
  { computed = [], inputs: schema }: ResourceDescription,
  { inputs, changed }: Pick<Change, "inputs" | "changed">,
  { properties }: Found,
): Difference[] {
  const differing = differences(canonicalValues(schema, inputs), properties).filter(({ path }) =>
    changed.some((each) => `${path}.`.startsWith(`${each}.`) || each.startsWith(`${path}.`)),
  );
  const valueIn = (values: Properties, path: string) => valueAt(values, stepsOf(path));
  const removed = changed
    .map((path) => ({ path, declared: valueIn(inputs, path), actual: valueIn(properties, path) }))
    .filter(({ path, declared, actual }) => declared == null && actual != null && !computed.includes(path));
  return [...new Map([...removed, ...differing].map((each) => [each.path, each])).values()];
}

/** The error about what the service did not apply. Each update would send a value again that the service changes. */
export function notApplied(
  run: ResourceRun,
  declared: Declared,
  uuid: string,
  differing: readonly Difference[],
): string {
  const notShown = run.memory.notShown.get(resourceKey(run, declared));
  const mayShow = (name: string) => notShown?.has(name) === false;
  return [
    `The service did not apply ${differing.map(({ path }) => path).join(", ")} of ${run.description.title} ${uuid} as declared:`,
    ...differenceLines(run, uuid, differing, mayShow),
    "Declare what the service has. Otherwise, each update sends the same again.",
  ].join("\n");
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
  const isRead = existsInService(description) && change.changed.length === 0;
  if (update === undefined || isRead) {
    const target = { description, context, uuid, state: { ...state, ...inputs } };
    return await readKnown(target, () => description.read(context, uuid, target.state));
  }
  try {
    const send = () => update(context, uuid, change);
    return await whileYoung(context, subjectKey(description, uuid), send);
  } catch (error) {
    if (!(error instanceof ConflictError || error instanceof BadRequestError)) throw error;
    const changed = await changedAlready(description, context, { uuid, change, error });
    if (changed !== undefined) return changed;
    if (!(error instanceof ConflictError) || uniqueBy === undefined || !change.changed.includes(uniqueBy))
      throw error;
    throw await explainConflict(memory, { description, context, inputs }, error, { by, before: state });
  }
}

/** The object if it shows a change that was refused: an earlier attempt may have made it, and a service may refuse to change nothing. */
async function changedAlready(
  description: ResourceDescription,
  context: OperationContext,
  { uuid, change, error }: { readonly uuid: string; readonly change: Change; readonly error: ClientError },
): Promise<Found | undefined> {
  const { state } = change;
  // What was sent may take effect, so a stopped call looks for its result as well.
  const target = { description, context: { ...context, waits: context.signal }, uuid, state };
  const read = () => description.read(context, uuid, state);
  // What the service may compute itself does not show a change.
  const isOutdated = (found: Found) =>
    unapplied({ ...description, computed: [] }, change, found).length > 0 ||
    mayBeOutdated(found.updatedAt, state, serviceMs(context));
  const reading = error.effect === "unknown" ? readKnown(target, read, { isOutdated }) : read();
  const found = await reading.catch(() => undefined);
  return found !== undefined && !isOutdated(found) ? found : undefined;
}
