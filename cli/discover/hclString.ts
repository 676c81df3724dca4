/** Strings of HCL, in the form in which Terraform writes them into addresses. */

const ESCAPES: Readonly<Record<string, string>> = { "\n": "n", "\r": "r", "\t": "t" };
const ESCAPED = Object.fromEntries(Object.entries(ESCAPES).map(([text, letter]) => [letter, text]));

/** A text as a string. Besides quotes, what does not print and what begins a template is escaped. */
export function hclString(text: string): string {
  const inner = text.replaceAll(/[$%](?=\{)|["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (one) => {
    if (/[$%]/.test(one)) return one + one;
    if (/["\\\n\r\t]/.test(one)) return `\\${ESCAPES[one] ?? one}`;
    const hex = one.codePointAt(0)?.toString(16) ?? "";
    return hex.length > 4 ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
  });
  return `"${inner}"`;
}

/** The text of what is between the quotes of a string. */
export function hclText(inner: string): string {
  const escapes = /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))|([$%])\4(?=\{)/gs;
  return inner.replaceAll(escapes, (_, four?: string, eight?: string, one = "", sign?: string) => {
    const hex = four ?? eight;
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return sign ?? ESCAPED[one] ?? one;
  });
}
