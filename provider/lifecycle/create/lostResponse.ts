/** Finds the object of a create whose effect is unknown, because its response was lost or names another object. */
import { reasonOf, UserError } from "../../errors";
import type { Found, ResourceDescription } from "../description";
import { ifFound } from "../evidence/lists";
import { isOnlyCreate, lostResult } from "../ledger/decisions";
import { objectKey } from "../ledger/facts";
import type { Creation, Loss } from "../run/creation";
import type { RunMemory } from "../run/runMemory";
import { createdSince } from "./baseline";
import { claimsOf, equals, linesFor, listOf, type Wanted } from "./wanted";

/** The pauses before each read of the list, together as long as lists may lag. */
const LIST_PAUSES_MS = [0, 1_000, 2_000, 4_000, 8_000, 15_000];

/** The error of a create whose effect is unknown. */
export class LostCreateError extends UserError {
  constructor(
    { cause }: Loss,
    lines: readonly string[],
    /** The UUIDs of the objects that it names. */
    readonly named: readonly string[],
  ) {
    super([cause.message, ...lines].join("\n"), { cause });
  }
}

/** Reads the list until it has the object. @throws LostCreateError that lists the objects which may be the created one. */
export async function findLost(
  wanted: Wanted,
  memory: RunMemory,
  { key, by, baseline }: Creation,
  loss: Loss,
): Promise<Found> {
  const { description, context, inputs } = wanted;
  const { title, uniqueBy } = description;
  // The list of a new project shows that without dates.
  const isCreatedSince = baseline.isInNew ? () => true : createdSince(baseline, context);
  context.report(`${loss.what} Looking for it in the service's list`);
  let candidates: readonly Found[] = [];
  let result: ReturnType<typeof lostResult> = { is: "missing" };
  for (const pauseMs of LIST_PAUSES_MS) {
    if (pauseMs > 0) await context.clock.sleep(pauseMs, context.signal);
    const listed = await listedAfter(wanted, loss);
    candidates = listed.filter(({ uuid }) => memory.ledger.about(objectKey(title, uuid)).length === 0);
    result = lostResult(
      candidates.map((found) => ({
        uuid: found.uuid,
        isEqual: equals(inputs, found),
        isCreatedSince: isCreatedSince(found),
      })),
      { isUnique: uniqueBy !== undefined, isOnly: isOnlyCreate(memory.ledger, key, by).is === "yes" },
    );
    if (result.is !== "missing") break;
  }
  if (result.is === "found") {
    const { uuid } = result;
    context.report(
      `${loss.what} The service lists exactly one ${title} with the declared properties that was created since then: ${uuid}. It is in the state as this resource.`,
      { persistent: true },
    );
    return candidates.find((found) => found.uuid === uuid) as Found;
  }
  const isEqual = (found: Found) => equals(inputs, found);
  // In one list with the object, because an earlier run may have left them when it lost a response.
  const left = (baseline.listed ?? [])
    .filter(isEqual)
    .filter(({ uuid }) => claimsOf(memory, description, uuid).length === 0);
  const others = baseline.listed ? candidates : candidates.filter(isCreatedSince);
  const listed = result.is === "equal" ? [...left, ...candidates.filter(isEqual)] : others;
  const shown = context.client.sanitized(listed);
  const lines =
    result.is === "equal"
      ? nextSteps(description, shown, result.areCreatedSince && left.length === 0)
      : withoutCandidates(description, shown);
  throw new LostCreateError(loss, lines, [...loss.named, ...listed.map(({ uuid }) => uuid)]);
}

function nextSteps({ title }: ResourceDescription, equal: readonly Found[], areNew: boolean): string[] {
  return [
    areNew
      ? `It may have been created nevertheless: ${title}s with the same properties cannot be told apart. Created since then:`
      : `It may have been created nevertheless: one of these, which have the same properties, may be it, and an earlier run may have left others:`,
    ...linesFor(equal),
    `Before you run \`pulumi up\` again, adopt each one that no stack manages with that option, or delete it.`,
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

async function listedAfter(wanted: Wanted, loss: Loss): Promise<Found[]> {
  const { title } = wanted.description;
  try {
    // Replicas may not have its project yet.
    return (await ifFound(listOf(wanted))) ?? [];
  } catch (error) {
    const lines = [
      `It is unknown whether the ${title} was created, and looking it up failed: ${reasonOf(error)}`,
      `Check the service before you run \`pulumi up\` again. If the ${title} exists, adopt it with the option import.`,
    ];
    throw new LostCreateError(loss, lines, loss.named);
  }
}
