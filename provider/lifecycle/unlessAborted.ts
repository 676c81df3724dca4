/** Waits until the signal aborts. Only for operations that are safe to abandon. @throws the reason of the signal. */
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
