/**
 * Makes text of the service or the system safe for messages: on one line, of limited length, without control
 * characters, without the key, and without commands for CI runners. All such text in messages passes through this
 * module.
 */

/** Makes text from outside this package safe for messages. */
export type Printable = (text: string) => string;

const MAX_CHARACTERS = 300;
const BLANK = "***";

/**
 * Creates a function that makes text safe for messages.
 *
 * It replaces the key in plain text, in base64, percent-encoded and escaped as in JSON, in any letter case.
 */
export function printableWithout(apiKey: string): Printable {
  const base64 = Buffer.from(apiKey).toString("base64").replace(/=+$/, "");
  const base64Url = Buffer.from(apiKey).toString("base64url");
  const form = new URLSearchParams([[apiKey, ""]]).toString().slice(0, -1);
  const encodings = [
    apiKey,
    base64,
    base64Url,
    encodeURIComponent(apiKey),
    form,
    JSON.stringify(apiKey).slice(1, -1),
  ]
    .map(visible)
    .filter((each) => each !== "")
    // The longest first: one encoding of the key may be part of another.
    .sort((one, other) => other.length - one.length)
    .map((each) => each.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  const encodedKey = new RegExp(encodings.join("|"), "gi");
  // Invisible characters are removed first, because they could split the key.
  return (text) => shortened(withoutCommands(visible(text).replace(encodedKey, BLANK)));
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
