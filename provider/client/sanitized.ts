/**
 * Makes text of the service or the system safe for messages: on one line, of limited length, without control characters,
 * the key and commands for CI runners. All such text in messages passes through this module.
 */
import { domainToASCII, domainToUnicode } from "node:url";

/** Makes text from outside this package safe for messages. */
export type Sanitizer = (text: string) => string;

const MAX_CHARACTERS = 300;
/** What stands in place of the key. */
export const BLANK = "***";

export interface SanitizerOptions {
  /** Whether to keep all characters but those that cannot be shown: no limit of the length, and every space. Default: no. */
  readonly whole?: boolean;
}

/** Creates a sanitizer, which also replaces the key: in plain text, percent-encoded or escaped as in JSON, in any letter case. */
export function sanitizerWithout(apiKey: string, { whole = false }: SanitizerOptions = {}): Sanitizer {
  const shownKey = whole ? printable(apiKey) : visible(apiKey);
  const encodedKey = new RegExp(`${inJson(shownKey)}|${percentEncoded(shownKey)}`, "gi");
  // Invisible characters are removed first, because they could split the key.
  return (text) => {
    const shown = (whole ? printable(text) : visible(text)).replace(encodedKey, BLANK);
    return whole ? withoutCommands(shown) : shortened(withoutCommands(shown));
  };
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

/** Values of fewer characters are not replaced in messages, which would become unreadable. */
const MIN_HIDDEN_CHARACTERS = 4;

/**
 * Creates a function that replaces values in messages: as they are, as this package shows them, escaped as in JSON,
 * percent-encoded or as hostnames; in any letter case, and cut off at the end of a shortened text.
 */
export function hiding(values: readonly string[]): Sanitizer {
  // The longest first: one value may be part of another.
  const forms = values.flatMap(formsOf).sort((one, other) => other.length - one.length);
  if (forms.length === 0) return (text) => text;
  const hidden = new RegExp(forms.map(literal).join("|"), "gi");
  // What is cut off first: a shorter value may be the beginning of a longer one.
  return (text) =>
    text
      .replace(/[^…]*…/g, (part) => forms.reduce((shown, form) => withoutBeginning(shown, form), part))
      .replace(hidden, BLANK);
}

function formsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const forms = [
    value,
    withoutCommands(visible(value)),
    json,
    json.replace(/[^ -~]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`),
    encodeURIComponent(value.toWellFormed()),
    domainToASCII(value),
    domainToUnicode(value),
  ].map(visible);
  return [...new Set(forms)].filter((form) => [...form].length >= MIN_HIDDEN_CHARACTERS);
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
export function sanitized(text: string): string {
  return shortened(withoutCommands(visible(text)));
}

function shortened(text: string): string {
  const characters = [...text];
  if (characters.length <= MAX_CHARACTERS) return text;
  return `${characters.slice(0, MAX_CHARACTERS).join("")}…`;
}

/** On one line, without control and format characters. */
function visible(text: string): string {
  return printable(text).replace(/\s+/gu, " ").trim();
}

/** The same with every space. */
function printable(text: string): string {
  return text.replace(/\p{Cf}/gu, "").replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}

/** GitHub runs lines that begin with `::` as commands. GitHub and Azure run `##[…]` and `##vso[…]` anywhere in a line. */
function withoutCommands(text: string): string {
  return text.replace(/^::/, ": :").replace(/#(?=#\w*\[)/g, "# ");
}

/** A copy of a response in which every text is sanitized. */
export function sanitizedIn<Value>(value: Value, sanitized: Sanitizer): Value {
  const copy = (part: unknown): unknown => {
    if (typeof part === "string") return sanitized(part);
    if (Array.isArray(part)) return part.map(copy);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, copy(each)]));
  };
  return copy(value) as Value;
}
