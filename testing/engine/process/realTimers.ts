/**
 * The timers of Node.js, taken when the engine is loaded: a test may replace the global ones with fakes, which do nothing
 * until it advances them. gRPC uses the global ones.
 */

/** Used for time limits, which must end a command whatever happens to the global timers meanwhile. */
export const { setTimeout, clearTimeout } = globalThis;

/** A timer, and the function that takes the place of a fake one. It is like no other, so that it is recognized there. */
const TIMERS = [
  ...["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate"].map(
    (name) => timerAt(globalThis, name),
  ),
  timerAt(globalThis, "queueMicrotask"),
  timerAt(process, "nextTick"),
];

function timerAt(holder: object, name: string) {
  const real = Reflect.get(holder, name) as (...args: unknown[]) => unknown;
  return { holder, name, real, substitute: (...args: unknown[]) => real(...args) };
}

type Timer = (typeof TIMERS)[number];

let running = 0;
const fakes = new Map<Timer, unknown>();

/** Runs a command with real timers in place of fake ones. The fake ones are put back when no command is running. */
export async function withRealTimers<Result>(run: () => Promise<Result>): Promise<Result> {
  running += 1;
  for (const timer of TIMERS) {
    const current = Reflect.get(timer.holder, timer.name);
    if (current === timer.real || current === timer.substitute) continue;
    fakes.set(timer, current);
    Reflect.set(timer.holder, timer.name, timer.substitute);
  }
  try {
    return await run();
  } finally {
    running -= 1;
    if (running === 0) restoreFakes();
  }
}

/** The test may have changed a timer during the command. Then it stays. */
function restoreFakes(): void {
  for (const [{ holder, name, substitute }, fake] of fakes)
    if (Reflect.get(holder, name) === substitute) Reflect.set(holder, name, fake);
  fakes.clear();
}
