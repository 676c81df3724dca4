/** The end of a message about a misspelt name: `; did you mean bundleId?`, or nothing if no name is similar. */
export function suggestion(misspelt: string, names: readonly string[]): string {
  const nearest = nearestName(misspelt, names);
  return nearest === undefined ? "" : `; did you mean ${nearest}?`;
}

/** The name closest to a misspelt one, which may differ in case, separators and a few letters: `bundleId` for `bundel_id`. */
export function nearestName(misspelt: string, names: readonly string[]): string | undefined {
  const wanted = plain(misspelt);
  const [nearest] = names
    .map((name) => ({ name, distance: distance(wanted, plain(name)) }))
    .sort((one, other) => one.distance - other.distance);
  // At most a third of the letters may differ: otherwise unrelated names would be suggested.
  return nearest !== undefined && nearest.distance <= wanted.length / 3 ? nearest.name : undefined;
}

/** A name in lower case without separators, truncated because the cost of a comparison grows with the length. */
function plain(name: string): string {
  return name
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase()
    .slice(0, 100);
}

/** The edit distance: how many letters must be inserted, removed, replaced or swapped with a neighbour. */
function distance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let line = 1; line <= one.length; line++) {
    const next = [line];
    for (let column = 1; column <= other.length; column++) {
      const same = one[line - 1] === other[column - 1];
      const swapped = one[line - 1] === other[column - 2] && one[line - 2] === other[column - 1];
      next[column] = Math.min(
        at(next, column - 1) + 1,
        at(row, column) + 1,
        at(row, column - 1) + (same ? 0 : 1),
        swapped ? at(before, column - 2) + 1 : Infinity,
      );
    }
    before = row;
    row = next;
  }
  return at(row, other.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
