/**
 * Coalesces reads: reads that arrive close together are served from lists, so that a refresh sends about two requests
 * per project instead of one per object.
 *
 * The first read waits a moment. If no other read arrives, it requests its single object. Otherwise each project or
 * organization is listed once, and the list serves all reads of the next seconds, because the engine sends only a few
 * at a time. The lists of a kind are discarded before and after every write of that kind. A list alone never proves that
 * an object does not exist, but it is evidence for it besides the 404 of a single read.
 */

import type { Found, OperationContext, ResourceDescription } from "../description";
import { type Listing, type Lists, type LookupTarget, listObjects, listProjects } from "../evidence/lists";
import type { Properties } from "../properties";

/** How long the first read waits for others. It is longer than the engine needs to send its parallel reads. */
const WINDOW_MS = 10;
/**
 * How long a list serves reads after it was requested, and how long after a read the next one counts as one of many.
 */
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

/** The kind of the lists of projects that are evidence for the objects in a project. */
const PROJECT_LISTS = {};

export type Reads = ReturnType<typeof coalescedReads>;

export function coalescedReads() {
  const lists = new Map<object, Map<string, List>>();
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

  function recent({ kind, parentId }: Listed, { clock }: OperationContext): List | undefined {
    const list = lists.get(kind)?.get(parentId);
    return list !== undefined && clock.now() - list.requestedAtMs < LIST_LIFETIME_MS ? list : undefined;
  }

  function request({ kind, parentId, list }: Listed, { clock }: OperationContext): List {
    const listing = list();
    // A failure is handled by the reads of the list. Without any, it must not become an unhandled rejection.
    listing.catch(() => {});
    const requested = { requestedAtMs: clock.now(), listing };
    const ofKind = lists.get(kind) ?? new Map<string, List>();
    lists.set(kind, ofKind.set(parentId, requested));
    return requested;
  }

  /** Whether no write has made a list outdated, also while it was requested. */
  function isCurrent({ kind, parentId }: Listed, list: List): boolean {
    return lists.get(kind)?.get(parentId) === list;
  }

  /** An object in a list. If the list fails and the cause persists, reading the single object reports it. */
  async function listedIn(
    listed: Listed,
    context: OperationContext,
    uuid: string,
  ): Promise<Found | undefined> {
    const list = recent(listed, context) ?? request(listed, context);
    const listing = await list.listing.catch(() => undefined);
    return isCurrent(listed, list) ? listing?.objects?.get(uuid) : undefined;
  }

  /** A list as evidence that an object does not exist. Only if it contains the object, or fails, is it requested again. */
  async function evidence(listed: Listed, uuid: string, context: OperationContext): Promise<Listing> {
    const list = recent(listed, context);
    const listing = await list?.listing.catch(() => undefined);
    if (list !== undefined && listing !== undefined && isCurrent(listed, list) && !listing.objects?.has(uuid))
      return listing;
    return await request(listed, context).listing;
  }

  /**
   * Reads an object that is in one of these parents: in their lists if it is one of many, else singly.
   *
   * @throws NotFoundError
   */
  async function readAmong(request: ReadRequest, parents: Iterable<string>): Promise<Found> {
    const { description, context, uuid } = request;
    if (!(await isOneOfMany(request))) return await readSingly(request);
    for (const parent of parents) {
      const state = description.parentId === undefined ? {} : { [description.parentId]: parent };
      const found = await listedIn(listedWith({ ...request, state }), context, uuid);
      if (found !== undefined) return found;
    }
    return await readSingly(request);
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
      const projects = { kind: PROJECT_LISTS, parentId: "", list: () => listProjects(context) };
      return {
        list: () => evidence(listedWith(request), uuid, context),
        projects: () => evidence(projects, parentIdOf(description, state), context),
      };
    },
    /** Discards the lists of a kind, including those in progress. Called before and after each write of that kind. */
    forget(description: ResourceDescription): void {
      lists.delete(description);
      lists.delete(PROJECT_LISTS);
    },
  };
}

/** The list that contains an object. */
function listedWith(request: ReadRequest): Listed {
  const { description, state } = request;
  return { kind: description, parentId: parentIdOf(description, state), list: () => listObjects(request) };
}

async function readSingly({ description, context, uuid, state }: ReadRequest): Promise<Found> {
  return await description.read(context, uuid, state);
}

/** The project in which the objects of the kind are listed; empty for the organization. */
function parentIdOf({ parentId }: ResourceDescription, state: Properties): string {
  return parentId === undefined ? "" : String(state[parentId]);
}
