/**
 * Reads that come close together, answered from lists: a refresh costs about two requests a project instead of one
 * an object.
 *
 * The engine has only a few reads in flight, so a list also serves the reads that follow within a short time. It
 * is dropped around every write of the same kind, and it never proves that an object is absent.
 */
import DataLoader from "dataloader";
import type { Found, OperationContext, ResourceDescription } from "./resource";

/** How long reads are collected: longer than the engine takes to send all that it has in flight. */
const WINDOW_MS = 10;
/** How long a list serves reads, from the moment it was asked for. */
const LIST_LIFETIME_MS = 10_000;

/** One object to read. */
interface Wanted {
  readonly description: ResourceDescription;
  readonly context: OperationContext;
  readonly uuid: string;
  readonly state: Record<string, unknown>;
}

interface List {
  readonly askedAtMs: number;
  readonly objects: Promise<ReadonlyMap<string, Found>>;
}

/** The coalesced reads of a session. */
export interface Reads {
  /** Reads an object for a refresh. @throws NotFoundError */
  read(wanted: Wanted): Promise<Found>;
  /** Forgets the lists of a kind, also those under way: called before and after each write of that kind. */
  forget(description: ResourceDescription): void;
}

/** Makes the coalesced reads of a session. */
export function coalescedReads(): Reads {
  const lists = new Map<ResourceDescription, Map<string, List>>();
  const loader = new DataLoader<Wanted, Found>(readTogether, {
    cache: false,
    batchScheduleFn: (callback) => setTimeout(callback, WINDOW_MS),
  });

  async function readTogether(wanted: readonly Wanted[]): Promise<(Found | Error)[]> {
    const [only] = wanted;
    const alone = only !== undefined && wanted.length === 1;
    const reading = wanted.map((one) => (alone ? readSingly(one) : readFrom(listFor(one), one)));
    const results = await Promise.allSettled(reading);
    return results.map((result) => (result.status === "fulfilled" ? result.value : (result.reason as Error)));
  }

  function freshList({ description, context, state }: Wanted): List | undefined {
    const list = lists.get(description)?.get(placeOf(state));
    return list && context.clock.now() - list.askedAtMs < LIST_LIFETIME_MS ? list : undefined;
  }

  function listFor(wanted: Wanted): List | undefined {
    const { description, context, state } = wanted;
    if (description.siblings === undefined) return undefined;
    const fresh = freshList(wanted);
    if (fresh !== undefined) return fresh;
    const objects = description
      .siblings(context, state)
      .then((found) => new Map(found.map((one) => [one.uuid, one] as const)));
    // Whoever reads from it meets the failure; without a reader it is of no interest.
    objects.catch(() => {});
    const list = { askedAtMs: context.clock.now(), objects };
    const ofKind = lists.get(description) ?? new Map<string, List>();
    lists.set(description, ofKind.set(placeOf(state), list));
    return list;
  }

  async function readFrom(list: List | undefined, wanted: Wanted): Promise<Found> {
    const found = await list?.objects.then(
      (objects) => objects.get(wanted.uuid),
      // What kept the list from being read will tell when the object is asked for.
      () => undefined,
    );
    // A write while the list was under way may have overtaken it.
    const current = list !== undefined && lists.get(wanted.description)?.get(placeOf(wanted.state)) === list;
    return found !== undefined && current ? found : await readSingly(wanted);
  }

  return {
    async read(wanted) {
      const list = freshList(wanted);
      return list === undefined ? await loader.load(wanted) : await readFrom(list, wanted);
    },
    forget(description) {
      lists.delete(description);
    },
  };
}

async function readSingly({ description, context, uuid, state }: Wanted): Promise<Found> {
  return await description.read(context, uuid, state);
}

/** Where the siblings of an object are listed: in its project, or in the organization. */
function placeOf(state: Record<string, unknown>): string {
  return String(state.projectId ?? "");
}
