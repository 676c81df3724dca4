/** Runs work. At most `count` calls run at the same time; the others wait, and start in the order of their calls. */
export function limit(count: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((start) => waiting.push(start));
    try {
      return await work();
    } finally {
      // The place goes directly to the next one, so that a later call cannot take it.
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
