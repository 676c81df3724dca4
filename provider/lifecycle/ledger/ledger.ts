/**
 * What a run knows about objects: facts that its processes record before they act. The engine starts a process for each
 * provider, so a ledger has the facts of its own process, and reads those of the others from the log that they share.
 */
import { UserError } from "../../errors";
import { current, type Fact, isShared, overrules, parseFact } from "./facts";

/** A log that the processes of a run append to. */
export interface RunLog {
  /**
   * Appends a line. If that is not possible yet, it is appended with the next one.
   *
   * @throws UserError if it cannot be written.
   */
  append(line: string): void;
  /** What other processes have appended since the last call. With a problem, there may be more. */
  read(): { readonly lines: readonly string[]; readonly problem?: UserError | undefined };
  /** @throws UserError if other processes cannot read what is appended. */
  requireShared(): void;
}

/** What is known now. */
export interface Facts {
  /** The facts about an object or a create that nothing overrules, oldest first. */
  about(object: string): readonly Fact[];
  /** The facts of a resource, oldest first. */
  by(resource: string): readonly Fact[];
  /** Why the facts of other processes cannot be read. Then there may be more. */
  readonly problem?: UserError | undefined;
}

export type Ledger = ReturnType<typeof newLedger>;

/** The log of a process that shares nothing. */
export const NO_LOG: RunLog = { append() {}, read: () => ({ lines: [] }), requireShared() {} };

/** Creates the ledger of a process. */
export function newLedger(log: RunLog = NO_LOG) {
  const byObject = new Map<string, Fact[]>();
  const byResource = new Map<string | undefined, Fact[]>();

  function add(fact: Fact): void {
    append(byObject, fact.object, fact);
    append(byResource, fact.by, fact);
  }

  function isKnown(fact: Fact): boolean {
    const last = byObject
      .get(fact.object)
      ?.findLast((other) => other.by === fact.by && (other.is === fact.is || overrules(other, fact)));
    return last?.is === fact.is && last.fixed === fact.fixed;
  }

  return {
    /**
     * Adds a fact for this process, and for the others if they need to know it.
     *
     * @throws UserError if it cannot be written for the others.
     */
    record(fact: Fact): void {
      if (isKnown(fact)) return;
      add(fact);
      if (isShared(fact)) log.append(JSON.stringify(fact));
    },
    /** @throws UserError if other processes cannot see what is recorded. */
    requireShared: () => log.requireShared(),
    /** What all processes of the run have recorded so far. */
    facts(): Facts {
      const { lines, problem } = log.read();
      for (const line of lines) {
        const fact = parseFact(line);
        if (fact !== undefined) add(fact);
      }
      return {
        about: (object) => current(byObject.get(object) ?? []),
        by: (resource) => byResource.get(resource) ?? [],
        problem,
      };
    },
  };
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Records a fact about something that has happened already, so that it counts even if the others cannot see it. */
export function recordIfPossible(ledger: Ledger, fact: Fact): void {
  try {
    ledger.record(fact);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
  }
}

/** Records what must be known before something is done. @throws UserError that begins with what is refused otherwise. */
export function refusing<Value>(refusal: string, record: () => Value): Value {
  try {
    return record();
  } catch (error) {
    throw error instanceof UserError ? refused(refusal, error) : error;
  }
}

/** The error for something that is not done because facts are missing, or cannot be recorded. */
export function refused(refusal: string, because: UserError): UserError {
  return new UserError(`${refusal}\n${because.message}`, { cause: because });
}
