/**
 * Makes text of the service or the system safe for messages: on one line, of limited length, without control
 * characters, without the key, and without commands for CI runners. All such text in messages passes through this
 * module.
 */

import { domainToASCII, domainToUnicode } from "node:url";

/** Makes text from outside this package safe for messages. */
export type Printable = (text: string) => string;

const MAX_CHARACTERS = 300;
const BLANK = "***";

/**
 * Creates a function that makes text safe for messages.
 *
 * It replaces the key in plain text, in hex, and in base64, also of a longer text that contains the key; and with any
 * of its characters percent-encoded or escaped as in JSON. Letter case does not matter.
 */
export function printableWithout(apiKey: string): Printable {
  const encodings = [
    percentEncoded(visible(apiKey)),
    inJson(visible(apiKey)),
    Buffer.from(apiKey).toString("hex"),
    ...base64Parts(apiKey),
  ]
    // An empty pattern would match everywhere.
    .filter((each) => each !== "");
  const encodedKey = new RegExp(encodings.join("|"), "gi");
  // Invisible characters are removed first, because they could split the key.
  return (text) => shortened(withoutCommands(visible(text).replace(encodedKey, BLANK)));
}

/** A pattern for text of which each character may be percent-encoded. */
function percentEncoded(text: string): string {
  return [...text]
    .map((character) => {
      const bytes = [...Buffer.from(character)].map((byte) => `%${hex(byte, 2)}`);
      return `(?:${bytes.join("")}|${literal(character)})`;
    })
    .join("");
}

/** A pattern for text in JSON. Each character has one form in each position, so that matching takes linear time. */
function inJson(text: string): string {
  return text
    .split("")
    .map((unit) => {
      const code = `\\\\u${hex(unit.charCodeAt(0), 4)}`;
      if (unit === "/") return `(?:${code}|\\\\?\\/)`;
      return `(?:${code}|${literal(JSON.stringify(unit).slice(1, -1))})`;
    })
    .join("");
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** Shorter parts could be in any text. */
const SHORTEST_PART = 4;

/**
 * Patterns for the base64 of any text that contains the key. Three bytes are four characters, so where the key begins
 * decides between three forms. The first and the last character may also depend on the text around the key.
 */
function base64Parts(apiKey: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.from("-".repeat(before) + apiKey);
    const end = Math.floor((bytes.length * 8) / 6);
    const part = bytes.toString("base64").slice(Math.ceil((before * 8) / 6), end);
    if (part.length < SHORTEST_PART) return [];
    const pattern = part.replace(/\+/g, "[-+]").replace(/\//g, "[_/]");
    return `${before === 0 ? "" : SHARED}${pattern}${(bytes.length * 8) % 6 === 0 ? "" : SHARED}`;
  });
}

const SHARED = "[\\w/+-]?";

/** Values of fewer characters are not replaced in messages, which would become unreadable. */
const MIN_HIDDEN_CHARACTERS = 4;

/**
 * Creates a function that replaces values in messages: as they are, escaped as in JSON, as hostnames, in any letter case,
 * and cut off at the end of a shortened text.
 */
export function printableWithoutValues(values: readonly string[]): Printable {
  const forms = [...new Set(values)].flatMap((value) =>
    [value, JSON.stringify(value).slice(1, -1), domainToASCII(value), domainToUnicode(value)].map(visible),
  );
  const hidden = [...new Set(forms)]
    .filter((form) => [...form].length >= MIN_HIDDEN_CHARACTERS)
    // The longest first: one value may be part of another.
    .sort((one, other) => other.length - one.length);
  if (hidden.length === 0) return (text) => text;
  const whole = new RegExp(hidden.map(literal).join("|"), "gi");
  return (text) =>
    text
      .replace(whole, BLANK)
      .replace(/[^…]*…/g, (part) => hidden.reduce((shown, form) => withoutBeginning(shown, form), part));
}

/** A text that ends with "…", without the beginning of a value right before it. */
function withoutBeginning(text: string, value: string): string {
  const lower = text.toLowerCase();
  for (let length = value.length - 1; length >= MIN_HIDDEN_CHARACTERS; length--) {
    const end = `${value.slice(0, length).toLowerCase()}…`;
    if (lower.endsWith(end)) return `${text.slice(0, text.length - end.length)}${BLANK}…`;
  }
  return text;
}

/** Makes text safe for messages that cannot contain a key. */
export function printable(text: string): string {
  return shortened(withoutCommands(visible(text)));
}

function shortened(text: string): string {
  const characters = [...text];
  if (characters.length <= MAX_CHARACTERS) return text;
  return `${characters.slice(0, MAX_CHARACTERS).join("")}…`;
}

/** On one line, without control and format characters. */
function visible(text: string): string {
  return text
    .replace(/\p{Cf}+/gu, "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
}

/**
 * GitHub runs lines that begin with `::` as commands. GitHub and Azure run `##[…]` and `##vso[…]` anywhere in a line.
 */
function withoutCommands(text: string): string {
  return text.replace(/^::/, ": :").replace(/#(?=#\w*\[)/g, "# ");
}

/** A copy of a response in which every text is printable. */
export function printableIn<Value>(value: Value, printable: Printable): Value {
  const copy = (part: unknown): unknown => {
    if (typeof part === "string") return printable(part);
    if (Array.isArray(part)) return part.map(copy);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, copy(each)]));
  };
  return copy(value) as Value;
}
