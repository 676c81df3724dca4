/** Statistics of several measurements of the same value. */

/** The median of some numbers, and the smallest and the largest. */
export interface Summary {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly count: number;
}

/** The summary of measurements. */
export function summaryOf(numbers: readonly number[]): Summary {
  const sorted = [...numbers].sort((left, right) => left - right);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    least: at(0),
    most: at(sorted.length - 1),
    count: sorted.length,
  };
}
