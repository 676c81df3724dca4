/**
 * Creates an object exactly once, even if the response is lost.
 *
 * If the response to a create is lost, the object may or may not have been created. Sending the request again could
 * create a second object, so the service's list decides instead.
 *
 * The service's clock does not suffice to tell what is new: its `Date` header may be behind. If the process is killed,
 * nobody is left to look. So the list is also read before the first create: what it contains then is not the result of a
 * create of this run, and may be what an earlier run left behind.
 */
import { ClientError, ConflictError } from "../../client/errors";
import { reasonOf, UserError } from "../../errors";
import { capitalized } from "../../shapes/words";
import type { Found, OperationContext, ResourceDescription } from "../description";
import { declaredPart, differences, type Properties } from "../properties";
import { unlessUnusable } from "../run/marks";
import type { ResourceRun } from "../run/runContext";
import { objectKey, type RunMemory } from "../run/runMemory";
import { beginCreate, type CreateAttempt, isTaken } from "./createAttempt";

/** The pauses before each read of the list after a lost response. An object may be listed with a delay. */
const LIST_PAUSES_MS = [0, 1_000, 2_000, 4_000];

/** The resolution of `Date` headers. */
const DATE_RESOLUTION_MS = 1_000;

/** What distinguishes the result of a create from other objects. */
interface Before {
  /** The service's time before the create. Undefined if its responses have no `Date` header. */
  readonly time: Date | undefined;
  /** The UUIDs that the service listed before the create. Undefined if its list could not be read. */
  readonly listed?: ReadonlySet<string>;
}

/** An object that the program declares, as functions that send requests about it need it. */
interface Wanted {
  readonly description: ResourceDescription;
  readonly context: OperationContext;
  readonly inputs: Properties;
}

/** An object that is created. */
interface Creation extends Wanted {
  readonly memory: RunMemory;
}

/**
 * Creates an object, and finds it in the service's list if the response was lost.
 *
 * Creates whose objects could be confused are serialized, so that none of them mistakes the object of another one for
 * its own.
 *
 * @throws UserError that lists the objects which may be the created one, or which have the same unique input.
 */
export async function createOnce(
  { description, memory, urn }: ResourceRun,
  context: OperationContext,
  inputs: Properties,
): Promise<Found> {
  const { title, uniqueBy } = description;
  // A create that adds no object can be repeated.
  if (description.creates !== "object") return await description.create(context, inputs);
  const creation: Creation = { description, memory, context, inputs };
  const { organizationId } = context;
  const key = JSON.stringify([title, organizationId, uniqueBy === undefined ? inputs : inputs[uniqueBy]]);
  return await memory.exclusively(key, async () => {
    const present = await listedBefore(creation);
    const before: Before = {
      time: context.client.serviceTime(),
      ...(present && { listed: new Set(present.map(({ uuid }) => uuid)) }),
    };
    const attempt = beginCreate(description, memory, key);
    let isExplained = false;
    let created: Found | undefined;
    try {
      created = await description.create(context, inputs);
      return attempt.created(created);
    } catch (error) {
      if (error instanceof ClientError && error.effect === "unknown") {
        const found = await findLost(creation, { before, cause: error, attempt });
        hold(memory, objectKey(title, found.uuid), urn);
        return attempt.created(found);
      }
      if (error instanceof ClientError) attempt.failed();
      if (!(error instanceof ConflictError)) throw error;
      isExplained = true;
      throw await explainConflict(creation, error, { isNew: isProbablyNewSince(before, context) });
    } finally {
      // Not before the create: by now, the engine has shown more of the stack's objects.
      if (!isExplained) reportLeftovers(creation, created, present ?? []);
    }
  });
}

/** Records that a resource has an object that it may not have created. No other entry of the state deletes it. */
function hold({ held, recovered, recoveredBy }: RunMemory, object: string, urn: string | undefined): void {
  recoveredBy.set(object, urn);
  // The object must be saved, even if other processes cannot see the marks.
  for (const marks of [held, recovered]) unlessUnusable(() => marks.add(object));
}

/**
 * Requires that no create of this run has adopted the object of a resource, after its response was lost: both would
 * have the same object.
 *
 * @throws UserError with both resources.
 */
export function requireOwn({ description: { title }, memory, urn }: ResourceRun, uuid: string): void {
  const key = objectKey(title, uuid);
  // A resource is not compared in the run that creates its object.
  if (!unlessUnusable(() => memory.recovered.has(key))) return;
  const other = memory.recoveredBy.get(key) ?? "another resource with the same properties";
  throw new UserError(
    [
      `${capitalized(title)} ${uuid} of ${urn ?? "this resource"} was adopted by ${other} in this run, because the response to its create was lost and this object was found instead. Both are in the state now.`,
      "Remove the other resource from the state, and run `pulumi up` again, which creates an object for it:",
      `  pulumi state delete "${memory.recoveredBy.get(key) ?? "<URN>"}"`,
      "`pulumi stack --show-urns --show-ids` lists both.",
    ].join("\n"),
  );
}

/**
 * The objects that the service lists in a project before this run creates the first one there. Undefined, with a message,
 * if they cannot be listed.
 */
async function listedBefore(creation: Creation): Promise<readonly Found[] | undefined> {
  const { description, context, inputs } = creation;
  const { presentBefore, created } = creation.memory;
  const { title, parentId } = description;
  const project = parentId === undefined ? "" : String(inputs[parentId]);
  // An earlier run cannot have left anything in a project that this run has created.
  if (unlessUnusable(() => created.has(objectKey("project", project)))) return [];
  // A process can have keys of several organizations.
  const key = JSON.stringify([title, context.organizationId, project]);
  const present =
    presentBefore.get(key) ??
    listOf(creation).catch((error: unknown) => {
      if (context.signal.aborted) {
        presentBefore.delete(key);
        throw error;
      }
      const reason = reasonOf(error);
      context.report(`It could not be checked whether an interrupted run left ${title}s behind: ${reason}`, {
        persistent: true,
      });
      return undefined;
    });
  presentBefore.set(key, present);
  try {
    return await present;
  } catch {
    context.signal.throwIfAborted();
    // The create that had requested the list was cancelled, and this one was not.
    return await listedBefore(creation);
  }
}

async function listOf({ description, context, inputs }: Wanted): Promise<Found[]> {
  if (description.list === undefined) throw new Error(`The service has no list of ${description.title}s.`);
  return await description.list(context, inputs);
}

/**
 * Reports objects that an earlier create of the declared one may have created, and that the run does not know. Each of
 * them is reported once. An object with the same unique input counts, because the program may have changed the others.
 * So does one with the properties that the service has given the created object, if it has changed the declared ones.
 */
function reportLeftovers(
  { description: { title, uniqueBy }, memory, context: { report, client }, inputs }: Creation,
  created: Found | undefined,
  present: readonly Found[],
): void {
  const forms = [inputs, ...(created ? [declaredPart(inputs, created.properties)] : [])];
  const isSame = (found: Found) =>
    forms.some((form) =>
      uniqueBy === undefined ? equals(form, found) : found.properties[uniqueBy] === form[uniqueBy],
    );
  const leftovers = present.filter((found) => isSame(found) && !isTaken(memory, title, found.uuid));
  if (leftovers.length === 0) return;
  for (const { uuid } of leftovers) memory.known.add(objectKey(title, uuid));
  report(
    [
      `The service already had ${title}s with the declared ${uniqueBy ?? "properties"}, and no resource that this run has processed so far manages them:`,
      ...linesFor(client.sanitized(leftovers)),
      "An interrupted run may have left them behind. Otherwise another stack manages them, a resource that this run processes later, or one that it replaces by force. Delete in the service what is left over, or adopt it: declare it as another resource with that option.",
    ].join("\n"),
    { persistent: true },
  );
}

/** A create whose response was lost. */
interface LostCreate {
  readonly before: Before;
  readonly cause: ClientError;
  readonly attempt: CreateAttempt;
}

async function findLost(creation: Creation, { before, cause, attempt }: LostCreate): Promise<Found> {
  const { description, memory, context, inputs } = creation;
  const { title, uniqueBy } = description;
  const isNew = isNewSince(before, context);
  let candidates: readonly Found[] = [];
  let equal: readonly Found[] = [];
  let isOnly = false;
  context.report(`The response to creating the ${title} was lost. Looking for it in the service's list`);
  for (const pauseMs of LIST_PAUSES_MS) {
    if (pauseMs > 0) await context.clock.sleep(pauseMs, context.signal);
    const recent = (await listedAfter(creation, cause)).filter((found) => isNew(found) !== false);
    // In this order: another process records what it has created before it ends its create.
    isOnly = attempt.isOnly();
    candidates = recent.filter(({ uuid }) => !isTaken(memory, title, uuid));
    equal = candidates.filter((found) => equals(inputs, found));
    if (equal.length > 0) break;
  }
  const [only] = equal;
  if (only !== undefined && equal.length === 1 && uniqueBy !== undefined && isOnly && isNew(only)) {
    context.report(
      `The response to creating the ${title} was lost. The service lists exactly one ${title} with the declared properties that was created since then: ${only.uuid}. Adopted it.`,
      { persistent: true },
    );
    return only;
  }
  const lines =
    equal.length > 0
      ? nextSteps(description, context.client.sanitized(equal), equal.every(isNew))
      : withoutCandidates(
          description,
          context.client.sanitized(candidates.filter(isProbablyNewSince(before, context))),
        );
  throw new UserError([cause.message, ...lines].join("\n"), { cause });
}

function nextSteps({ title }: ResourceDescription, equal: readonly Found[], areNew: boolean): string[] {
  return [
    areNew
      ? `It may have been created nevertheless: ${title}s with the same properties cannot be told apart. Created since then:`
      : `It may have been created nevertheless. The Date header of the service's responses is missing or behind, so it is unknown whether one of these, which have the same properties, was created since then:`,
    ...linesFor(equal),
    `Before you run \`pulumi up\` again, adopt the one that belongs to this stack with that option, or delete it.`,
  ];
}

/** The lines of the error if no equal object is listed. It may be listed later, or the service may have changed it. */
function withoutCandidates({ title }: ResourceDescription, others: readonly Found[]): string[] {
  const unknown = `It is unknown whether the ${title} was created; the service does not list it.`;
  const look = `Before you run \`pulumi up\` again, which may create another one, check whether the service lists it now. If it does, adopt it with the option import.`;
  if (others.length === 0) return [unknown, look];
  return [
    `${unknown} Created since then, with other properties:`,
    ...linesFor(others),
    look,
    `If the service has changed the properties of the ${title}, one of those may be it: declare the changed properties to adopt it.`,
  ];
}

/** What a conflict is explained with. */
interface ConflictOptions {
  /** Whether an object was created since the attempt. Default: none is reported for that reason. */
  isNew?(found: Found): boolean;
  /** What to do about an object that has the unique input, as sentences that follow its UUID. */
  advice?(uuid: string): string;
}

/** Converts a conflict to an error that reports which object already has the unique input. */
export async function explainConflict(
  { description, context, inputs }: Wanted,
  cause: ConflictError,
  {
    isNew = () => false,
    advice = (uuid) =>
      `To manage that one, ${importLine(uuid)}. If this stack manages it under another name, add the option \`aliases\` instead; if this run replaces it, the option \`deleteBeforeReplace\`.`,
  }: ConflictOptions = {},
): Promise<UserError> {
  const { title, uniqueBy } = description;
  if (uniqueBy === undefined) return new UserError(cause.message, { cause });
  const wanted = inputs[uniqueBy];
  let among: readonly Found[] = [];
  let unseen = `The API key finds no ${title} in this organization that uses the ${uniqueBy}; one that it cannot read may use it. Choose another ${uniqueBy}.`;
  try {
    among = (await (description.uniqueAmong ?? description.list)?.(context, inputs)) ?? [];
  } catch (error) {
    unseen = `Which ${title} uses the ${uniqueBy} could not be looked up: ${reasonOf(error)}`;
  }
  const users = among.filter(({ properties }) => properties[uniqueBy] === wanted);
  const others = users.length > 0 ? [] : among;
  const lines = [
    ...users.map(({ uuid }) => `The ${uniqueBy} is used by ${title} ${uuid}. ${advice(uuid)}`),
    ...others
      .filter((found) => folded(found.properties[uniqueBy]) === folded(wanted) || isNew(found))
      .map(
        ({ uuid, createdAt }) =>
          `${capitalized(title)} ${uuid}, created ${createdAt}, may be the one: the service may have changed its ${uniqueBy}, or consider a similar one equal. To manage it, declare the ${uniqueBy} that it has, and ${importLine(uuid)}. Otherwise choose another ${uniqueBy}.`,
      ),
  ];
  return new UserError([cause.message, ...(lines.length > 0 ? lines : [unseen])].join("\n"), { cause });
}

async function listedAfter(wanted: Wanted, cause: ClientError): Promise<Found[]> {
  const { title } = wanted.description;
  try {
    return await listOf(wanted);
  } catch (error) {
    const reason = reasonOf(error);
    throw new UserError(
      `${cause.message}\nIt is unknown whether the ${title} was created, and looking it up failed: ${reason}\nCheck the service before you run \`pulumi up\` again. If the ${title} exists, adopt it with the option import.`,
      { cause },
    );
  }
}

/** Whether an object was created since then. Undefined if that is not known. */
function isNewSince(
  { time, listed }: Before,
  { client }: OperationContext,
): (found: Found) => boolean | undefined {
  return ({ uuid, createdAt }) => {
    if (listed?.has(uuid)) return false;
    const now = client.serviceTime();
    const createdAtMs = Date.parse(createdAt);
    // A clock that is behind the one of the creation times proves nothing: the list may have lacked an older object.
    if (time === undefined || now === undefined || createdAtMs >= now.getTime() + DATE_RESOLUTION_MS)
      return undefined;
    // The list may have been read long before this create.
    return createdAtMs >= wholeSecond(time);
  };
}

/** The same for messages: if the time does not show it, an object is new that the list lacked before. */
function isProbablyNewSince(before: Before, context: OperationContext): (found: Found) => boolean {
  const isNew = isNewSince(before, context);
  return (found) => isNew(found) ?? before.listed !== undefined;
}

function equals(inputs: Properties, { properties }: Found): boolean {
  return differences(inputs, properties).length === 0;
}

/** A text without what services often ignore: the case of letters, and spaces. */
function folded(value: unknown): string {
  return String(value).normalize("NFKC").toLowerCase().replace(/\s+/g, "");
}

function linesFor(objects: readonly Found[]): string[] {
  return objects.map(({ uuid, createdAt }) => `  ${uuid}, created ${createdAt}: ${importLine(uuid)}`);
}

function importLine(uuid: string): string {
  return `add the option { import: "${uuid}" }`;
}

/** A time without fractions of a second, like the `Date` headers that the service's time is taken from. */
function wholeSecond(time: Date): number {
  return Math.floor(time.getTime() / DATE_RESOLUTION_MS) * DATE_RESOLUTION_MS;
}
