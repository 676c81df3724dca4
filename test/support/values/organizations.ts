/** The organizations of the tests. */
import type { Seed } from "../../../testing/emulator";

/** The organization that scenarios run in, and another one. */
export const ORGANIZATION = "0a0a0a0a-0000-4000-8000-000000000001";
export const OTHER_ORGANIZATION = "0b0b0b0b-0000-4000-8000-000000000002";
/** Keys. They are test data, not real keys. */
export const KEY = "canary-key-of-the-scenarios-1";
export const OTHER_KEY = "bother-key-of-the-scenarios-2";

/** An organization whose key has all scopes, and another organization. */
export function seedWith(projects: NonNullable<Seed["organizations"][number]["projects"]> = []): Seed {
  return {
    organizations: [
      { id: ORGANIZATION, keys: [{ key: KEY }], projects },
      { id: OTHER_ORGANIZATION, keys: [{ key: OTHER_KEY }] },
    ],
  };
}
