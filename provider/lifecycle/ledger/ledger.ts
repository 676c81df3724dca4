/** The facts that a process knows about objects. It records them before it acts, and knows no facts of other processes. */
import { current, type Fact, type FactKind, overrules } from "./facts";

export interface Facts {
  /** The facts about an object or a create that nothing overrules, oldest first. */
  about(object: string): readonly Fact[];
  /** Whether a fact of this kind about an object counts. */
  has(object: string, is: FactKind): boolean;
  /** All facts of a resource, oldest first, also overruled ones: they say what it had. */
  by(resource: string): readonly Fact[];
  /** All facts about what is in an object, oldest first, also overruled ones. */
  in(parent: string): readonly Fact[];
}

export interface Ledger extends Facts {
  record(fact: Fact): void;
}

export function newLedger(): Ledger {
  const byObject = new Map<string, Fact[]>();
  const byResource = new Map<string | undefined, Fact[]>();
  const byParent = new Map<string, Fact[]>();

  const about = (object: string) => current(byObject.get(object) ?? []);

  function isKnown(fact: Fact): boolean {
    const last = byObject
      .get(fact.object)
      ?.findLast((other) => other.by === fact.by && (other.is === fact.is || overrules(other, fact)));
    return last?.is === fact.is && last.fixed === fact.fixed && last.parent === fact.parent;
  }

  return {
    record(fact) {
      if (isKnown(fact)) return;
      append(byObject, fact.object, fact);
      append(byResource, fact.by, fact);
      if (fact.parent !== undefined) append(byParent, fact.parent, fact);
    },
    about,
    has: (object, is) => about(object).some((fact) => fact.is === is),
    by: (resource) => byResource.get(resource) ?? [],
    in: (parent) => byParent.get(parent) ?? [],
  };
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  lists.set(key, [...(lists.get(key) ?? []), value]);
}
