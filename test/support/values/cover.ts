/** Chooses few candidates that together have every part that any of them has. */
export function coverOf<Candidate>(
  candidates: readonly Candidate[],
  partsOf: (candidate: Candidate) => ReadonlySet<string>,
  costOf: (candidate: Candidate) => number = () => 1,
): Candidate[] {
  const missing = new Set(candidates.flatMap((each) => [...partsOf(each)]));
  const gain = (one: Candidate) => [...partsOf(one)].filter((part) => missing.has(part)).length / costOf(one);
  const chosen: Candidate[] = [];
  while (missing.size > 0) {
    const best = candidates.reduce((found, one) => (gain(one) > gain(found) ? one : found));
    for (const part of partsOf(best)) missing.delete(part);
    chosen.push(best);
  }
  return chosen;
}
