/**
 * Text of the service or the system, made fit for a message: on one line, without control characters, without the
 * key, no command to a CI runner, and not too long. All that is foreign in a message has been here.
 */

/** Makes foreign text fit for a message. */
export type Printable = (text: string) => string;

const MAX_CHARACTERS = 300;
const BLANK = "***";

/**
 * Makes the function that every foreign text goes through on its way into a message.
 *
 * It blanks the key as it is, in base64, percent-encoded and as a JSON string holds it, in any case.
 */
export function printableWithout(apiKey: string): Printable {
  const base64 = Buffer.from(apiKey).toString("base64").replace(/=+$/, "");
  const base64Url = Buffer.from(apiKey).toString("base64url");
  const form = new URLSearchParams([[apiKey, ""]]).toString().slice(0, -1);
  const written = [
    apiKey,
    base64,
    base64Url,
    encodeURIComponent(apiKey),
    form,
    JSON.stringify(apiKey).slice(1, -1),
  ]
    .map(visible)
    .filter((each) => each !== "")
    // The longest first: one way of writing the key may be part of another.
    .sort((one, other) => other.length - one.length)
    .map((each) => each.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  const keyWritten = new RegExp(written.join("|"), "gi");
  return (text) => {
    // What cannot be seen goes first, as it could cut the key in two.
    const characters = [...withoutCommands(visible(text).replace(keyWritten, BLANK))];
    if (characters.length <= MAX_CHARACTERS) return characters.join("");
    return `${characters.slice(0, MAX_CHARACTERS).join("")}…`;
  };
}

/** On one line, without control and format characters. */
function visible(text: string): string {
  return text
    .replace(/\p{Cf}+/gu, "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
}

/** GitHub takes a line that begins with `::` for a command; it and Azure take `##[…]` and `##vso[…]` anywhere. */
function withoutCommands(text: string): string {
  return text.replace(/^::/, ": :").replace(/#(?=#\w*\[)/g, "# ");
}

/** A copy of a value, as an answer has it, of which every text is printable. */
export function printableIn<Value>(value: Value, printable: Printable): Value {
  const copy = (part: unknown): unknown => {
    if (typeof part === "string") return printable(part);
    if (Array.isArray(part)) return part.map(copy);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, copy(each)]));
  };
  return copy(value) as Value;
}
