/**
 * The timers of Node.js, taken when the engine is loaded: a test may replace the global ones, which gRPC uses, with fakes that
 * do nothing until it advances them.
 */

/** For time limits, which must end a command whatever happens to the global timers meanwhile. */
export const { setTimeout, clearTimeout } = globalThis;

const NAMES = ["Timeout", "Interval", "Immediate"].flatMap((timer) => [`set${timer}`, `clear${timer}`]);

/** The timers, each with the function that takes the place of a fake one and is like no other. */
const TIMERS = [...NAMES, "queueMicrotask", "nextTick"].map((name) => {
  const holder: object = name in globalThis ? globalThis : process;
  const real = Reflect.get(holder, name) as (...args: unknown[]) => unknown;
  return { holder, name, real, substitute: (...args: unknown[]) => real(...args) };
});

const fakes = new Map<(typeof TIMERS)[number], unknown>();
let running = 0;

/** Runs a command with real timers in place of fake ones. After the last command, those that are still there are fake again. */
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
    for (const [{ holder, name, substitute }, fake] of running === 0 ? fakes : [])
      if (Reflect.get(holder, name) === substitute) Reflect.set(holder, name, fake);
    if (running === 0) fakes.clear();
  }
}
