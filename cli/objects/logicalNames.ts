/**
 * Logical names and variables for existing objects: readable, unique, and safe for any name in the service. Objects get
 * names from the oldest to the newest, so that a new object never changes the name of another.
 */
import { domainToUnicode } from "node:url";
import { Script } from "node:vm";
import { timeOf } from "../../provider/values/time";

/**
 * Characters that variables do not use: everything except letters and digits, and scripts that newer versions of Unicode
 * have extended. Node.js, TypeScript and formatters all parse the program, and support different versions.
 */
const NOT_IN_VARIABLES =
  /[^\p{ID_Continue}]|[^\p{ASCII}\u{80}-\u{6ff}\u{900}-\u{97f}\u{e00}-\u{e7f}\u{3040}-\u{30ff}\u{4e00}-\u{9fef}\u{ac00}-\u{d7a3}]/gu;

/**
 * Names that no variable of a generated program gets: modules, or the code around the variable, have them already.
 * TypeScript rejects the first two, CommonJS the next five; `ctx` and `err` are variables in the Go that Pulumi generates.
 */
export const NAMES_IN_USE: readonly string[] = [
  ...["undefined", "globalThis"],
  ...["module", "exports", "require", "__filename", "__dirname"],
  ...["pulumi", "ctx", "err"],
];

const MAX_NAME_LENGTH = 40;

export interface Aged {
  readonly uuid: string;
  /** When the service created it, in ISO 8601 format. */
  readonly createdAt: string;
}

export function byAge<Item extends Aged>(items: readonly Item[]): Item[] {
  return items.toSorted(
    (one, other) =>
      timeOf(one.createdAt) - timeOf(other.createdAt) ||
      (one.uuid < other.uuid ? -1 : Number(one.uuid > other.uuid)),
  );
}

export interface NamingOptions {
  /** Adds a part of a UUID to a name. Default: with a hyphen. */
  readonly join?: (name: string, uuid: string) => string;
  /** Names are equal if this form of them is. Default: the name itself. */
  readonly form?: (name: string) => string;
  /** Names that no object gets. Default: none. */
  readonly reserved?: Iterable<string>;
}

/**
 * Gives each object the first of its proposed names that is still free, else the last one with a part of its UUID.
 *
 * @returns the name of each object.
 */
export function uniqueNames<Item extends { readonly uuid: string }>(
  items: readonly Item[],
  proposals: (item: Item) => readonly string[],
  { join = (name, uuid) => `${name}-${uuid}`, form = (name) => name, reserved = [] }: NamingOptions = {},
): Map<Item, string> {
  const taken = new Set([...reserved].map(form));
  return new Map(
    items.map((item) => {
      const proposed = proposals(item);
      const last = proposed.at(-1) ?? "";
      const [short = "", ...rest] = item.uuid.split("-");
      const whole = join(last, [short, ...rest].join(""));
      const name = [...proposed, join(last, short)].find((one) => !taken.has(form(one))) ?? whole;
      taken.add(form(name));
      return [item, name];
    }),
  );
}

/** Converts a text to a logical name: letters and digits of any script, in lower case, joined by hyphens. */
export function hyphenated(text: string): string {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .normalize("NFKC")
      .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  return [...words.join("-")].slice(0, MAX_NAME_LENGTH).join("").replace(/-$/, "");
}

/** Converts a hostname to a logical name, in Unicode form instead of punycode. */
export function hyphenatedHostname(hostname: string): string {
  return hyphenated(domainToUnicode(hostname) || hostname);
}

/** Converts a logical name to a TypeScript variable: in camelCase, and no reserved or taken word. */
export function variableName(name: string, taken: readonly string[] = []): string {
  const [first = "", ...rest] = name.split("-");
  const camelCase = [first, ...rest.map(capitalized)].join("").replace(NOT_IN_VARIABLES, "");
  if (!/^[_\p{ID_Start}]/u.test(camelCase)) return `project${capitalized(camelCase)}`;
  const isTaken = isReserved(camelCase) || [...taken, ...NAMES_IN_USE].includes(camelCase);
  return isTaken ? `${camelCase}Project` : camelCase;
}

/** Whether a word is reserved in a module. Compiles a script with it, without running it. */
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
