/**
 * Reads that come close together, answered from lists: a refresh costs about two requests a project instead of one
 * an object.
 *
 * A read that nothing precedes waits a moment. When it stays alone, it asks for its one object; as soon as there
 * are others, each place is listed once, and the list serves all reads that follow within a short time, as the
 * engine has only a few in flight. A list is dropped around every write of its kind, and never proves that an
 * object is absent.
 */
import type { Found, OperationContext, ResourceDescription } from "./description";

/** How long the first read waits for others: longer than the engine takes to send all that it has in flight. */
const WINDOW_MS = 10;
/** How long a list serves reads, from the moment it was asked for, and how long a read tells that there are many. */
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

/** The coalesced reads of a run. */
export interface Reads {
  /** Reads an object for a refresh. @throws NotFoundError */
  read(wanted: Wanted): Promise<Found>;
  /** Forgets the lists of a kind, also those under way: called before and after each write of that kind. */
  forget(description: ResourceDescription): void;
}

/** Creates the coalesced reads of a run. */
export function coalescedReads(): Reads {
  const lists = new Map<ResourceDescription, Map<string, List>>();
  let latest: { readonly atMs: number } | undefined;

  /** Whether a read is one of many: others came before it, or come within the window. */
  async function isOneOfMany({ context }: Wanted): Promise<boolean> {
    const before = latest;
    const mine = { atMs: context.clock.now() };
    latest = mine;
    if (before !== undefined && mine.atMs - before.atMs < LIST_LIFETIME_MS) return true;
    await context.clock.sleep(WINDOW_MS, context.signal);
    return latest !== mine;
  }

  function listFor({ description, context, state }: Wanted): List | undefined {
    if (description.siblings === undefined) return undefined;
    const place = placeOf(description, state);
    const nowMs = context.clock.now();
    const ofKind = lists.get(description) ?? new Map<string, List>();
    const present = ofKind.get(place);
    if (present !== undefined && nowMs - present.askedAtMs < LIST_LIFETIME_MS) return present;
    const objects = description
      .siblings(context, state)
      .then((found) => new Map(found.map((one) => [one.uuid, one] as const)));
    // Whoever reads from it meets the failure; without a reader it is of no interest.
    objects.catch(() => {});
    const list = { askedAtMs: nowMs, objects };
    lists.set(description, ofKind.set(place, list));
    return list;
  }

  async function readFrom(list: List | undefined, wanted: Wanted): Promise<Found> {
    const found = await list?.objects.then(
      (objects) => objects.get(wanted.uuid),
      // What kept the list from being read will tell when the object is asked for.
      () => undefined,
    );
    // A write while the list was under way may have overtaken it.
    const { description, state } = wanted;
    const current = list !== undefined && lists.get(description)?.get(placeOf(description, state)) === list;
    return found !== undefined && current ? found : await readSingly(wanted);
  }

  return {
    async read(wanted) {
      return (await isOneOfMany(wanted)) ? await readFrom(listFor(wanted), wanted) : await readSingly(wanted);
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
function placeOf({ place }: ResourceDescription, state: Record<string, unknown>): string {
  return place === undefined ? "" : String(state[place]);
}
