import { NotFoundError } from "../../client/errors";
import { UserError } from "../../errors";
import { capitalized } from "../../values/phrases";
import { existsInService } from "../creates";
import { deleteObject } from "../delete/deleteObject";
import { explain } from "../explain";
import { ADOPTED_PROPERTY } from "../hiddenProperties";
import { mayDelete } from "../ledger/decisions";
import { createKey, type FactKind, objectKey, projectKey, resourceOf } from "../ledger/facts";
import { LONGEST_LAG_MS } from "../poll";
import type { Properties } from "../properties";
import { contextFor, type ResourceRun } from "../run/runContext";
import type { ManagedObject } from "../state";
import { isDeleted } from "./deleted";
import { fixedIn } from "./replacement";
import { writing } from "./write";

/** Deletes the object of a removed entry, if it still exists. `keptBecause` says as a clause why the host keeps it. */
export async function remove(
  run: ResourceRun,
  { uuid, state, keptBecause }: ManagedObject & { readonly keptBecause?: string | undefined },
): Promise<void> {
  const { description, session, urn: by, clock, memory } = run;
  const { title, uniqueBy, deletion } = description;
  const subject = `${title} ${uuid}`;
  const reason = keptBecause ?? reasonToKeep(run, uuid, state);
  const context = await contextFor(run, { uuid, state });
  if (reason !== undefined) {
    run.report(`${capitalized(subject)} is kept, because ${reason}.`, { persistent: true });
    return;
  }
  if (deletion === undefined) return;
  const { shows } = deletion;
  const name = shows && session.client.sanitized(String(state[shows]));
  try {
    await writing(run, () => deleteObject(context, { description, deletion, uuid, state, name }));
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw explain(error);
    // Replicas may be behind a deletion whose response was lost, or that someone has just done in the console.
    // The deletion was sent, so a stopped call looks for its result as well.
    const unstopped = { ...context, waits: context.signal };
    if (!(await isDeleted(run, unstopped, { uuid, state }, LONGEST_LAG_MS)))
      throw new UserError(
        `${error.message}\nHowever, reading ${subject} finds it, so it stays in the state. Run this again later.`,
        { cause: error },
      );
  }
  // Lists, names and conflicts may show it for a while.
  const { ledger, emptiedUntilMs } = memory;
  const unique = uniqueBy === undefined ? [] : [createKey(title, [context.organizationId, state[uniqueBy]])];
  for (const object of [objectKey(title, uuid), ...unique]) ledger.record({ is: "deleted", object, by });
  emptiedUntilMs.set(projectKey(description, state), clock.now() + LONGEST_LAG_MS);
}

/** Why the object of a removed entry stays, as a clause. */
function reasonToKeep(
  { description, memory, session, urn }: ResourceRun,
  uuid: string,
  state: Properties,
): string | undefined {
  const { title, replaceOnChanges } = description;
  if (!existsInService(description)) return undefined;
  const object = objectKey(title, uuid);
  const answer = mayDelete(memory.ledger, {
    object,
    by: urn,
    isCreated: state[ADOPTED_PROPERTY] !== uuid,
    fixed: fixedIn(replaceOnChanges, state),
  });
  if (answer.is === "yes") return undefined;
  if (answer.because.object !== object)
    return `the resource now imports ${answer.because.object.split(" ").at(-1)}. If you no longer need it, delete it in the service`;
  return `${KEPT_FOR[answer.because.is]?.(resourceOf(answer.because, session.client.sanitized))}. Only the removed entry is deleted from the state`;
}

/** The reasons to keep an object, by the kinds of facts, as clauses. */
const KEPT_FOR: Readonly<Partial<Record<FactKind, (resource: string) => string>>> = {
  adopting: (resource) => `${resource} imports it`,
  adoptedBefore: (resource) => `${resource} has imported it`,
  declared: (resource) => `${resource} manages it`,
  created: (resource) => `this run has created it for ${resource}`,
  recovered: (resource) => `this run has created it for ${resource}`,
};
