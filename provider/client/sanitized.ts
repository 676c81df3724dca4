/**
 * Makes text of the service or the system safe for messages: on one line, of limited length, without control
 * characters, without the key, and without commands for CI runners. All such text in messages passes through this
 * module.
 */

import { domainToASCII, domainToUnicode } from "node:url";

/** Makes text from outside this package safe for messages. */
export type Sanitizer = (text: string) => string;

const MAX_CHARACTERS = 300;
const BLANK = "***";

export interface SanitizerOptions {
  /** Whether to keep all characters but those that cannot be shown: no limit of the length, and every space. Default: no. */
  readonly whole?: boolean;
}

/**
 * Creates a function that makes text safe for messages.
 *
 * It replaces the key in plain text, in hex, and in base64, also of a longer text that contains the key; and with any
 * of its characters percent-encoded or escaped as in JSON. Letter case does not matter.
 */
export function sanitizerWithout(apiKey: string, { whole = false }: SanitizerOptions = {}): Sanitizer {
  const shownKey = whole ? printable(apiKey) : visible(apiKey);
  const encodings = [
    percentEncoded(shownKey),
    inJson(shownKey),
    Buffer.from(apiKey).toString("hex"),
    ...base64Parts(apiKey),
  ]
    // An empty pattern would match everywhere.
    .filter((each) => each !== "");
  const encodedKey = new RegExp(encodings.join("|"), "gi");
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
/** Bounds the memory. Beyond it, the values that were not added for the longest time are shown again. */
const MAX_HIDDEN_VALUES = 10_000;

interface HiddenForm {
  readonly form: string;
  /** The beginning in upper case. A text without it contains neither the form nor a part that is cut off. */
  readonly start: string;
}

/**
 * Creates an empty collection of values that messages must not show. Messages contain them as they are, as messages of
 * this package show them, escaped as in JSON (also as ASCII), percent-encoded or as hostnames; in any letter case, and
 * cut off at the end of a shortened text.
 */
export function newHiddenValues() {
  const formsByValue = new Map<string, readonly HiddenForm[]>();
  return {
    /** Whether a text is one of the values, as a whole. */
    isHidden: (text: string): boolean =>
      [...formsByValue.values()].some((forms) => forms.some(({ form }) => form === text)),

    add(values: readonly string[]): void {
      for (const value of values) {
        const forms = formsByValue.get(value) ?? formsOf(value);
        formsByValue.delete(value);
        if (forms.length > 0) formsByValue.set(value, forms);
      }
      for (const oldest of formsByValue.keys()) {
        if (formsByValue.size <= MAX_HIDDEN_VALUES) break;
        formsByValue.delete(oldest);
      }
    },

    /** Replaces the values that were added before. */
    sanitized(text: string): string {
      const upper = text.toUpperCase();
      const hidden = [...formsByValue.values()]
        .flatMap((forms) => forms.filter(({ start }) => upper.includes(start)))
        .map(({ form }) => form)
        // The longest first: one value may be part of another.
        .sort((one, other) => other.length - one.length);
      if (hidden.length === 0) return text;
      // What is cut off first: a shorter value may be the beginning of a longer one.
      return text
        .replace(/[^…]*…/g, (part) => hidden.reduce((shown, form) => withoutBeginning(shown, form), part))
        .replace(new RegExp(hidden.map(literal).join("|"), "gi"), BLANK);
    },
  };
}

function formsOf(value: string): HiddenForm[] {
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
  return [...new Set(forms)]
    .filter((form) => [...form].length >= MIN_HIDDEN_CHARACTERS)
    .map((form) => ({ form, start: form.slice(0, MIN_HIDDEN_CHARACTERS).toUpperCase() }));
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
  return text.replace(/\p{Cf}+/gu, "").replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}

/**
 * GitHub runs lines that begin with `::` as commands. GitHub and Azure run `##[…]` and `##vso[…]` anywhere in a line.
 */
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
