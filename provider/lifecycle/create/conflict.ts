/** Explains a conflict: which object already has the unique input. */
import type { ConflictError } from "../../client/errors";
import { reasonOf, UserError } from "../../errors";
import { objectName } from "../../values/phrases";
import type { Found, OperationContext } from "../description";
import { resourceOf } from "../ledger/facts";
import type { Properties } from "../properties";
import type { RunMemory } from "../run/runMemory";
import { claimsOf, discoverHint, importLine, remedies, type Wanted } from "./wanted";

/** The time limit of the lists that are searched for the object: a command can do without them. */
const LISTS_MS = 10_000;

/** No provider sees the options that transforms set: see docs/internals/sdk.md#serialized-options. */
export function ifTransformed(option = "it"): string {
  return `If a transform sets ${option}, give it to the resource as well.`;
}

/** A resource that declares a unique input which something else has. */
export interface Contender {
  readonly by: string | undefined;
  /** Its values before. Absent if it is new. */
  readonly before?: Properties | undefined;
  /** Whether its object is deleted before a replacement. Default: not, or the host does not know. */
  readonly deletesFirst?: boolean;
  /** Whether an object was created since the attempt. Default: none is reported for that reason. */
  isCreatedSince?(found: Found): boolean;
}

export async function explainConflict(
  memory: RunMemory,
  wanted: Wanted,
  cause: ConflictError,
  contender: Contender,
): Promise<UserError> {
  const { description, context, inputs } = wanted;
  const { title, uniqueBy, uniqueAmong = description.list } = description;
  const because = (line: string) => new UserError(`${cause.message}\n${line}`, { cause });
  if (uniqueBy === undefined) return new UserError(cause.message, { cause });
  let among: readonly Found[];
  try {
    among = (await uniqueAmong?.(withinLimit(context), inputs)) ?? [];
  } catch (error) {
    return because(`Which ${title} uses the ${uniqueBy} could not be looked up: ${reasonOf(error)}`);
  }
  const user = among.find((found) => found.properties[uniqueBy] === inputs[uniqueBy]);
  if (user !== undefined) return because(`The ${uniqueBy} ${describeUse(memory, wanted, user, contender)}`);
  const similar = among.find((found) => isSimilar(wanted, found) || contender.isCreatedSince?.(found));
  return because(
    similar === undefined
      ? `The API key finds no ${title} in this organization that uses the ${uniqueBy}. If an earlier run has created it, the service may list it later: run this again in a minute. Otherwise, choose another ${uniqueBy}.`
      : `${objectName(title, similar.uuid)}, created ${similar.createdAt}, may be the one: the service may have changed its ${uniqueBy}, or consider a similar one equal. ${chooseOrAdopt(uniqueBy, similar.uuid)}`,
  );
}

export function chooseOrAdopt(uniqueBy: string, uuid: string): string {
  return `Choose another ${uniqueBy}, or declare the one that it has and ${importLine(uuid)}.`;
}

/** Says that an object has the unique input, and what to do, as text that follows the input. */
export function describeUse(
  memory: RunMemory,
  { description, context }: Wanted,
  found: Found,
  { by, before, deletesFirst }: Contender,
): string {
  const { title, uniqueBy, deletion } = description;
  const { uuid } = found;
  const used = `is used by ${title} ${uuid}`;
  if (deletion?.isUnderWay?.(found))
    return `${used}, which is being deleted. Run \`pulumi up\` again when it is gone.`;
  const owner = claimsOf(memory, description, uuid).find((fact) => fact.by !== undefined);
  if (owner !== undefined && owner.by === by)
    return `${used}, which this resource replaces. Set the option \`deleteBeforeReplace\`, unless it is set. ${ifTransformed()}`;
  if (owner !== undefined)
    return `${used} of ${resourceOf(owner, context.client.sanitized)}. Choose another ${uniqueBy}.`;
  if (before !== undefined) return `${used}. Choose another ${uniqueBy}.`;
  const adopt = `If no stack manages it, adopt it: ${importLine(uuid)}${discoverHint(description, uuid)}`;
  const replace = deletesFirst
    ? ". If Pulumi replaces it, it is deleted first."
    : `; if Pulumi replaces it, set \`deleteBeforeReplace\`, unless it is set. ${ifTransformed()}`;
  return `${used}. ${remedies(adopt)}choose another ${uniqueBy}${replace}`;
}

/** The context of lists that end after a while, and wait for nothing. */
export function withinLimit({ facts: _facts, ...context }: OperationContext): OperationContext {
  const deadline = context.clock.now() + LISTS_MS;
  return { ...context, client: context.client.withOptions({ deadline }) };
}

/** Whether the unique input differs at most in what services often ignore. */
export function isSimilar(
  { description: { uniqueBy = "" }, inputs }: Wanted,
  { properties }: Found,
): boolean {
  return folded(properties[uniqueBy]) === folded(inputs[uniqueBy]);
}

/** A text without the case of letters, and without spaces. */
function folded(value: unknown): string {
  return String(value).normalize("NFKC").toLowerCase().replace(/\s/g, "");
}
