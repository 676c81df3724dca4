/** Creates a queue for each key. An operation starts when the previous one has ended, successfully or not. */
export function serializer() {
  const last = new Map<string, Promise<unknown>>();
  return async <Value>(key: string, operation: () => Promise<Value>): Promise<Value> => {
    const result = (last.get(key) ?? Promise.resolve()).then(operation, operation);
    last.set(key, result);
    try {
      return await result;
    } finally {
      if (last.get(key) === result) last.delete(key);
    }
  };
}
