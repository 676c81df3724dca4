/** Creates an object exactly once. If the response is lost, a second request could create another one, so the service's list decides. */
import { ClientError, ConflictError } from "../../client/errors";
import { reasonOf, UserError } from "../../errors";
import { addsObject } from "../creates";
import type { Found, OperationContext } from "../description";
import { recording } from "../evidence/lists";
import { recordNew, whileYoung } from "../evidence/youth";
import { isResultOf, mayCreate } from "../ledger/decisions";
import { createKey, identified, objectKey, parentIn, projectKey } from "../ledger/facts";
import { LONGEST_LAG_MS, repeatedly } from "../poll";
import { type Properties, sortedJson } from "../properties";
import { resourceKey } from "../run/checkedResources";
import type { Creation, Loss } from "../run/creation";
import type { ResourceRun } from "../run/runContext";
import type { RunMemory } from "../run/runMemory";
import { createdSince, readBaseline, reportLeftovers } from "./baseline";
import { explainConflict } from "./conflict";
import { findLost, LostCreateError } from "./lostResponse";
import { equals, type Wanted } from "./wanted";

export interface Created {
  readonly found: Found;
  /** Whether an earlier call has created it, so that it may not have the declared values. */
  readonly isResumed: boolean;
  /** Records that the engine does not get the object. */
  failed(error: unknown): void;
}

/**
 * Creates an object, and finds it in the service's list if the response was lost. Called again, it continues. Creates whose
 * objects could be confused are serialized.
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
  const wanted: Wanted = { description, context, inputs };
  // A create that adds no object can be repeated.
  if (!addsObject(description)) return { found: await createInParent(wanted), isResumed: false, failed() {} };
  const values = uniqueBy === undefined ? sortedJson(inputs) : inputs[uniqueBy];
  const key = createKey(title, [context.organizationId, values]);
  return await memory.exclusively(key, async () => {
    const shared = resourceKey(run, { inputs });
    const resource = memory.checkedNew.only(shared) ?? run.urn;
    const earlier = [...memory.creations.values()].filter((creation) => creation.resourceKey === shared);
    const answer = mayCreate(earlier, resource !== undefined);
    if (answer.is === "fail")
      throw resource === undefined ? blocked(title, answer.create) : answer.create.failure;
    if (answer.is === "resume") return resume(memory, wanted, answer.create);
    const baseline = await readBaseline(wanted, memory);
    return await createRecorded(memory, wanted, {
      by: identified(resource),
      resourceKey: shared,
      key,
      inputs,
      baseline,
    });
  });
}

/** Creates the object, and records that in the facts and for calls that repeat this one. */
async function createRecorded(memory: RunMemory, wanted: Wanted, creation: Creation): Promise<Created> {
  const { by, key, baseline } = creation;
  const { ledger, creations } = memory;
  ledger.record({ is: "creating", object: key, by });
  creations.set(by, creation);
  const found = await createOrFind(memory, wanted, creation).catch(async (error: unknown) => {
    throw await recordFailure(memory, wanted, creation, error);
  });
  const { description, context, inputs } = wanted;
  const object = objectKey(description.title, found.uuid);
  // In this order: as long as its create is open, no other one takes the object for its own.
  ledger.record({ is: "created", object, by, parent: parentIn(description, inputs) });
  recordNew(context, object);
  ledger.record({ is: "created", object: key, by });
  // Not before the create: by now, the engine has shown more of the stack's objects.
  reportLeftovers(wanted, memory, { listed: baseline.listed, created: found });
  return { ...remember(memory, { ...creation, found }, found), isResumed: false };
}

/** Creates the object, and looks for it if the effect of the request is unknown. @throws ClientError if it had none. */
async function createOrFind(memory: RunMemory, wanted: Wanted, creation: Creation): Promise<Found> {
  const answer = await sendCreate(memory, wanted, creation);
  if ("uuid" in answer) return answer;
  const found = await findLost(wanted, memory, creation, answer);
  const { description, inputs } = wanted;
  const object = objectKey(description.title, found.uuid);
  const parent = parentIn(description, inputs);
  memory.ledger.record({ is: "recovered", object, by: creation.by, parent });
  return found;
}

/** Sends the create. Resolves with the object, or with why the effect is unknown. @throws ClientError if it had none. */
async function sendCreate(memory: RunMemory, wanted: Wanted, { by, key }: Creation): Promise<Found | Loss> {
  const { description, context } = wanted;
  const { title } = description;
  const recorded = recording(context);
  try {
    const found = await createWhereDeleted(memory, { ...wanted, context: recorded.context }, key);
    const object = objectKey(title, found.uuid);
    const answer = isResultOf(memory.ledger, { object, by, fits: fitsOf(memory, wanted, found) });
    if (answer.is === "yes") return found;
    const why = answer.because.is === "creating" ? "another resource of this run creates" : "existed before";
    const what = `The response to creating the ${title} is about ${title} ${found.uuid}, which ${why}`;
    return {
      cause: new UserError(`${what} (request ${recorded.requestId()}).`),
      what: `${what}.`,
      named: [found.uuid],
    };
  } catch (error) {
    if (!(error instanceof ClientError) || error.effect !== "unknown") throw error;
    return { cause: error, what: `The response to creating the ${title} was lost.`, named: [] };
  }
}

/** Creates what a resource declares. Repeated after a 404 while its parent is young, because a replica may lack that. */
async function createInParent({ description, context, inputs }: Wanted): Promise<Found> {
  const parent = projectKey(description, inputs);
  return await whileYoung(context, parent, () => description.create(context, inputs));
}

/** Creates the object. Repeated after a conflict if this run has deleted an object with the same unique input. */
async function createWhereDeleted({ ledger }: RunMemory, wanted: Wanted, key: string): Promise<Found> {
  const { context } = wanted;
  const isFreed = ledger.has(key, "deleted");
  return await repeatedly(context, () => createInParent(wanted), {
    end: context.clock.now() + LONGEST_LAG_MS,
    isTemporary: (error) => isFreed && error instanceof ConflictError && error.effect === "none",
  });
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
  const others = [...creations.values()].filter((creation) => equals(creation.inputs, found));
  return others.map(({ key }) => key);
}

/** Records that a create has failed, and returns its error: called again, the create fails alike. */
async function recordFailure(
  memory: RunMemory,
  wanted: Wanted,
  creation: Creation,
  error: unknown,
): Promise<unknown> {
  const { by, key, baseline } = creation;
  const hasNoEffect = error instanceof ClientError && error.effect === "none";
  if (hasNoEffect) memory.ledger.record({ is: "notCreated", object: key, by });
  const isCreatedSince = createdSince(baseline, wanted.context);
  const isConflict = hasNoEffect && error instanceof ConflictError;
  const failure = isConflict ? await explainConflict(memory, wanted, error, { by, isCreatedSince }) : error;
  memory.creations.set(by, { ...creation, failure });
  // A conflict itself says which object has the name, and another error lists equal objects.
  const named = failure instanceof LostCreateError ? failure.named : [];
  const listed = baseline.listed?.filter(({ uuid }) => !named.includes(uuid));
  if (!isConflict) reportLeftovers(wanted, memory, { listed, created: undefined });
  return failure;
}

/** Continues a create that the engine has called again. */
function resume(
  memory: RunMemory,
  { context, description: { title } }: Wanted,
  creation: Creation & { readonly found: Found },
): Created {
  const { found } = creation;
  context.report(
    `Pulumi has called the create of this ${title} again, for example because of a hook. The first call created ${title} ${found.uuid}, so this one continues with it and creates nothing.`,
    { persistent: true },
  );
  return { ...remember(memory, { ...creation, failure: undefined }, found), isResumed: true };
}

function remember({ creations }: RunMemory, creation: Creation, found: Found): Omit<Created, "isResumed"> {
  creations.set(creation.by, creation);
  return { found, failed: (failure) => void creations.set(creation.by, { ...creation, failure }) };
}

/** The error if equal resources cannot be told apart, and it is not known whose create is called. */
function blocked(title: string, { failure, found }: Creation): UserError {
  const object = found === undefined ? "" : ` It created ${title} ${found.uuid}.`;
  return new UserError(
    `The program declares several equal ${title}s, and creating one of them failed in this run, so no other one is created: it could be the same one again.${object}\n${reasonOf(failure)}`,
    { cause: failure },
  );
}
