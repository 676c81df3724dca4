/**
 * Coalesces reads: reads that arrive close together are served from lists, so that a refresh sends about two requests
 * per project instead of one per object.
 *
 * The first read waits a moment. If no other read arrives, it requests its single object. Otherwise each project or
 * organization is listed once, and the list serves all reads of the next seconds, because the engine sends only a few
 * at a time. The lists of a kind are discarded before and after every write of that kind, and a list never proves that
 * an object does not exist.
 */
import type { Found, OperationContext, ResourceDescription } from "./description";
import type { Properties } from "./properties";

/** How long the first read waits for others. It is longer than the engine needs to send its parallel reads. */
const WINDOW_MS = 10;
/**
 * How long a list serves reads after it was requested, and how long after a read the next one counts as one of many.
 */
const LIST_LIFETIME_MS = 10_000;

/** A request to read one object. */
interface ReadRequest {
  readonly description: ResourceDescription;
  readonly context: OperationContext;
  readonly uuid: string;
  readonly state: Properties;
}

interface List {
  readonly requestedAtMs: number;
  readonly objects: Promise<ReadonlyMap<string, Found>>;
}

/** The coalesced reads of a run. */
export interface Reads {
  /** Reads an object for a refresh. @throws NotFoundError */
  read(request: ReadRequest): Promise<Found>;
  /** Discards the lists of a kind, including those in progress. Called before and after each write of that kind. */
  forget(description: ResourceDescription): void;
}

/** Creates the coalesced reads of a run. */
export function coalescedReads(): Reads {
  const lists = new Map<ResourceDescription, Map<string, List>>();
  let latest: { readonly atMs: number } | undefined;

  /** Whether a read is one of many: another one arrived before it, or arrives within the window. */
  async function isOneOfMany({ context }: ReadRequest): Promise<boolean> {
    const before = latest;
    const mine = { atMs: context.clock.now() };
    latest = mine;
    if (before !== undefined && mine.atMs - before.atMs < LIST_LIFETIME_MS) return true;
    await context.clock.sleep(WINDOW_MS, context.signal);
    return latest !== mine;
  }

  function listFor({ description, context, state }: ReadRequest): List | undefined {
    if (description.siblings === undefined) return undefined;
    const place = placeOf(description, state);
    const nowMs = context.clock.now();
    const ofKind = lists.get(description) ?? new Map<string, List>();
    const present = ofKind.get(place);
    if (present !== undefined && nowMs - present.requestedAtMs < LIST_LIFETIME_MS) return present;
    const objects = description
      .siblings(context, state)
      .then((found) => new Map(found.map((one) => [one.uuid, one] as const)));
    // A failure is handled by the reads of the list. Without any, it must not become an unhandled rejection.
    objects.catch(() => {});
    const list = { requestedAtMs: nowMs, objects };
    lists.set(description, ofKind.set(place, list));
    return list;
  }

  async function readFrom(list: List | undefined, request: ReadRequest): Promise<Found> {
    const found = await list?.objects.then(
      (objects) => objects.get(request.uuid),
      // If the cause persists, reading the single object reports it.
      () => undefined,
    );
    // A write during the request may have made the list outdated.
    const { description, state } = request;
    const current = list !== undefined && lists.get(description)?.get(placeOf(description, state)) === list;
    return found !== undefined && current ? found : await readSingly(request);
  }

  return {
    async read(request) {
      return (await isOneOfMany(request))
        ? await readFrom(listFor(request), request)
        : await readSingly(request);
    },
    forget(description) {
      lists.delete(description);
    },
  };
}

async function readSingly({ description, context, uuid, state }: ReadRequest): Promise<Found> {
  return await description.read(context, uuid, state);
}

/** The project in which the siblings of an object are listed; empty for the organization. */
function placeOf({ place }: ResourceDescription, state: Properties): string {
  return place === undefined ? "" : String(state[place]);
}
