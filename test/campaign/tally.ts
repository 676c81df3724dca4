/** What a campaign counts, and the error of a broken invariant. */

/** How often something happened: sequences, commands, requests, and each fault and incident by its name. */
export type Tally = Map<string, number>;

export function count(tally: Tally, name: string, times = 1): void {
  tally.set(name, (tally.get(name) ?? 0) + times);
}

/** A broken invariant. The message begins with its kind. */
export class BrokenRule extends Error {
  constructor(
    rule: "duplicate" | "orphan" | "leak" | "loss" | "write" | "convergence" | "emulator",
    detail: string,
  ) {
    super(`${rule}: ${detail}`);
  }
}
