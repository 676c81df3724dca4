import type { Asked } from "./asked";

/** Calls each function once, for all that ask for its result. */
export function onceFor(asked: Omit<Asked, "once">): Asked["once"] {
  const results = new Map<unknown, Promise<unknown>>();
  return function once<Result>(observe: (asked: Asked) => Promise<Result>): Promise<Result> {
    const result = results.get(observe) ?? observe({ ...asked, once });
    results.set(observe, result);
    return result as Promise<Result>;
  };
}
