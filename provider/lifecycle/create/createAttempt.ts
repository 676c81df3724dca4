/**
 * Records creates for the other processes of a run. If the response to a create is lost, an object that the service
 * lists is its result only if it cannot be that of another create.
 */

import type { Found, ResourceDescription } from "../description";
import { orRefuse, unlessUnusable } from "../run/marks";
import { objectKey, type RunMemory } from "../run/runMemory";

/** A create. It stays recorded if its effect is unknown. */
export type CreateAttempt = ReturnType<typeof beginCreate>;

/**
 * Records a create before it is sent.
 *
 * @param key creates with the same key can be confused. In a process, one follows the other.
 * @throws UserError if other processes could not see it.
 */
export function beginCreate({ title }: ResourceDescription, { created, creating }: RunMemory, key: string) {
  // Otherwise an earlier create of this process has an unknown effect, and stays recorded.
  const isFirst = orRefuse(`The ${title} was not created.`, () => creating.add(key));
  const end = () => isFirst && creating.delete(key);
  return {
    /** Records the result, and returns it. */
    created(found: Found): Found {
      // The object exists and must be saved. As long as its create is recorded, no other one takes it for its result.
      unlessUnusable(() => {
        created.add(objectKey(title, found.uuid));
        end();
      });
      return found;
    },
    /** Records that it has created nothing. */
    failed: () => void unlessUnusable(end),
    /**
     * Whether no other create of the run can have created an object that the service has listed. Another process records
     * its result before it ends its create, so {@link isTaken} is asked afterwards.
     */
    isOnly: () => isFirst && unlessUnusable(() => !creating.hasElsewhere(key)) === true,
  };
}

/** Whether the run has created, adopts or otherwise knows an object, as far as that can be known. */
export function isTaken(
  { known, created, claimed, held, declared }: RunMemory,
  title: string,
  uuid: string,
): boolean {
  const object = objectKey(title, uuid);
  return [known, created, claimed, held, declared].some(
    (marks) => unlessUnusable(() => marks.has(object)) === true,
  );
}
