/** The encodings of a key, for tests that search for it in all output. */
export function spellings(key: string): string[] {
  const bytes = Buffer.from(key);
  // In a longer text, base64 depends on the offset of the key. The bytes left out share a group of three bytes with
  // the surrounding text.
  const encoded = (["base64", "base64url"] as const).flatMap((encoding) =>
    [0, 1, 2].map((offset) => {
      const shifted = bytes.subarray((3 - offset) % 3);
      return shifted.subarray(0, shifted.length - (shifted.length % 3)).toString(encoding);
    }),
  );
  return [key, encodeURIComponent(key), bytes.toString("hex"), ...encoded];
}

/** The names of the texts that contain a key, in any encoding. */
export function placesWith(key: string, places: Readonly<Record<string, string>>): string[] {
  const written = spellings(key).map((spelling) => spelling.toLowerCase());
  return Object.entries(places)
    .filter(([, text]) => written.some((spelling) => text.toLowerCase().includes(spelling)))
    .map(([place]) => place);
}
