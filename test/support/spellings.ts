/** The ways in which a key could be written down, for tests that look for it everywhere. */
export function spellings(key: string): string[] {
  const bytes = Buffer.from(key);
  // Within a longer text base64 depends on where the key begins: what is left out belongs to a group of three
  // bytes with something else.
  const encoded = (["base64", "base64url"] as const).flatMap((encoding) =>
    [0, 1, 2].map((offset) => {
      const shifted = bytes.subarray((3 - offset) % 3);
      return shifted.subarray(0, shifted.length - (shifted.length % 3)).toString(encoding);
    }),
  );
  return [key, encodeURIComponent(key), bytes.toString("hex"), ...encoded];
}

/** The places among these in which a key is written, in whatever way. */
export function placesWith(key: string, places: Readonly<Record<string, string>>): string[] {
  const written = spellings(key).map((spelling) => spelling.toLowerCase());
  return Object.entries(places)
    .filter(([, text]) => written.some((spelling) => text.toLowerCase().includes(spelling)))
    .map(([place]) => place);
}
