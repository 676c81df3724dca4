/** Waits until a deletion that the service has accepted is over. */
import { NotFoundError } from "../../client/errors";
import { UserError } from "../../errors";
import type { OperationContext } from "../description";
import { type Absence, confirmAbsence, type Missing, requireGone } from "../evidence/absence";
import { youngUntilMs } from "../evidence/youth";
import { objectKey } from "../ledger/facts";
import { pollUntil } from "../poll";
import { type DeletionTarget, subjectOf } from "./target";

/** What a read shows: the stage of the object, or what its 404 means. */
type Look = { readonly is: "shown"; readonly stage: string } | Missing;

/**
 * Waits until reads no longer show the object. Each replica has had an object that is old, so the first 404 shows that it is gone.
 * One that is young must be missing in a read and a list that were requested after its youth: see docs/internals/service.md.
 * @throws UserError after the time limit: the object stays in the state.
 */
export async function waitUntilGone(
  context: OperationContext,
  target: DeletionTarget,
  timeoutMs: number,
): Promise<void> {
  const { description, uuid, state } = target;
  const { clock, facts } = context;
  const endOfYouthMs = youngUntilMs(facts, objectKey(description.title, uuid));
  const last = await pollUntil<Look>(context, {
    timeoutMs,
    async read(patient) {
      const isYoung = clock.now() < endOfYouthMs;
      try {
        const { lifecycle = "there" } = await description.read(patient, uuid, state);
        return { is: "shown", stage: lifecycle };
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        if (isYoung) return { is: "shown", stage: "not found, but new" };
        const isOld = endOfYouthMs === -Infinity;
        const absence: Absence = isOld
          ? { is: "gone" }
          : await confirmAbsence({ ...target, context: patient });
        return { ...absence, notFound: error };
      }
    },
    done: ({ is }) => is === "gone" || is === "unconfirmed",
    progress: (look) =>
      `${subjectOf(target)} is ${look.is === "shown" ? look.stage : "not found, but listed"}, waiting until it is deleted`,
  });
  if (last.is !== "shown") return requireGone(target, last.notFound, last);
  throw new UserError(
    `${subjectOf(target)} is still ${context.client.sanitized(last.stage)} after ${timeoutMs / 60_000} minutes of waiting for its deletion. It remains in the state. Run this again later.`,
  );
}
