/**
 * The objects that resources of the program have and keep. The state can contain one object twice, for example after
 * two imports under different names. If the program declares only one of the two resources, the other one is deleted,
 * and must not take the object with it.
 *
 * No call says why an entry of the state is deleted: the program may no longer declare it, or the engine may replace it.
 * A resource keeps its object if its inputs passed the check and the provider then found no change or updated it. It
 * stops keeping it only if the same resource is then checked as a new one, which the engine does before it replaces it.
 * Another resource with equal inputs changes nothing.
 */
import type { Marks } from "./marks";

/** The objects that resources of the program keep. */
export type DeclaredObjects = ReturnType<typeof declaredObjects>;

/**
 * Creates an empty set.
 *
 * @param marks the kept objects, shared with the other processes of the run.
 */
export function declaredObjects(marks: Marks) {
  const declared = new Set<string>();
  /** The resources that are not compared yet, by key. */
  const expected = new Map<string, Set<string | undefined>>();
  /** The resource that has an object, by key and object. */
  const resources = new Map<string, string>();
  /** The objects that each resource keeps. A resource that is not identified keeps its object to the end. */
  const kept = new Map<string | undefined, Set<string>>();
  const both = (key: string, object: string) => JSON.stringify([key, object]);
  return {
    /**
     * Records that the program declares an existing resource. A refresh also compares resources that it does not declare.
     *
     * @param key what the calls that follow know of the resource: its URN, else its inputs.
     * @param resource identifies the resource. Undefined if the host cannot.
     */
    addDeclared(key: string, resource: string | undefined): void {
      declared.add(key);
      expected.set(key, (expected.get(key) ?? new Set()).add(resource));
    },
    /** Records which object a declared resource has. Ignores other resources. */
    addCompared(key: string, object: string): void {
      const [resource, ...others] = expected.get(key) ?? [];
      // The engine compares a resource before it checks the next one. If it compares several with equal inputs in
      // parallel, nothing shows which of them has the object.
      if (resource === undefined || others.length > 0) return;
      expected.delete(key);
      resources.set(both(key, object), resource);
    },
    /** Records that a declared resource keeps its object. Ignores other resources. */
    addKept(key: string, object: string): void {
      if (!declared.has(key)) return;
      const resource = resources.get(both(key, object));
      kept.set(resource, (kept.get(resource) ?? new Set()).add(object));
      marks.add(object);
    },
    /** Records that a resource is created. If it was declared and compared in this run, it is replaced. */
    removeReplaced(resource: string | undefined): void {
      if (resource === undefined) return;
      for (const others of expected.values()) others.delete(resource);
      const objects = kept.get(resource) ?? [];
      kept.delete(resource);
      for (const object of objects)
        if (![...kept.values()].some((others) => others.has(object))) marks.delete(object);
    },
    /** Whether a resource keeps the object. */
    has: (object: string): boolean => marks.has(object),
  };
}
