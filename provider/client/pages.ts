/** Ensures that reading the pages of a list ends, even if the service returns invalid cursors. */

import { createHash } from "node:crypto";

/** The maximum number of pages of a list. Real lists have far fewer. */
export const MAX_PAGES = 100_000;

/** The maximum length of a cursor. Servers limit the length of the URL of the next page. */
export const MAX_CURSOR_CHARACTERS = 4096;

/**
 * Creates a validator for the cursors of one list.
 *
 * @returns a function that returns the problem of the next cursor, in the form that `AnswerError` shows; undefined if
 * it is valid.
 */
export function cursorCheck(): (cursor: string) => string | undefined {
  // Only digests are kept, so that the maximum number of pages needs little memory.
  const seen = new Set<string>();
  return (cursor) => {
    if (cursor.length > MAX_CURSOR_CHARACTERS) {
      return `next_cursor has ${cursor.length} characters, more than ${MAX_CURSOR_CHARACTERS}`;
    }
    const digest = createHash("sha256").update(cursor).digest("base64");
    if (seen.has(digest)) return "next_cursor refers to a page that was already read";
    seen.add(digest);
    return seen.size < MAX_PAGES ? undefined : `the list has more than ${MAX_PAGES} pages`;
  };
}
