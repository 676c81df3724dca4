import fc from "fast-check";

/** Any character but a half of a surrogate pair. fast-check's own `binary` takes a second to build. */
const CHARACTER = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint));

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
