/** Where a list of pages ends, whatever the service says about the next one. */

import { createHash } from "node:crypto";

/** How many pages a list may have: far more than any, and few enough to come to an end. */
export const MAX_PAGES = 100_000;

/** How long a cursor may be: what servers accept in the URL of the next page. */
export const MAX_CURSOR_CHARACTERS = 4096;

/**
 * Checks the cursors of one list.
 *
 * @returns a function that says what is wrong with the next cursor, as an `AnswerError` shows it, if anything.
 */
export function cursorCheck(): (cursor: string) => string | undefined {
  // Of a cursor only a digest is kept, so that as many pages as there may be take little memory.
  const seen = new Set<string>();
  return (cursor) => {
    if (cursor.length > MAX_CURSOR_CHARACTERS) {
      return `next_cursor has ${cursor.length} characters, more than ${MAX_CURSOR_CHARACTERS}`;
    }
    const digest = createHash("sha256").update(cursor).digest("base64");
    if (seen.has(digest)) return "next_cursor leads to a page that was read already";
    seen.add(digest);
    return seen.size < MAX_PAGES ? undefined : `the list has more than ${MAX_PAGES} pages`;
  };
}
