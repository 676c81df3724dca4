/** Ends only tests that hang. */
const LIMIT_MS = 300_000;

/**
 * Resolves when a condition holds that another process brings about.
 *
 * @throws Error with the condition or what was missing, after five minutes.
 */
export async function until(holds: () => boolean, missing = () => String(holds)): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`Waited ${LIMIT_MS} ms. ${missing()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
