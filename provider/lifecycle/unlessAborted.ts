/** Runs an operation that is safe to abandon, and abandons it when the signal aborts. @throws the reason of the signal. */
export async function unlessAborted<Value>(
  evaluate: () => Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", stop);
  try {
    return await Promise.race([evaluate(), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
