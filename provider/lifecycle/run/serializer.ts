/** Serializes operations that must not overlap. */

/** Runs an operation after all earlier ones with the same key have ended. */
export type RunExclusively = <Value>(key: string, operation: () => Promise<Value>) => Promise<Value>;

/** Creates a queue for each key. An operation starts when the previous one has ended, successfully or not. */
export function serializer(): RunExclusively {
  const last = new Map<string, Promise<unknown>>();
  return async (key, operation) => {
    const result = (last.get(key) ?? Promise.resolve()).then(operation, operation);
    last.set(key, result);
    try {
      return await result;
    } finally {
      if (last.get(key) === result) last.delete(key);
    }
  };
}
