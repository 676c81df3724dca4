/** Decides whether a 404 of an object of the state means that it was deleted. */
import { NotFoundError } from "../../client/errors";
import type { UserError } from "../../errors";
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
 * Whether the object of a state was certainly deleted.
 *
 * @param timeoutMs how long reads, and then lists, may still contain it. Default: none.
 */
export async function isDeleted(
  run: ResourceRun,
  context: OperationContext,
  object: ManagedObject,
  timeoutMs = 0,
): Promise<boolean> {
  const { description } = run;
  const { uuid, state } = object;
  const known = objectKey(description.title, uuid);
  let error: unknown;
  const isFound = await pollUntil(context, {
    timeoutMs,
    async read() {
      try {
        await whileYoung(context, known, () => description.read(context, uuid, state));
        context.facts?.record({ is: "found", object: known });
        return true;
      } catch (reason) {
        error = reason;
        return false;
      }
    },
    done: (found) => !found,
    progress: () => `Waiting until reads no longer find ${description.title} ${uuid}`,
  });
  if (!isFound) await requireDeleted(run, context, object, error, timeoutMs);
  return !isFound;
}

/**
 * Confirms that an error means that the object was deleted.
 *
 * @param timeoutMs how long lists may contain it. Default: none.
 * @throws UserError if the object may still exist.
 */
export async function requireDeleted(
  { description, session, memory }: ResourceRun,
  context: OperationContext,
  { uuid, state }: ManagedObject,
  error: unknown,
  timeoutMs = 0,
): Promise<void> {
  if (!(error instanceof NotFoundError)) throw explain(error);
  const subject = `${description.title} ${uuid}`;
  await explained(async () => {
    await confirmDeleted(session, state[ORGANIZATION_PROPERTY], subject);
    const target = { description, context, uuid, state };
    let contradiction: UserError | undefined;
    await pollUntil(context, {
      timeoutMs,
      async read() {
        contradiction = await contradictionOf(target, error, memory.reads.evidenceFor(target));
        return contradiction === undefined;
      },
      done: (isGone) => isGone,
      progress: () => `Waiting until lists no longer contain ${subject}`,
    });
    if (contradiction !== undefined) throw contradiction;
  });
}
