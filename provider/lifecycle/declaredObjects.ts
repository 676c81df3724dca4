/**
 * The objects that resources of the program have and keep. The state can contain one object twice, for example after
 * two imports under different names. If the program declares only one of the two resources, the other one is deleted,
 * and must not take the object with it.
 *
 * No call says why an entry of the state is deleted: the program may no longer declare it, or the engine may replace it.
 * A resource keeps its object if its inputs passed the check and the provider then found no change or updated it.
 */
import type { Marks } from "./marks";

/** The objects that resources of the program keep. */
export interface DeclaredObjects {
  /** Records that the program declares an existing resource. A refresh also compares resources that it does not declare. */
  addDeclared(resource: string): void;
  /** Records that a declared resource keeps its object. Ignores other resources. */
  addKept(resource: string, object: string): void;
  /** Records that a resource is created, possibly in place of one that would otherwise keep its object. */
  removeReplaced(resource: string): void;
  /** Whether a resource keeps the object. */
  has(object: string): boolean;
}

/**
 * Creates an empty set.
 *
 * @param marks the kept objects, shared with the other processes of the run.
 */
export function declaredObjects(marks: Marks): DeclaredObjects {
  const declared = new Set<string>();
  // Resources are identified by their inputs if the host knows nothing else, so several of them can be equal.
  const objectsOf = new Map<string, Set<string>>();
  return {
    addDeclared(resource) {
      declared.add(resource);
    },
    addKept(resource, object) {
      if (!declared.has(resource)) return;
      objectsOf.set(resource, (objectsOf.get(resource) ?? new Set()).add(object));
      marks.add(object);
    },
    removeReplaced(resource) {
      const objects = objectsOf.get(resource) ?? [];
      objectsOf.delete(resource);
      for (const object of objects)
        if (![...objectsOf.values()].some((others) => others.has(object))) marks.delete(object);
    },
    has: (object) => marks.has(object),
  };
}
