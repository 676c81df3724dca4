/** Deletes an object: looks for its contents, sends the deletion, and waits until the service has carried it out. */
import { BadRequestError, ConflictError, NotFoundError } from "../../client/errors";
import { UserError } from "../../errors";
import { enumerated } from "../../values/phrases";
import type { OperationContext } from "../description";
import { ifFound } from "../evidence/lists";
import { whileYoung } from "../evidence/youth";
import { objectKey } from "../ledger/facts";
import { LONGEST_LAG_MS, pollUntil, repeatedly } from "../poll";
import { type Contents, contentsOf } from "./contents";
import { adviceFor, type DeletionTarget, subjectOf } from "./target";
import { waitUntilGone } from "./waitUntilGone";

/**
 * Deletes an object if the key and the run find no contents in it. It is not documented whether the service refuses to delete
 * an object with contents, or deletes the contents as well. @throws UserError if it has contents. @throws NotFoundError
 */
export async function deleteObject(context: OperationContext, target: DeletionTarget): Promise<void> {
  const { deletion } = target;
  const contents = await requireEmpty(context, target);
  if (contents.missingScopes.length > 0)
    context.report(
      `${subjectOf(target)} is deleted without looking for all of its contents, which the service may delete as well: the API key lacks ${enumerated(contents.missingScopes)}. Use a key that has them too.`,
      { persistent: true, warning: true },
    );
  try {
    await send(context, target);
  } catch (error) {
    const isConflict = error instanceof ConflictError;
    const isRefused = isConflict || error instanceof BadRequestError;
    const isMissing = error instanceof NotFoundError && deletion.isUnderWay !== undefined;
    if (!isRefused && !isMissing) throw error;
    // An earlier attempt may have been carried out, or one of an earlier run.
    const mayLag = error.effect === "unknown" || (isConflict && deletion.isUnderWay);
    const isUnderWay = await wasSentBefore(context, target, mayLag ? LONGEST_LAG_MS : 0);
    if (!isUnderWay) throw isConflict ? refusal(target, contents, error) : error;
  }
  if (deletion.timeoutMs !== undefined) await waitUntilGone(context, target, deletion.timeoutMs);
}

/** Sends the deletion. Repeated while the service may still count what this run has deleted in the object. */
async function send(context: OperationContext, target: DeletionTarget): Promise<void> {
  const { description, uuid, deletion } = target;
  const object = objectKey(description.title, uuid);
  // What was sent may take effect, so a stopped call looks for its result as well.
  const unstopped = { ...context, waits: context.signal };
  const attempt = async (isAgain: boolean) => {
    // The list may have lacked what the service does not delete.
    if (isAgain) await requireEmpty(context, target);
    await whileYoung(unstopped, object, () => deletion.send(context, uuid));
  };
  await repeatedly(context, attempt, {
    end: context.emptiedUntilMs ?? 0,
    isTemporary: (error) => error instanceof ConflictError,
    progress: `Waiting until the service has deleted what was in ${object}`,
  });
}

/** Whether the object is being deleted. A replica that is behind still shows the stage before. @throws NotFoundError */
async function wasSentBefore(
  context: OperationContext,
  target: DeletionTarget,
  timeoutMs: number,
): Promise<boolean> {
  const { description, uuid, state } = target;
  const { isUnderWay = () => false } = target.deletion;
  const object = objectKey(description.title, uuid);
  return await pollUntil(context, {
    timeoutMs,
    read: async () =>
      isUnderWay(await whileYoung(context, object, () => description.read(context, uuid, state))),
    done: (yes) => yes,
    progress: () => `${subjectOf(target)} may be being deleted. Waiting until the service shows it`,
  });
}

/** @throws UserError if the key or the run finds contents. */
async function requireEmpty(context: OperationContext, target: DeletionTarget): Promise<Contents> {
  const contents = await contentsBeforeDelete(context, target);
  const { present } = contents;
  if (present.length === 0) return contents;
  throw new UserError(
    `${subjectOf(target)} was not deleted because it still contains ${enumerated(present)}.${adviceFor(target, contents)}`,
  );
}

/**
 * The contents of an object that is deleted. Another run may just have deleted them, except what no resource is, so they are
 * listed again for as long as lists may lag. Lists of what is in an object that does not exist are not found either: then there
 * are none, and the response to the deletion shows whether the object exists. @throws UserError if a read finds it nevertheless.
 */
async function contentsBeforeDelete(context: OperationContext, target: DeletionTarget): Promise<Contents> {
  const { description, uuid, deletion } = target;
  const object = objectKey(description.title, uuid);
  const kinds = deletion.contents?.(context, uuid);
  if (kinds === undefined) return NO_CONTENTS;
  try {
    const poll = () =>
      pollUntil(context, {
        timeoutMs: LONGEST_LAG_MS,
        read: () => contentsOf(context, object, kinds),
        done: ({ present, howToDelete }) => present.length === 0 || howToDelete.length > 0,
        progress: ({ present }) => `${subjectOf(target)} still lists ${enumerated(present)}`,
      });
    return await whileYoung(context, object, poll);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    // The service may no longer list what is in an object that it is deleting.
    if (!(await isShown(context, target))) return NO_CONTENTS;
    throw new UserError(
      `${error.message}\nHowever, reading ${object} finds it, so it is not known what it contains. It was not deleted. Run this again later.`,
      { cause: error },
    );
  }
}

const NO_CONTENTS: Contents = { present: [], missingScopes: [], howToDelete: [] };

/** Whether a read finds an object that is not being deleted. */
async function isShown(
  context: OperationContext,
  { description, uuid, state, deletion }: DeletionTarget,
): Promise<boolean> {
  const found = await ifFound(description.read(context, uuid, state));
  return found !== undefined && deletion.isUnderWay?.(found) !== true;
}

/** The error if the service refuses to delete an object in which nothing was found. */
function refusal(target: DeletionTarget, contents: Contents, cause: ConflictError): UserError {
  const { description, deletion } = target;
  const found =
    deletion.contents === undefined ? "" : `\nThe API key finds nothing in the ${description.title}.`;
  return new UserError(`${cause.message}${found}${adviceFor(target, contents)}`, { cause });
}
