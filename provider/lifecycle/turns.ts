/** Operations that must not overlap. */

/** Runs operations, serialized per key. */
export type Turns = <Value>(key: string, operation: () => Promise<Value>) => Promise<Value>;

/** Creates the turns of a run: an operation begins when the one before it of the same key has ended, well or badly. */
export function newTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return async (key, operation) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(operation, operation);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}
