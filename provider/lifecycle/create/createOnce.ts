/**
 * Creates an object exactly once, even if the response is lost or the engine calls the create again.
 *
 * If the response to a create is lost, the object may or may not have been created. Sending the request again could
 * create a second object, so the service's list decides instead.
 */
import { randomUUID } from "node:crypto";
import { ClientError, ConflictError } from "../../client/errors";
import { reasonOf, UserError } from "../../errors";
import type { Found, OperationContext } from "../description";
import { isResultOf, mayCreate } from "../ledger/decisions";
import { createKey, objectKey, UNIDENTIFIED } from "../ledger/facts";
import { type Properties, sortedJson, withoutNulls } from "../properties";
import type { Creation, Loss, Progress } from "../run/creation";
import type { ResourceRun } from "../run/runContext";
import type { RunMemory } from "../run/runMemory";
import { beforeCreate, probablyCreatedSince, reportLeftovers } from "./before";
import { explainConflict } from "./conflict";
import { findLost, LookupError } from "./lostResponse";
import { equals, type Wanted } from "./wanted";

/** The object of a create. */
export interface Created {
  readonly found: Found;
  /** Whether an earlier call has created it, so that it may not have the declared values. */
  readonly isResumed: boolean;
  /** Records whether the engine gets the object. */
  end(outcome: "returned" | "created"): void;
}

/**
 * Creates an object, and finds it in the service's list if the response was lost. Called again, it continues.
 *
 * Creates whose objects could be confused are serialized, so that none of them mistakes the object of another one for
 * its own.
 *
 * @throws UserError that lists the objects which may be the created one, or which have the same unique input.
 */
export async function createOnce(
  run: ResourceRun,
  context: OperationContext,
  inputs: Properties,
): Promise<Created> {
  const { description, memory } = run;
  const { title, uniqueBy } = description;
  // A create that adds no object can be repeated.
  if (description.idOf !== undefined)
    return { found: await description.create(context, inputs), isResumed: false, end() {} };
  const wanted: Wanted = { description, context, inputs };
  const values = uniqueBy === undefined ? sortedJson(inputs) : inputs[uniqueBy];
  const key = createKey(title, [context.organizationId, values]);
  return await memory.exclusively(key, async () => {
    const { id, resources } = creatorOf(run, inputs);
    const creations = memory.creations.get(id) ?? [];
    const earlier = creations.map((creation) => ({ creation, outcome: creation.progress.outcome }));
    const answer = mayCreate(earlier, resources?.length);
    if (answer.is === "unknown") throw unfinished(title, answer.create.creation);
    if (answer.is === "resume") return await resumed(memory, wanted, answer.create.creation);
    const before = await beforeCreate(wanted, memory);
    const by = resources?.length === 1 ? String(resources[0]) : `${UNIDENTIFIED}${randomUUID()}`;
    memory.ledger.record({ is: "creating", object: key, by });
    const creation: Creation = { by, key, inputs, before, progress: { outcome: "under way" } };
    memory.creations.set(id, [...creations, creation]);
    return await sent(memory, wanted, creation);
  });
}

/** What identifies the resource that is created, and which resources it may be, if that is known. */
function creatorOf(
  { description: { title }, urn, memory }: ResourceRun,
  inputs: Properties,
): { readonly id: string; readonly resources: readonly string[] | undefined } {
  if (urn !== undefined) return { id: urn, resources: [urn] };
  const id = creatorKey(title, inputs);
  const resources = memory.callers.creatorsOf(id);
  return { id, resources: resources.length === 0 ? undefined : resources };
}

/** What the check and the create of a resource have in common on a host that passes no URN. */
export function creatorKey(title: string, inputs: Properties): string {
  return `${title} ${sortedJson(withoutNulls(inputs))}`;
}

/** Sends the create. If its effect is unknown, looks for the object. */
async function sent(memory: RunMemory, wanted: Wanted, creation: Creation): Promise<Created> {
  try {
    const found = await resultOrLoss(memory, wanted, creation);
    if ("uuid" in found) return created(memory, wanted, creation, found);
    creation.progress = { outcome: "unknown", lost: found };
    return await foundAgain(memory, wanted, creation, found);
  } catch (error) {
    creation.progress = { ...creation.progress, ...(await failed(memory, wanted, creation, error)) };
    throw creation.progress.failure;
  } finally {
    // Not before the create: by now, the engine has shown more of the stack's objects. A conflict names them itself.
    const { outcome, failure, found } = creation.progress;
    const isExplained = outcome === "rejected" && (failure as Error).cause instanceof ConflictError;
    if (!isExplained) reportLeftovers(wanted, memory, { listed: creation.before.listed, created: found });
  }
}

/** How a create ends after an error. */
async function failed(
  { ledger }: RunMemory,
  wanted: Wanted,
  { by, key, before }: Creation,
  error: unknown,
): Promise<Progress> {
  if (!(error instanceof ClientError) || error.effect !== "none")
    return { outcome: "unknown", failure: error };
  ledger.record({ is: "notCreated", object: key, by });
  if (!(error instanceof ConflictError)) return { outcome: "rejected", failure: error };
  const isCreatedSince = probablyCreatedSince(before, wanted.context);
  return { outcome: "rejected", failure: await explainConflict(wanted, error, { isCreatedSince }) };
}

/** Sends the create. @throws ClientError if it had no effect. */
async function resultOrLoss(memory: RunMemory, wanted: Wanted, { by }: Creation): Promise<Found | Loss> {
  const { description, context, inputs } = wanted;
  const { title } = description;
  let requestId = "";
  const client = context.client.withOptions({
    onRequest(id) {
      requestId = id;
    },
  });
  try {
    const found = await description.create({ ...context, client }, inputs);
    const object = objectKey(title, found.uuid);
    const answer = isResultOf(memory.ledger.facts(), { object, by, fits: fitsOf(memory, wanted, found) });
    if (answer.is === "yes") return found;
    const why = answer.because.is === "creating" ? "another resource of this run creates" : "existed before";
    const what = `The response to creating the ${title} is about ${title} ${found.uuid}, which ${why}`;
    return { cause: new UserError(`${what} (request ${requestId}).`), what: `${what}.` };
  } catch (error) {
    if (!(error instanceof ClientError) || error.effect !== "unknown") throw error;
    return { cause: error, what: `The response to creating the ${title} was lost.` };
  }
}

/** The creates that send the values of an object, if the given one does not. */
function fitsOf(
  { creations }: RunMemory,
  { description: { title, uniqueBy }, context: { organizationId }, inputs }: Wanted,
  found: Found,
): readonly string[] {
  if (uniqueBy !== undefined) {
    const value = found.properties[uniqueBy];
    return value === inputs[uniqueBy] ? [] : [createKey(title, [organizationId, value])];
  }
  if (equals(inputs, found)) return [];
  const others = [...creations.values()].flat().filter((creation) => equals(creation.inputs, found));
  return others.map(({ key }) => key);
}

/** Looks for the object of a create whose effect is unknown. */
async function foundAgain(
  memory: RunMemory,
  wanted: Wanted,
  creation: Creation,
  lost: Loss,
): Promise<Created> {
  const { by } = creation;
  const found = await findLost(wanted, memory, { ...creation, ...lost });
  const object = objectKey(wanted.description.title, found.uuid);
  memory.ledger.record({ is: "recovered", object, by });
  return created(memory, wanted, creation, found);
}

/** Records the object of a create. */
function created(
  { ledger }: RunMemory,
  { description: { title } }: Wanted,
  creation: Creation,
  found: Found,
): Created {
  const { by, key } = creation;
  creation.progress = { outcome: "under way", found };
  // The object exists and must be saved. In this order: as long as its create is open, no other one takes it for its own.
  ledger.record({ is: "created", object: objectKey(title, found.uuid), by });
  ledger.record({ is: "created", object: key, by });
  return {
    found,
    isResumed: false,
    end(outcome) {
      creation.progress = { outcome, found };
    },
  };
}

/** Continues a create that the engine has called again. */
async function resumed(memory: RunMemory, wanted: Wanted, creation: Creation): Promise<Created> {
  const { title } = wanted.description;
  const { found, lost, failure } = creation.progress;
  if (found !== undefined) {
    wanted.context.report(
      `Pulumi has called the create of this ${title} again, for example because of a hook. The first call created ${title} ${found.uuid}, so this one continues with it and creates nothing.`,
      { persistent: true },
    );
    return { ...created(memory, wanted, creation, found), isResumed: true };
  }
  if (lost === undefined) throw failure;
  try {
    return await foundAgain(memory, wanted, creation, lost);
  } catch (error) {
    // The earlier error may list what may be the object.
    if (error instanceof LookupError) throw failure;
    creation.progress = { ...creation.progress, failure: error };
    throw error;
  }
}

/** The error if equal resources cannot be told apart, and it is not known whose create is called. */
function unfinished(title: string, { progress: { outcome, failure, found } }: Creation): UserError {
  const several = `The program declares several equal ${title}s`;
  if (outcome === "returned")
    return new UserError(
      `${several}. All of them are created, and Pulumi has called the create of one of them again.`,
    );
  const object = found === undefined ? "" : ` It created ${title} ${found.uuid}.`;
  const reason = failure === undefined ? "" : `\n${reasonOf(failure)}`;
  return new UserError(
    `${several}, and creating one of them failed in this run, so no other one is created: it could be the same one again.${object}${reason}`,
    { cause: failure },
  );
}
