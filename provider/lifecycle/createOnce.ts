/**
 * Creates an object exactly once, even if the response is lost.
 *
 * If the response to a create is lost, the object may or may not have been created. Sending the request again could
 * create a second object, so the service's list decides instead.
 */
import { ClientError, ConflictError } from "../client/errors";
import { beginCreate, type CreateAttempt } from "./createAttempt";
import type { Found, OperationContext, ResourceDescription } from "./description";
import { UserError } from "./errors";
import { differences, type Properties } from "./properties";
import type { RunContext } from "./runContext";

/** The pauses before each read of the list after a lost response. An object may be listed with a delay. */
const LIST_PAUSES_MS = [0, 1_000, 2_000, 4_000];

/**
 * Creates an object, and finds it in the service's list if the response was lost.
 *
 * Creates whose objects could be confused are serialized, so that none of them mistakes the object of another one for
 * its own.
 *
 * @throws UserError that lists the objects which may be the created one, or which have the same unique input.
 */
export async function createOnce(
  description: ResourceDescription,
  { memory }: RunContext,
  context: OperationContext,
  inputs: Properties,
): Promise<Found> {
  const { title, uniqueBy } = description;
  // A create that adds no object can be repeated.
  if (description.creates !== "object") return await description.create(context, inputs);
  const { organizationId } = context;
  const key = JSON.stringify([title, organizationId, uniqueBy === undefined ? inputs : inputs[uniqueBy]]);
  return await memory.exclusively(key, async () => {
    const before = context.client.serviceTime();
    const attempt = beginCreate(description, memory, key);
    try {
      return attempt.created(await description.create(context, inputs));
    } catch (error) {
      if (error instanceof ClientError && error.effect === "unknown")
        return attempt.created(
          await findLost(description, context, inputs, { before, cause: error, attempt }),
        );
      if (error instanceof ClientError) attempt.failed();
      if (error instanceof ConflictError) throw await explainConflict(description, context, inputs, error);
      throw error;
    }
  });
}

/** A create whose response was lost. */
interface LostCreate {
  /** When it was sent, by the service's clock. */
  readonly before: Date | undefined;
  readonly cause: ClientError;
  readonly attempt: CreateAttempt;
}

async function findLost(
  description: ResourceDescription,
  context: OperationContext,
  inputs: Properties,
  { before, cause, attempt }: LostCreate,
): Promise<Found> {
  const { title, uniqueBy } = description;
  let candidates: Found[] = [];
  let isOnly = false;
  context.report(`The response to creating the ${title} was lost. Looking for it in the service's list`);
  for (const pauseMs of before === undefined ? [] : LIST_PAUSES_MS) {
    if (pauseMs > 0) await context.clock.sleep(pauseMs, context.signal);
    const matching = (await listed(description, context, inputs, cause)).filter(
      (found) =>
        Date.parse(found.createdAt) >= wholeSecond(before) &&
        differences(inputs, found.properties, () => false).length === 0,
    );
    // In this order: another process records what it has created before it ends its create.
    isOnly = attempt.isOnly();
    candidates = matching.filter(({ uuid }) => attempt.isTaken(uuid) !== true);
    if (candidates.length > 0) break;
  }
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1 && uniqueBy !== undefined && isOnly) {
    context.report(
      `The response to creating the ${title} was lost. The service lists exactly one ${title} with the declared properties that was created since then: ${only.uuid}. Adopted it.`,
      { persistent: true },
    );
    return only;
  }
  throw new UserError(
    [cause.message, ...nextSteps(description, context.client.printable(candidates))].join("\n"),
    { cause },
  );
}

function nextSteps({ title, uniqueBy }: ResourceDescription, candidates: readonly Found[]): string[] {
  if (candidates.length === 0) {
    return [
      `It is unknown whether the ${title} was created; the service does not list it.`,
      uniqueBy === undefined
        ? `Check whether the service lists it now before you run \`pulumi up\` again, which would create another one. If it does, adopt it with the option import.`
        : `Run \`pulumi up\` again. If the service lists it by then, the error will contain its UUID.`,
    ];
  }
  return [
    `It may have been created nevertheless: ${title}s with the same properties cannot be told apart. Created since then:`,
    ...candidates.map(({ uuid, createdAt }) => `  ${uuid}, created ${createdAt}: ${importLine(uuid)}`),
    `Before you run \`pulumi up\` again, adopt the one that belongs to this stack with that option, or delete it.`,
  ];
}

/**
 * Converts a conflict to an error that reports which object already has the unique input.
 *
 * @param advice what to do about that object, as a sentence that follows its UUID.
 */
export async function explainConflict(
  description: ResourceDescription,
  context: OperationContext,
  inputs: Properties,
  cause: ConflictError,
  advice: (uuid: string) => string = (uuid) =>
    `To manage that one, ${importLine(uuid)}. If this stack manages it under another name, add the option \`aliases\` instead.`,
): Promise<UserError> {
  const { title, uniqueBy } = description;
  if (uniqueBy === undefined) return new UserError(cause.message, { cause });
  let users: Found[] = [];
  try {
    users = ((await (description.uniqueAmong ?? description.siblings)?.(context, inputs)) ?? []).filter(
      ({ properties }) => properties[uniqueBy] === inputs[uniqueBy],
    );
  } catch {
    // The user needs to know about the conflict, not that the other object cannot be looked up.
  }
  const lines = users.map(({ uuid }) => `The ${uniqueBy} is used by ${title} ${uuid}. ${advice(uuid)}`);
  const unseen = `The API key finds no ${title} in this organization that uses the ${uniqueBy}; one that it cannot read may use it. Choose another ${uniqueBy}.`;
  return new UserError([cause.message, ...(lines.length > 0 ? lines : [unseen])].join("\n"), { cause });
}

async function listed(
  description: ResourceDescription,
  context: OperationContext,
  inputs: Properties,
  cause: ClientError,
): Promise<Found[]> {
  try {
    return (await description.siblings?.(context, inputs)) ?? [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(
      `${cause.message}\nIt is unknown whether the ${description.title} was created, and looking it up failed: ${reason}\nCheck the service before you run \`pulumi up\` again. If the ${description.title} exists, adopt it with the option import.`,
      { cause },
    );
  }
}

function importLine(uuid: string): string {
  return `add the option { import: "${uuid}" }`;
}

/** A time without fractions of a second, like the `Date` headers that the service's time is taken from. */
function wholeSecond(time: Date | undefined): number {
  return Math.floor((time?.getTime() ?? Number.POSITIVE_INFINITY) / 1_000) * 1_000;
}
