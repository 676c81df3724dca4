/** Decides whether a 404 of an object of the state means that it was deleted. */
import { NotFoundError } from "../../client/errors";
import { subjectKey } from "../creates";
import type { OperationContext } from "../description";
import { confirmAbsence, type Missing, requireGone } from "../evidence/absence";
import { whileYoung } from "../evidence/youth";
import { explain, explained } from "../explain";
import { ORGANIZATION_PROPERTY } from "../hiddenProperties";
import { requireOwnersKey } from "../ownership";
import { pollUntil } from "../poll";
import type { ResourceRun } from "../run/runContext";
import type { ManagedObject } from "../state";

/** Whether an object of a state was deleted. Reads may show it until the timeout. @throws UserError if a list contradicts them. */
export async function isDeleted(
  run: ResourceRun,
  context: OperationContext,
  object: ManagedObject,
  timeoutMs = 0,
): Promise<boolean> {
  const { description } = run;
  const { uuid, state } = object;
  const key = subjectKey(description, uuid);
  const last = await pollUntil<Missing | undefined>(context, {
    timeoutMs,
    async read() {
      try {
        await whileYoung(context, key, () => description.read(context, uuid, state));
        return undefined;
      } catch (error) {
        return await confirmNotFound(run, context, object, error);
      }
    },
    done: (one) => one !== undefined && one.is !== "listed",
    progress: () => `Waiting until the service no longer shows ${key}`,
  });
  if (last === undefined) return false;
  requireGone({ description, uuid }, last.notFound, last);
  return true;
}

/** Looks up what the 404 of a read means. @throws UserError for other errors, and if the key is not that of the object's organization. */
export async function confirmNotFound(
  { description, session, memory }: ResourceRun,
  context: OperationContext,
  { uuid, state }: ManagedObject,
  error: unknown,
): Promise<Missing> {
  if (!(error instanceof NotFoundError)) throw explain(error);
  return await explained(async () => {
    await requireOwnersKey(session, state[ORGANIZATION_PROPERTY], `${description.title} ${uuid}`);
    const target = { description, context, uuid, state };
    return { ...(await confirmAbsence(target, memory.reads.evidenceFor(target))), notFound: error };
  });
}
