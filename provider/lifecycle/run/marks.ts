/** The objects and resources that a run remembers by their keys. */
import { UserError } from "../../errors";

/** A set of strings that the processes of a run share. */
export interface Marks {
  /**
   * Adds a mark of this process. Returns whether it had none.
   *
   * @throws UserError if other processes should see the mark, but it cannot be written.
   */
  add(mark: string): boolean;
  /** Deletes the mark of this process. Those of other processes stay. */
  delete(mark: string): void;
  /** Whether any process has the mark. @throws UserError if those of other processes cannot be read. */
  has(mark: string): boolean;
  /** Whether another process has the mark. @throws UserError as `has` does. */
  hasElsewhere(mark: string): boolean;
  /** @throws UserError if other processes cannot see what is added. */
  requireShared(): void;
}

/** Marks of a process that is not part of a run. */
export function ownMarks(): Marks {
  const own = new Set<string>();
  return {
    add(mark) {
      const isNew = !own.has(mark);
      own.add(mark);
      return isNew;
    },
    delete: (mark) => void own.delete(mark),
    has: (mark) => own.has(mark),
    hasElsewhere: () => false,
    requireShared() {},
  };
}

/** Runs work on marks. @throws UserError that begins with what is refused because the marks cannot be used. */
export function orRefuse<Value>(refusal: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw error instanceof UserError
      ? new UserError(`${refusal}\n${error.message}`, { cause: error })
      : error;
  }
}

/** Uses marks. Returns undefined if they cannot be read or written. */
export function unlessUnusable<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
