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
  const key = apiKey.trim();
  const base64 = Buffer.from(key).toString("base64").replace(/=+$/, "");
  const base64Url = Buffer.from(key).toString("base64url");
  const form = new URLSearchParams([[key, ""]]).toString().slice(0, -1);
  const written = [key, base64, base64Url, encodeURIComponent(key), form, JSON.stringify(key).slice(1, -1)]
    .filter((each) => each !== "")
    // The longest first: one way of writing the key may be part of another.
    .sort((one, other) => other.length - one.length)
    .map((each) => each.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  const keyWritten = new RegExp(written.join("|"), "gi");
  return (text) => {
    // Control characters first, as they could cut the key in two.
    const visible = text
      .replace(/\p{Cf}+/gu, "")
      .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
      .trim();
    const characters = [...visible.replace(keyWritten, BLANK)];
    if (characters.length <= MAX_CHARACTERS) return characters.join("");
    return `${characters.slice(0, MAX_CHARACTERS).join("")}…`;
  };
}
