/** The contents of an object. The service may delete them together with it, so a deletion looks for them first. */
import type { Scope } from "../../client";
import { ConflictError, NotFoundError } from "../../client/errors";
import { UserError } from "../../errors";
import { counted, enumerated, objectName } from "../../values/phrases";
import type { OperationContext } from "../description";
import { objectKey } from "../ledger/facts";
import { LONGEST_LAG_MS, pollUntil, repeatedly } from "../poll";
import { ifVisible } from "./visible";
import { deleteObject, whileYoung } from "./youth";

/** How many objects of each kind a message lists. */
const MAX_LISTED = 3;
/** After how many pages without links the search for one ends. */
const MAX_PAGES = 100;

export interface ContentKind {
  /** The name of the kind, such as `link`. */
  readonly noun: string;
  readonly scope: Scope;
  /** Lists the objects. If there are very many, it may list only `limit` of them. */
  list(limit: number): Promise<Listed>;
}

interface Listed {
  readonly objects: readonly Identified[];
  readonly more?: boolean;
}

interface Identified {
  readonly id: string;
}

/** The contents of an object that the key can read. */
export interface Contents {
  /** The kinds of which there are objects, such as `1 link (UUID)`. */
  readonly present: readonly string[];
  /** The scopes that the key lacks to list the others. */
  readonly hidden: readonly Scope[];
}

interface LinkPage {
  readonly links: readonly Identified[];
  readonly nextCursor: string | null;
}

/** Links as contents. There may be very many, so they are not counted. Only a page without a cursor is the last one. */
export function linkContents(
  pageOf: (request: { readonly limit: number; readonly cursor?: string }) => Promise<LinkPage>,
): ContentKind {
  return {
    noun: "link",
    scope: "links:read",
    async list(limit) {
      let page = await pageOf({ limit });
      for (let pages = 1; page.links.length === 0 && page.nextCursor !== null; pages++) {
        if (pages === MAX_PAGES) {
          throw new UserError(
            `The service has returned ${MAX_PAGES} pages without links, and more follow, so it is not known whether there are links. Nothing was deleted. Run this again later.`,
          );
        }
        page = await pageOf({ limit, cursor: page.nextCursor });
      }
      return { objects: page.links, more: page.nextCursor !== null };
    },
  };
}

/** Lists what is in an object, other than what this run has deleted, whatever the lists show. */
export async function contentsOf(
  context: OperationContext,
  kinds: readonly ContentKind[],
): Promise<Contents> {
  const seen = await Promise.all(
    kinds.map(async (kind) => ({
      ...kind,
      found: await ifVisible(context, kind.scope, async () => {
        const listed = await kind.list(MAX_LISTED);
        const isLeft = ({ id }: Identified) => !context.facts?.has(objectKey(kind.noun, id), "deleted");
        return { ...listed, objects: listed.objects.filter(isLeft) };
      }),
    })),
  );
  return {
    present: seen.flatMap(({ noun, found }) =>
      found && found.objects.length > 0 ? summaryOf(noun, found) : [],
    ),
    hidden: seen.filter(({ found }) => found === undefined).map(({ scope }) => scope),
  };
}

interface Emptied {
  readonly title: string;
  readonly uuid: string;
  /** Its name in the service, if messages show it. */
  readonly name?: string;
  readonly kinds: readonly ContentKind[];
  /** Reads the object. @throws NotFoundError */
  read(): Promise<unknown>;
  /** How to keep the old object of a replacement, of which the state has two entries, as a sentence. */
  readonly ifReplaced?: string;
}

export async function exists(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

/**
 * The contents of an object that is deleted. Another run may just have deleted them, so they are listed again for as long as
 * lists may lag. Lists of what is in an object that does not exist are not found either: then there are none, and the
 * response to the deletion shows whether the object exists.
 *
 * @throws UserError if a read finds the object nevertheless.
 */
async function contentsBeforeDelete(
  context: OperationContext,
  { title, uuid, name, kinds, read }: Emptied,
): Promise<Contents> {
  try {
    const poll = () =>
      pollUntil(context, {
        timeoutMs: LONGEST_LAG_MS,
        read: () => contentsOf(context, kinds),
        done: ({ present }) => present.length === 0,
        progress: ({ present }) => `${objectName(title, uuid, name)} still lists ${enumerated(present)}`,
      });
    return await whileYoung(context, objectKey(title, uuid), poll, { isAboutContents: true });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    if (!(await exists(read))) return { present: [], hidden: [] };
    throw new UserError(
      `${error.message}\nHowever, reading ${title} ${uuid} finds it, so it is not known what it contains. It was not deleted. Run this again later.`,
      { cause: error },
    );
  }
}

/** @throws UserError if the key finds contents. */
async function requireEmpty(context: OperationContext, emptied: Emptied): Promise<Contents> {
  const { title, uuid, name, ifReplaced } = emptied;
  const contents = await contentsBeforeDelete(context, emptied);
  const { present } = contents;
  if (present.length === 0) return contents;
  throw new UserError(
    `${objectName(title, uuid, name)} was not deleted because it still contains ${enumerated(present)}.${adviceFor(title, contents, ifReplaced)}`,
  );
}

/**
 * Deletes an object if the key finds no contents in it. It is not documented whether the service refuses to delete an
 * object with contents, or deletes the contents as well.
 *
 * @throws UserError if it has contents.
 */
export async function deleteEmpty(
  context: OperationContext,
  emptied: Emptied,
  send: () => Promise<void>,
): Promise<void> {
  const { title, uuid, name, ifReplaced } = emptied;
  const contents = await requireEmpty(context, emptied);
  const { hidden } = contents;
  if (hidden.length > 0) {
    context.report(
      `${objectName(title, uuid, name)} is deleted without looking for all of its contents, which the service may delete as well: the API key lacks ${enumerated(hidden)}. Use a key that has them too.`,
      { persistent: true, warning: true },
    );
  }
  const object = objectKey(title, uuid);
  try {
    const attempt = async (isAgain: boolean) => {
      // The list may have lacked what the service does not delete.
      if (isAgain) await requireEmpty(context, emptied);
      await deleteObject(context, object, send);
    };
    await repeatedly(context, attempt, {
      end: context.emptiedUntilMs ?? 0,
      isTemporary: (error) => error instanceof ConflictError,
      progress: `Waiting until the service has deleted what was in ${object}`,
    });
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    throw new UserError(
      `${error.message}\nThe API key finds nothing in the ${title}.${adviceFor(title, contents, ifReplaced)}`,
      { cause: error },
    );
  }
}

function summaryOf(noun: string, { objects, more = false }: Listed): string {
  const uuids = objects
    .slice(0, MAX_LISTED)
    .map(({ id }) => id)
    .join(", ");
  if (more) return `${objects.length} or more ${noun}s (${uuids})`;
  const rest = objects.length > MAX_LISTED ? ` and ${objects.length - MAX_LISTED} more` : "";
  return `${counted(objects.length, noun)} (${uuids}${rest})`;
}

/** The kinds that could not be checked, and the next step. */
function adviceFor(title: string, { hidden }: Contents, ifReplaced?: string): string {
  const unseen = hidden.length === 0 ? "" : ` The API key lacks ${enumerated(hidden)} to find the rest.`;
  return `${unseen}\nThe service may delete the contents of a ${title} together with it, so delete them first. If they were deleted a moment ago, run this again in a minute. ${keeping(title, ifReplaced)}`;
}

/** How to keep an object that is not deleted, as sentences. */
export function keeping(title: string, ifReplaced?: string): string {
  const exception = ifReplaced === undefined ? "." : `, unless a replacement left it behind. ${ifReplaced}`;
  return `To keep the ${title}, remove it from the stack with \`pulumi state delete\`${exception}`;
}

/** How to keep the old object of a replacement whose new one exists, as a sentence. */
export function undoing(title: string, uuid: string): string {
  return `In that case, undo the change in the program, add the option \`import: "${uuid}"\`, and run \`pulumi up\`, which deletes the new ${title} instead.`;
}
