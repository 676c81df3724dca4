/** Explains a conflict: which object already has the unique input. */
import type { ConflictError } from "../../client/errors";
import { reasonOf, UserError } from "../../errors";
import { capitalized } from "../../values/phrases";
import type { Found } from "../description";
import { importLine, type Wanted } from "./wanted";

/** What a conflict is explained with. */
interface ConflictOptions {
  /** Whether an object was created since the attempt. Default: none is reported for that reason. */
  isCreatedSince?(found: Found): boolean;
  /** What to do about an object that has the unique input, as sentences that follow its UUID. */
  advice?(uuid: string): string;
}

/** Converts a conflict to an error that reports which object already has the unique input. */
export async function explainConflict(
  { description, context, inputs }: Wanted,
  cause: ConflictError,
  { isCreatedSince, advice = adviceFor }: ConflictOptions = {},
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
      .filter((found) => folded(found.properties[uniqueBy]) === folded(wanted) || isCreatedSince?.(found))
      .map(
        ({ uuid, createdAt }) =>
          `${capitalized(title)} ${uuid}, created ${createdAt}, may be the one: the service may have changed its ${uniqueBy}, or consider a similar one equal. To manage it, declare the ${uniqueBy} that it has, and ${importLine(uuid)}. Otherwise choose another ${uniqueBy}.`,
      ),
  ];
  return new UserError([cause.message, ...(lines.length > 0 ? lines : [unseen])].join("\n"), { cause });
}

/** What to do about an object that has the unique input of a new resource, as sentences. */
export function adviceFor(uuid: string): string {
  return `To manage that one, ${importLine(uuid)}. If this stack manages it under another name, add the option \`aliases\` instead; if this run replaces it, the option \`deleteBeforeReplace\`.`;
}

/** A text without what services often ignore: the case of letters, and spaces. */
function folded(value: unknown): string {
  return String(value).normalize("NFKC").toLowerCase().replace(/\s+/g, "");
}
