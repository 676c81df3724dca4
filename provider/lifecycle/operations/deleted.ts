/** Decides whether a 404 of an object of the state means that it was deleted. */
import { NotFoundError } from "../../client/errors";
import type { OperationContext } from "../description";
import { contradictionOf } from "../evidence/absence";
import { explain, explained } from "../explain";
import { ORGANIZATION_PROPERTY } from "../hiddenProperties";
import { confirmDeleted } from "../ownership";
import type { ResourceRun } from "../run/runContext";
import type { ManagedObject } from "../state";

/** Whether the object of a state was certainly deleted. */
export async function isDeleted(
  run: ResourceRun,
  context: OperationContext,
  { uuid, state }: ManagedObject,
): Promise<boolean> {
  try {
    await run.description.read(context, uuid, state);
    return false;
  } catch (error) {
    await requireDeleted(run, context, { uuid, state }, error);
    return true;
  }
}

/** Confirms that an error means that the object was deleted. @throws UserError if the object may still exist. */
export async function requireDeleted(
  { description, session, memory }: ResourceRun,
  context: OperationContext,
  { uuid, state }: ManagedObject,
  error: unknown,
): Promise<void> {
  if (!(error instanceof NotFoundError)) throw explain(error);
  await explained(async () => {
    await confirmDeleted(session, state[ORGANIZATION_PROPERTY], `${description.title} ${uuid}`);
    const target = { description, context, uuid, state };
    const contradiction = await contradictionOf(target, error, memory.reads.evidenceFor(target));
    if (contradiction !== undefined) throw contradiction;
  });
}
