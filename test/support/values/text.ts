import fc from "fast-check";

/** Any character but a half of a surrogate pair, equally likely. fast-check's own `binary` takes a second to build. */
const CHARACTER = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800), numberOf);

/** The number of a character. fast-check puts texts such as "__proto__" into strings only where it knows it. */
function numberOf(character: unknown): number {
  const code = String(character).codePointAt(0);
  if (typeof character !== "string" || code === undefined || String.fromCodePoint(code) !== character)
    throw new Error("It is not one character.");
  return code < 0xd800 ? code : code - 0x800;
}

/** A text of any characters. */
export function unicodeText(lengths: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ ...lengths, unit: CHARACTER });
}

const PART = unicodeText({ maxLength: 10 }).map(encodeURIComponent);

/** An HTTPS address with a path and, sometimes, a query. */
export const webAddress: fc.Arbitrary<string> = fc
  .tuple(fc.domain(), fc.array(PART, { maxLength: 4 }), fc.option(PART))
  .map(
    ([hostname, path, query]) =>
      `https://${hostname}/${path.join("/")}${query === null ? "" : `?text=${query}`}`,
  );

const byPattern = new Map<string, fc.Arbitrary<string>>();

/** Texts that match a pattern. To prepare them takes longer than to generate some. */
export function matching(pattern: RegExp): fc.Arbitrary<string> {
  const texts = byPattern.get(pattern.source) ?? fc.stringMatching(pattern);
  byPattern.set(pattern.source, texts);
  return texts;
}

/** A fingerprint in which every pair of digits is the same. */
export function fingerprintOf(pair: string): string {
  return Array(32).fill(pair).join(":");
}
