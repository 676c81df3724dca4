/** The objects and resources that a run remembers by their keys. */

/** A set of strings. */
export interface Marks {
  add(mark: string): void;
  delete(mark: string): void;
  has(mark: string): boolean;
}
