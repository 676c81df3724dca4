/** The contents of an object. The service may delete them together with it, so a deletion looks for them first. */
import type { Scope } from "../../client";
import { UserError } from "../../errors";
import { counted } from "../../values/phrases";
import type { ContentKind, OperationContext } from "../description";
import { ifVisible } from "../evidence/lists";
import { youngUntilMs } from "../evidence/youth";
import { contentsIn } from "../ledger/decisions";
import { objectKey } from "../ledger/facts";

/** How many objects of each kind a message lists. */
const MAX_LISTED = 3;
/** After how many pages without links the search for one ends. */
const MAX_PAGES = 100;

/** The contents of an object that the key can read, and those that the run knows. */
export interface Contents {
  /** The kinds of which there are objects, such as `1 link (UUID)`. */
  readonly present: readonly string[];
  /** The scopes that the key lacks to list the others. */
  readonly missingScopes: readonly Scope[];
  /** How to delete those that no resource is, as clauses. */
  readonly howToDelete: readonly string[];
}

interface LinkPage {
  readonly links: readonly { readonly id: string }[];
  readonly nextCursor: string | null;
}

/** Where links are deleted, which no resource is. */
export const WHERE_LINKS_ARE_DELETED = "in the console, or with `deleteLink` of `pulumi-dynamiclink/client`";

/** Links as contents. There may be very many, so they are not counted. Only a page without a cursor is the last one. */
export function linkContents(
  pageOf: (request: { readonly limit: number; readonly cursor?: string }) => Promise<LinkPage>,
): ContentKind {
  return {
    title: "link",
    scope: "links:read",
    howToDelete: `links ${WHERE_LINKS_ARE_DELETED}`,
    async list(limit) {
      let page = await pageOf({ limit });
      for (let pages = 1; page.links.length === 0 && page.nextCursor !== null; pages++) {
        if (pages === MAX_PAGES)
          throw new UserError(
            `The service has returned ${MAX_PAGES} pages without links, and more follow, so it is not known whether there are links. Nothing was deleted. Run this again later.`,
          );
        page = await pageOf({ limit, cursor: page.nextCursor });
      }
      return { objects: page.links, more: page.nextCursor !== null };
    },
  };
}

/** Lists what is in an object, without what this run has deleted, and with the young objects that it knows. `object` is its key. */
export async function contentsOf(
  context: OperationContext,
  object: string,
  kinds: readonly ContentKind[],
): Promise<Contents> {
  const { facts, clock } = context;
  const isYoung = (key: string) => clock.now() < youngUntilMs(facts, key);
  const known = facts === undefined ? [] : contentsIn(facts, object).filter(isYoung);
  const seen = await Promise.all(
    kinds.map(async (kind) => {
      const { title, scope, howToDelete } = kind;
      const listed = await ifVisible(context, scope, () => kind.list(MAX_LISTED));
      const isLeft = ({ id }: { readonly id: string }) => !facts?.has(objectKey(title, id), "deleted");
      const objects = (listed?.objects ?? []).filter(isLeft);
      const isListed = (key: string) => objects.some(({ id }) => objectKey(title, id) === key);
      const unlisted = known.filter((key) => key.startsWith(`${title} `) && !isListed(key));
      const ids = [...objects.map(({ id }) => id), ...unlisted.map((key) => key.slice(title.length + 1))];
      const summary = summaryOf(title, ids, listed?.more);
      return { scope, isHidden: listed === undefined, isPresent: ids.length > 0, summary, howToDelete };
    }),
  );
  const present = seen.filter(({ isPresent }) => isPresent);
  return {
    present: present.map(({ summary }) => summary),
    howToDelete: present.flatMap(({ howToDelete }) => howToDelete ?? []),
    missingScopes: seen.filter(({ isHidden }) => isHidden).map(({ scope }) => scope),
  };
}

function summaryOf(title: string, ids: readonly string[], more = false): string {
  const uuids = ids.slice(0, MAX_LISTED).join(", ");
  if (more) return `${ids.length} or more ${title}s (${uuids})`;
  const rest = ids.length > MAX_LISTED ? ` and ${ids.length - MAX_LISTED} more` : "";
  return `${counted(ids.length, title)} (${uuids}${rest})`;
}
