import { NotReadyError } from "../../errors";
import { adoptExisting } from "../adoption";
import { type Created, createOnce } from "../create/createOnce";
import { existsInService } from "../creates";
import type { Found, OperationContext } from "../description";
import { readKnown } from "../evidence/known";
import { explain, explained } from "../explain";
import { requireKnownOrganization } from "../ownership";
import { serviceMs } from "../poll";
import { differences, withoutNulls } from "../properties";
import { contextFor, type ResourceRun, reportOnce } from "../run/runContext";
import { type Declared, type ManagedObject, savedCreation, stateOf } from "../state";
import { requireValid } from "./inputs";
import { applyChange, notApplied, type StateParts, unapplied, whenReady, writing } from "./write";

export async function create(run: ResourceRun, { inputs, adopt }: Declared): Promise<ManagedObject> {
  const { description } = run;
  requireValid(run, inputs, adopt === undefined);
  const context = await contextFor(run);
  if (typeof adopt === "string") return await adoptExisting(run, context, { inputs, uuid: adopt });
  const { organizationId } = context;
  requireKnownOrganization(run.memory.owners, organizationId, description.title);
  if (description.notice !== undefined) reportOnce(run, description.notice, {});
  const created = await explained(() => writing(run, () => createOnce(run, context, withoutNulls(inputs))));
  const now = serviceMs(context);
  const createdAt = context.client.serviceTime()?.toISOString() ?? created.found.createdAt;
  const hidden = existsInService(description) ? savedCreation(createdAt, created.found.properties, now) : {};
  const parts = { organizationId, inputs, hidden };
  try {
    const found = created.isResumed ? await applyDeclared(run, context, { created, parts }) : created.found;
    const current = await whenReady(description, context, found, parts);
    const state = stateOf(description, parts, current);
    const differing = unapplied(description, { inputs, changed: Object.keys(inputs) }, current);
    // The object exists, so it is saved. The next update applies the values again.
    if (differing.length > 0)
      throw new NotReadyError(current.uuid, state, [notApplied(run, { inputs }, current.uuid, differing)]);
    return { uuid: current.uuid, state };
  } catch (error) {
    created.failed(error);
    throw error;
  }
}

/** Updates an object that an earlier call has created to the declared values. @throws NotReadyError if that fails. */
async function applyDeclared(
  run: ResourceRun,
  context: OperationContext,
  { created, parts }: { readonly created: Created; readonly parts: StateParts },
): Promise<Found> {
  const { description } = run;
  const { inputs } = parts;
  const { uuid } = created.found;
  let { found } = created;
  try {
    const state = stateOf(description, parts, found);
    found = await readKnown({ description, context, uuid, state }, () =>
      description.read(context, uuid, state),
    );
    const changed = differences(inputs, found.properties).map(({ path }) => path);
    if (changed.length === 0) return found;
    return await writing(run, () => applyChange(run, context, { uuid, state }, { inputs, changed, state }));
  } catch (error) {
    throw new NotReadyError(uuid, stateOf(description, parts, found), [explain(error).message]);
  }
}
