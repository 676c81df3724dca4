const LIMIT_MS = 60_000;

/**
 * Resolves when a condition holds that another process brings about.
 *
 * @throws Error with what was missing, after a time within which it happens even on a busy machine.
 */
export async function until(holds: () => boolean, missing: () => string, limitMs = LIMIT_MS): Promise<void> {
  const end = performance.now() + limitMs;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`Waited ${limitMs} ms. ${missing()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
