/**
 * Logical names, variables and file names for objects that exist: readable, unique, and safe whatever the objects
 * are called. Objects are named from the oldest to the newest, so that a new one never changes the name of another.
 */
import { domainToUnicode } from "node:url";
import { Script } from "node:vm";

/**
 * What a variable has no place for: other than letters and digits, and scripts whose letters were not all assigned
 * long ago. Tools differ in the newer ones they know, and all of Node, TypeScript and formatters read a program.
 */
const NOT_IN_VARIABLES =
  /[^\p{ID_Continue}]|[^\p{ASCII}\u{80}-\u{6ff}\u{900}-\u{97f}\u{e00}-\u{e7f}\u{3040}-\u{30ff}\u{4e00}-\u{9fef}\u{ac00}-\u{d7a3}]/gu;

/** How many characters of a name are kept. */
const MAX_NAME_LENGTH = 40;

/** An object with an age. */
export interface Aged {
  readonly uuid: string;
  /** When the service created it, as ISO 8601 date and time. */
  readonly createdAt: string;
}

/** Objects from the oldest to the newest, whatever order they came in. */
export function byAge<Item extends Aged>(items: readonly Item[]): Item[] {
  return items.toSorted(
    (one, other) =>
      Date.parse(one.createdAt) - Date.parse(other.createdAt) ||
      (one.uuid < other.uuid ? -1 : Number(one.uuid > other.uuid)),
  );
}

/**
 * Gives each object the first of its proposed names that none before it has, else the last one with a part of its UUID.
 * Names that differ in case only count as equal: they also name files.
 *
 * @returns the names by UUID.
 */
export function uniqueNames<Item extends { readonly uuid: string }>(
  items: readonly Item[],
  proposals: (item: Item) => readonly string[],
  join: (name: string, uuid: string) => string = (name, uuid) => `${name}-${uuid}`,
): Map<string, string> {
  const taken = new Set<string>();
  const names = new Map<string, string>();
  for (const item of items) {
    const proposed = proposals(item);
    const last = proposed.at(-1) ?? "";
    const [short = "", ...rest] = item.uuid.split("-");
    const name = [...proposed, join(last, short), join(last, [short, ...rest].join(""))].find(
      (candidate) => !taken.has(folded(candidate)),
    ) as string;
    taken.add(folded(name));
    names.set(item.uuid, name);
  }
  return names;
}

/** A text as part of a logical name: its letters and digits of any script, in lower case, joined by hyphens. */
export function hyphenated(text: string): string {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .normalize("NFKC")
      .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  return [...words.join("-")].slice(0, MAX_NAME_LENGTH).join("").replace(/-$/, "");
}

/** A host name as a logical name, in the spelling that people know. */
export function hyphenatedHostname(hostname: string): string {
  return hyphenated(domainToUnicode(hostname) || hostname);
}

/** A logical name as a TypeScript variable: in camel case, and no word that the language or the program has taken. */
export function variableName(
  name: string,
  { taken = [] }: { readonly taken?: readonly string[] } = {},
): string {
  const [first = "", ...rest] = name.split("-");
  const camelCase = [first, ...rest.map(capitalized)].join("").replace(NOT_IN_VARIABLES, "");
  if (!/^[_\p{ID_Start}]/u.test(camelCase)) return `project${capitalized(camelCase)}`;
  const isTaken = isReserved(camelCase) || [...taken, "undefined"].includes(camelCase);
  return isTaken ? `${camelCase}Project` : camelCase;
}

/** Whether a module may not call a variable so. The language itself is asked, with a program that is not run. */
function isReserved(word: string): boolean {
  try {
    // In an async function `await` is reserved, as it is in a module.
    return new Script(`"use strict"; async () => { const ${word} = 0; };`) === undefined;
  } catch {
    return true;
  }
}

function capitalized(word: string): string {
  const [first = "", ...rest] = word;
  return [first.toUpperCase(), ...rest].join("");
}

/** What names have in common that differ in case only. */
function folded(name: string): string {
  return name.normalize("NFKC").toUpperCase().toLowerCase();
}
