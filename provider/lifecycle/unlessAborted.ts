/** Waits until the signal aborts. Only for operations that are safe to abandon. @throws the reason of the signal. */
export async function unlessAborted<Value>(
  evaluate: () => Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([evaluate(), aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
