/** Timers of this process that expire when a test says so: on a busy machine, they could expire too early. */

/** Holds the timers of this duration, until `using` gives them back. */
export function holdTimers(milliseconds: number) {
  const held: (() => void)[] = [];
  const start = globalThis.setTimeout;
  const holding = (callback: () => void, delayMs?: number, ...args: []) => {
    if (delayMs === milliseconds) held.push(callback);
    return start(callback, delayMs, ...args);
  };
  const spy = jest.spyOn(globalThis, "setTimeout").mockImplementation(holding as typeof start);
  return {
    /** Lets those that have started expire. */
    expire() {
      for (const callback of held.splice(0)) callback();
    },
    [Symbol.dispose]: () => spy.mockRestore(),
  };
}
