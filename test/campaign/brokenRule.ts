/** A broken invariant. The message begins with its kind. */
export class BrokenRule extends Error {
  constructor(
    rule: "duplicate" | "orphan" | "leak" | "loss" | "write" | "convergence" | "emulator",
    detail: string,
  ) {
    super(`${rule}: ${detail}`);
  }
}
