/** Text of the service or the system, made fit for a message: no control characters, no key, not too long. */

/** Makes foreign text fit for a message. */
export type Printable = (text: string) => string;

const MAX_CHARACTERS = 300;
const BLANK = "***";

/**
 * Makes the function that every foreign text goes through on its way into an error.
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
    const characters = [...visible(text).replace(keyWritten, BLANK)];
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
