/**
 * Creates that make one object, whatever happens to the answer.
 *
 * A create whose answer is lost may or may not have had its effect. Sending it again could make a second object,
 * so the service's list is read instead, and what it shows decides.
 */
import { ClientError, ConflictError } from "../client/errors";
import type { Found, OperationContext, ResourceDescription } from "./description";
import { UserError } from "./errors";
import { differences, type Properties } from "./properties";
import type { RunContext } from "./runContext";
import { objectKey, type RunMemory } from "./runMemory";

/** How long after a lost answer the list is read, at which pauses: an object may take a moment to be listed. */
const LIST_PAUSES_MS = [0, 1_000, 2_000, 4_000];

/**
 * Creates an object, and finds it again where the answer was lost.
 *
 * Creates that the service could confuse with each other wait for each other, so that none takes the other's
 * object for its own lost one.
 *
 * @throws UserError that names every object which may be the lost one, or which holds the name.
 */
export async function createOnce(
  description: ResourceDescription,
  { memory }: RunContext,
  context: OperationContext,
  inputs: Properties,
): Promise<Found> {
  const { title, uniqueBy } = description;
  // What creates no object cannot create it twice.
  if (description.creates !== "object") return await description.create(context, inputs);
  const key = JSON.stringify([title, uniqueBy === undefined ? inputs : inputs[uniqueBy]]);
  return await memory.exclusively(key, async () => {
    const before = context.client.serviceTime();
    try {
      return recorded(description, memory, await description.create(context, inputs));
    } catch (error) {
      if (error instanceof ClientError && error.effect === "unknown") {
        const found = await findLost(description, memory, context, inputs, { before, cause: error });
        return recorded(description, memory, found);
      }
      if (error instanceof ConflictError) throw await namingHolder(description, context, inputs, error);
      throw error;
    }
  });
}

function recorded({ title }: ResourceDescription, { created }: RunMemory, found: Found): Found {
  created.add(objectKey(title, found.uuid));
  return found;
}

async function findLost(
  description: ResourceDescription,
  { created, adopted }: RunMemory,
  context: OperationContext,
  inputs: Properties,
  { before, cause }: { readonly before: Date | undefined; readonly cause: ClientError },
): Promise<Found> {
  const { title, uniqueBy } = description;
  let candidates: Found[] = [];
  for (const pauseMs of before === undefined ? [] : LIST_PAUSES_MS) {
    if (pauseMs > 0) await context.clock.sleep(pauseMs, context.signal);
    candidates = (await listed(description, context, inputs, cause)).filter(
      (found) =>
        Date.parse(found.createdAt) >= wholeSecond(before) &&
        !created.has(objectKey(title, found.uuid)) &&
        !adopted.has(objectKey(title, found.uuid)) &&
        differences(inputs, found.properties, () => false).length === 0,
    );
    if (candidates.length > 0) break;
  }
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1 && uniqueBy !== undefined) {
    context.report(
      `The answer to creating the ${title} was lost, and the service lists exactly one ${title} with the declared properties that was created since: ${only.uuid}. Adopted it.`,
      { persistent: true },
    );
    return only;
  }
  throw new UserError(
    [cause.message, ...whatToDo(description, context.client.printable(candidates))].join("\n"),
    { cause },
  );
}

function whatToDo({ title, uniqueBy }: ResourceDescription, candidates: readonly Found[]): string[] {
  if (candidates.length === 0) {
    return [
      `It is not known whether the ${title} was created; the service does not list it.`,
      uniqueBy === undefined
        ? `Check whether it has appeared before you run \`pulumi up\` again, which would create another one; if it has, adopt it with the option import.`
        : `Run \`pulumi up\` again: if it has appeared meanwhile, the error will name it.`,
    ];
  }
  return [
    `It may have been created all the same: ${title}s with the same properties cannot be told apart. Created since:`,
    ...candidates.map(({ uuid, createdAt }) => `  ${uuid}, created ${createdAt}: ${importLine(uuid)}`),
    `Adopt the one that is yours with that option, or delete it, before you run \`pulumi up\` again.`,
  ];
}

/**
 * A conflict as the error that names who holds the unique input.
 *
 * @param advice what to do about a holder, in the words that follow its UUID.
 */
export async function namingHolder(
  description: ResourceDescription,
  context: OperationContext,
  inputs: Properties,
  cause: ConflictError,
  advice: (uuid: string) => string = (uuid) =>
    `To manage that one, ${importLine(uuid)}. If this stack has it under another name, give the resource \`aliases\` instead.`,
): Promise<UserError> {
  const { title, uniqueBy } = description;
  if (uniqueBy === undefined) return new UserError(cause.message, { cause });
  let holders: Found[] = [];
  try {
    holders = ((await (description.holders ?? description.siblings)?.(context, inputs)) ?? []).filter(
      ({ properties }) => properties[uniqueBy] === inputs[uniqueBy],
    );
  } catch {
    // The conflict is what the user has to know; that its holder cannot be looked up is not.
  }
  const lines = holders.map(({ uuid }) => `The ${uniqueBy} is held by ${title} ${uuid}. ${advice(uuid)}`);
  const unseen = `No ${title} of this organization that the key can see holds the ${uniqueBy}; another one may. Choose another ${uniqueBy}.`;
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
      `${cause.message}\nIt is not known whether the ${description.title} was created, and it could not be looked up: ${reason}\nLook for it before you run \`pulumi up\` again; if it is there, adopt it with the import option.`,
      { cause },
    );
  }
}

function importLine(uuid: string): string {
  return `add the option { import: "${uuid}" }`;
}

/** The service's clock comes from `Date` headers, which have no fractions of a second. */
function wholeSecond(time: Date | undefined): number {
  return Math.floor((time?.getTime() ?? Number.POSITIVE_INFINITY) / 1_000) * 1_000;
}
