/**
 * Coalesces reads: reads that arrive close together are served from lists, so that a refresh sends about two requests
 * per project instead of one per object: see docs/internals/decisions.md#cost.
 *
 * The first read waits a moment. If no other arrives, it requests its single object. Otherwise each project or organization
 * is listed once for the reads of the next seconds, because the engine sends only a few at a time. A write discards the
 * lists of its kind. A list alone never proves that an object does not exist: the 404 of a single read must agree.
 */
import type { Clock } from "../../client";
import type { Found, ResourceDescription } from "../description";
import {
  type ListedKind,
  type Listing,
  type Lists,
  type LookupTarget,
  listObjects,
  PROJECT_KIND,
} from "../evidence/lists";
import { youngUntilMs } from "../evidence/youth";
import { objectKey } from "../ledger/facts";
import type { Properties } from "../properties";

/** How long the first read waits for others. It is longer than the engine needs to send its parallel reads. */
const WINDOW_MS = 10;
/** How long a list serves reads, and how long after a read the next one counts as one of many. */
const LIST_LIFETIME_MS = 10_000;

type ReadRequest = LookupTarget<ResourceDescription>;

interface List {
  readonly requestedAtMs: number;
  readonly listing: Promise<Listing>;
}

/** A list: the kind of its objects, and their project; empty for the organization. */
interface Listed {
  readonly kind: object;
  readonly parentId: string;
  list(): Promise<Listing>;
}

export function coalescedReads() {
  const lists = recentLists();
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

  /** Reads an object that is in one of these parents: in their lists if it is one of many, else singly. */
  async function readAmong(request: ReadRequest, parents: Iterable<string>): Promise<Found> {
    const { description, context, uuid } = request;
    const isMany = await isOneOfMany(request);
    if (isMany && description.listedAs !== undefined) {
      // Reads of that kind that arrive together with this one request its lists.
      await context.clock.sleep(WINDOW_MS, context.signal);
      const listed = await lists.findAmong(description.listedAs, context.clock, uuid);
      return await description.read(context, uuid, request.state, listed);
    }
    for (const parent of isMany ? parents : []) {
      const state = description.parentId === undefined ? {} : { [description.parentId]: parent };
      const found = await lists.find(listedWith({ ...request, state }), context.clock, uuid);
      if (found !== undefined) return found;
    }
    return await description.read(context, uuid, request.state);
  }

  return {
    /** Reads an object for a refresh, whose parent is in the state. @throws NotFoundError */
    read: (request: ReadRequest): Promise<Found> =>
      readAmong(request, [parentIdOf(request.description, request.state)]),
    /** Reads an object to compare it with the program, whose parent may not be known yet. */
    readAmong,
    /** The lists that are evidence for an object that was not found. A recent one that lacks it is not requested again. */
    evidenceFor(request: ReadRequest): Lists {
      const { description, context, uuid, state } = request;
      const { clock, facts } = context;
      const projects = listedWith({ ...request, description: PROJECT_KIND });
      // A list that was requested while the object was young proves nothing.
      const sinceMs = youngUntilMs(facts, objectKey(description.title, uuid));
      return {
        list: () => lists.evidence(listedWith(request), { clock, sinceMs, uuid }),
        projects: () => lists.evidence(projects, { clock, sinceMs, uuid: parentIdOf(description, state) }),
      };
    },
    /** Discards the lists of a kind, including those in progress. Called before and after each write of that kind. */
    forget(description: ResourceDescription): void {
      lists.forget(description);
      lists.forget(PROJECT_KIND);
    },
  };
}

/** The lists that were requested last, by their kind and project. */
function recentLists() {
  const lists = new Map<object, Map<string, List>>();
  const last = ({ kind, parentId }: Omit<Listed, "list">): List | undefined => lists.get(kind)?.get(parentId);

  function request(listed: Listed, clock: Clock): List {
    const { kind, parentId } = listed;
    const listing = listed.list();
    // A failure is handled by the reads of the list. Without any, it must not become an unhandled rejection.
    listing.catch(() => {});
    const requested = { requestedAtMs: clock.now(), listing };
    const ofKind = lists.get(kind) ?? new Map<string, List>();
    lists.set(kind, ofKind.set(parentId, requested));
    return requested;
  }

  function recent(listed: Omit<Listed, "list">, clock: Clock): List | undefined {
    const list = last(listed);
    return list !== undefined && clock.now() - list.requestedAtMs < LIST_LIFETIME_MS ? list : undefined;
  }

  /** The response of a list, unless it failed, or a write has made it outdated, also while it was requested. */
  async function current(listed: Listed, list: List | undefined): Promise<Listing | undefined> {
    const listing = await list?.listing.catch(() => undefined);
    return last(listed) === list ? listing : undefined;
  }

  return {
    /** An object in a list. If the list fails and the cause persists, reading the single object reports it. */
    async find(listed: Listed, clock: Clock, uuid: string): Promise<Found | undefined> {
      const listing = await current(listed, recent(listed, clock) ?? request(listed, clock));
      return listing?.objects?.get(uuid);
    },
    /** An object in the recent lists of a kind. None is requested for it. */
    async findAmong(kind: object, clock: Clock, uuid: string): Promise<Found | undefined> {
      const parents = [...(lists.get(kind)?.keys() ?? [])];
      const all = parents.map((parentId) =>
        recent({ kind, parentId }, clock)?.listing.catch(() => undefined),
      );
      return (await Promise.all(all)).find((each) => each?.objects?.has(uuid))?.objects?.get(uuid);
    },
    /** A list as evidence that an object does not exist. Requested again if it contains the object, fails, or is too old. */
    async evidence(
      listed: Listed,
      { clock, sinceMs, uuid }: { readonly clock: Clock; readonly sinceMs: number; readonly uuid: string },
    ): Promise<Listing> {
      const list = recent(listed, clock);
      const listing = list && list.requestedAtMs >= sinceMs ? await current(listed, list) : undefined;
      return listing === undefined || listing.objects?.has(uuid)
        ? await request(listed, clock).listing
        : listing;
    },
    forget: (kind: object) => lists.delete(kind),
  };
}

function listedWith(request: LookupTarget): Listed {
  const { description, state } = request;
  return { kind: description, parentId: parentIdOf(description, state), list: () => listObjects(request) };
}

/** The project in which the objects of the kind are listed; empty for the organization. */
function parentIdOf({ parentId }: ListedKind, state: Properties): string {
  return parentId === undefined ? "" : String(state[parentId]);
}
