/**
 * Which resource of the program a call is about. A host that passes URNs says so. On the dynamic host, only `check` is told
 * which resource it is for; the calls that follow have nothing but its values, so two resources with equal values can be
 * told apart only by the order of the calls.
 */
import { UNIDENTIFIED } from "../ledger/facts";

export type Callers = ReturnType<typeof newCallers>;

/** Creates the callers of a process. The key of a call is its URN, else what it has of the declared values. */
export function newCallers() {
  const declared = new Set<string>();
  /** The resources that are checked and not compared yet, by key. */
  const expected = new Map<string, Set<string | undefined>>();
  /** The resource that has an object, by key and object. */
  const owners = new Map<string, string>();
  /** The resources that create an object, by key. */
  const created = new Map<string, Set<string>>();
  let unidentified = 0;
  const both = (key: string, object: string) => JSON.stringify([key, object]);
  return {
    /** Records a check of a resource that exists. A refresh also compares those that the program does not declare. */
    checked(key: string, resource: string | undefined): void {
      declared.add(key);
      expected.set(key, (expected.get(key) ?? new Set()).add(resource));
    },
    /** Records a check of a resource that is new, perhaps in place of one that exists. */
    checkedNew(resource: string | undefined): void {
      if (resource === undefined) return;
      for (const others of expected.values()) others.delete(resource);
    },
    /** Records that a resource that is checked as new creates an object. */
    creates(key: string, resource: string | undefined): void {
      created.set(key, (created.get(key) ?? new Set()).add(resource ?? `${UNIDENTIFIED}${++unidentified}`));
    },
    /** Records which object the resource of a call has. */
    compared(key: string, object: string): void {
      const [resource, ...others] = expected.get(key) ?? [];
      // The engine compares a resource before it checks the next one. If it compares several with equal values in
      // parallel, nothing shows which of them has the object.
      if (resource === undefined || others.length > 0) return;
      expected.delete(key);
      owners.set(both(key, object), resource);
    },
    /** Whether the program declares the resource of a call. */
    isDeclared: (key: string): boolean => declared.has(key),
    /** The resource of a call about an object. Undefined if it is not known. */
    ownerOf: (key: string, object: string): string | undefined => owners.get(both(key, object)),
    /** The resources that a create may be for. */
    creatorsOf: (key: string): readonly string[] => [...(created.get(key) ?? [])],
  };
}
