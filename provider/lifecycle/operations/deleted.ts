/** Decides whether a 404 of an object of the state means that it was deleted. */
import { NotFoundError } from "../../client/errors";
import { UserError } from "../../errors";
import type { OperationContext } from "../description";
import { contradictionOf } from "../evidence/absence";
import { whileYoung } from "../evidence/youth";
import { explain, explained } from "../explain";
import { ORGANIZATION_PROPERTY } from "../hiddenProperties";
import { objectKey } from "../ledger/facts";
import { confirmDeleted } from "../ownership";
import { pollUntil } from "../poll";
import type { ResourceRun } from "../run/runContext";
import type { ManagedObject } from "../state";

/**
 * Whether the object of a state was certainly deleted. Reads and lists may show it until the timeout.
 *
 * @throws UserError if a list contradicts the reads.
 */
export async function isDeleted(
  run: ResourceRun,
  context: OperationContext,
  object: ManagedObject,
  timeoutMs = 0,
): Promise<boolean> {
  const { description } = run;
  const { uuid, state } = object;
  const key = objectKey(description.title, uuid);
  const shown = await pollUntil(context, {
    timeoutMs,
    async read() {
      try {
        await whileYoung(context, key, () => description.read(context, uuid, state));
        context.facts?.record({ is: "found", object: key });
        return "by a read";
      } catch (error) {
        return await contradictionTo(run, context, object, error);
      }
    },
    done: (by) => by === undefined,
    progress: () => `Waiting until the service no longer shows ${key}`,
  });
  if (shown instanceof UserError) throw shown;
  return shown === undefined;
}

/** The error if a list contradicts the 404 of a read. @throws UserError if the error is no 404, or means nothing. */
export async function contradictionTo(
  { description, session, memory }: ResourceRun,
  context: OperationContext,
  { uuid, state }: ManagedObject,
  error: unknown,
): Promise<UserError | undefined> {
  if (!(error instanceof NotFoundError)) throw explain(error);
  return await explained(async () => {
    await confirmDeleted(session, state[ORGANIZATION_PROPERTY], `${description.title} ${uuid}`);
    const target = { description, context, uuid, state };
    return await contradictionOf(target, error, memory.reads.evidenceFor(target));
  });
}
