/** When an object is deleted, what the error or the report says of its contents, and how long its deletion is waited for. */
import { ConflictError } from "../../../provider/client/errors";
import { linkContents } from "../../../provider/lifecycle/delete/contents";
import { deleteObject } from "../../../provider/lifecycle/delete/deleteObject";
import type {
  ContentKind,
  Deletion,
  OperationContext,
  ResourceDescription,
} from "../../../provider/lifecycle/description";
import { type Fact, objectKey } from "../../../provider/lifecycle/ledger/facts";
import { fakeClock, fakeContext } from "../../support/values/fakeClock";
import {
  BROKEN,
  CONFLICT,
  CONFLICT_AGAIN,
  FOR_30_S,
  ledgerWith,
  NOT_FOUND,
  PLACE,
  REFUSED,
  REFUSED_AGAIN,
  replyWith,
} from "./things";

const EMPTY = { things: 0, links: 0 };

/** Deletes the object 1 of a kind. Resolves with the error, if there is one. */
async function deleteParent(context: OperationContext, deletion: Deletion, kind: object = {}) {
  const parent = { title: "parent", replaceOnChanges: [], read: async () => ({}) };
  const description = { ...parent, ...kind } as unknown as ResourceDescription;
  const target = { description, deletion, uuid: "1", state: { place: PLACE } };
  return await deleteObject(context, target).catch((reason: unknown) => reason);
}

/** How many things and links there are; an error that the list of the things fails with, or that the key cannot list them. */
interface Situation {
  readonly things: number | Error | "hidden";
  readonly links: number | "hidden";
  /** Pages without links, which come first. */
  readonly emptyPages?: number;
  readonly response?: Error;
}

function objects(name: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({ id: `${name}${index + 1}` }));
}

async function remove({ things, links, emptyPages = 0, response }: Situation) {
  const thing: ContentKind = {
    title: "thing",
    scope: "domains:read",
    async list() {
      if (things instanceof Error) throw things;
      return { objects: objects("t", Number(things)) };
    },
  };
  const link = linkContents(async ({ limit, cursor = "0" }) => {
    const count = Number(cursor) < emptyPages ? 0 : Number(links);
    const isLast = Number(cursor) >= emptyPages && count <= limit;
    return { links: objects("l", count).slice(0, limit), nextCursor: isLast ? null : `${+cursor + 1}` };
  });
  const report = jest.fn();
  const scopes = [things !== "hidden" && "domains:read", links !== "hidden" && "links:read"];
  const send = jest.fn(async () => {
    if (response) throw response;
  });
  const error = await deleteParent(fakeContext({ report, scopes }), { contents: () => [thing, link], send });
  const reports = report.mock.calls.filter(([, options]) => options?.persistent);
  return { error, reports, isSent: send.mock.calls.length === 1 };
}

test.each<[Situation, isSent: boolean, error: string | Error | undefined, report: string | undefined]>([
  [EMPTY, true, undefined, undefined],
  [{ things: 1, links: 0 }, false, "still contains 1 thing (t1).\nThe service", undefined],
  [{ things: 3, links: 3 }, false, "3 things (t1, t2, t3) and 3 links (l1, l2, l3).", undefined],
  [{ things: 5, links: 4 }, false, "(t1, t2, t3 and 2 more) and 3 or more links (l1, l2, l3).", undefined],
  [{ things: 0, links: 1, emptyPages: 99 }, false, "still contains 1 link (l1).\n", undefined],
  [{ ...EMPTY, emptyPages: Infinity }, false, "100 pages without links, and more follow", undefined],
  [{ things: BROKEN, links: 1 }, false, BROKEN, undefined],
  [{ things: "hidden", links: "hidden" }, true, undefined, "domains:read and links:read"],
  [{ things: "hidden", links: 1 }, false, "(l1). The API key lacks domains:read to", undefined],
  [{ ...EMPTY, response: BROKEN }, true, BROKEN, undefined],
  [
    { things: 0, links: "hidden", response: CONFLICT },
    true,
    "finds nothing in the parent. The API key lacks links:read to find the rest.\n",
    "links:read",
  ],
])("with %j, the deletion is sent: %s", async (situation, isSent, failure, hidden) => {
  const { error, reports, isSent: sent } = await remove(situation);
  expect(sent).toBe(isSent);
  if (typeof failure === "string") {
    expect(error).toMatchObject({ name: "UserError", message: expect.stringContaining(failure) });
    expect((error as Error).cause).toBe(situation.response);
  } else expect(error).toBe(failure);
  const unseen = `^Parent 1 is deleted without looking .*: the API key lacks ${hidden}\\.`;
  const warning = [expect.stringMatching(unseen), { persistent: true, warning: true }];
  expect(reports).toEqual(hidden === undefined ? [] : [warning]);
});

const YOUNG: Fact = { is: "young", object: "parent 1", untilMs: 1_000 };
const UNTIL_ONE_SECOND = [250, 500, 250];
/** The service has answered the deletion of the first thing with 204. */
const DELETED: Fact = { is: "deleted", object: objectKey("thing", "t1") };
const ONE_MINUTE = [...FOR_30_S.slice(0, -1), 10_000, 10_000, 10_000, 4_250];
const T3 = objectKey("thing", "t3");
const YOUNG_T3: Fact = { is: "young", object: T3, untilMs: 60_000 };
const CREATED: Fact = { is: "created", object: T3, by: "urn", parent: "parent 1" };
const IT = [CREATED, YOUNG_T3];
const ELSEWHERE: Fact = { ...CREATED, parent: "parent 2" };
const REPLACED: Fact = { ...CREATED, is: "replacing" };
const ABSENT: Fact = { ...DELETED, is: "absent", object: T3 };
const UNTIL_1_S: Fact = { ...YOUNG_T3, untilMs: 1_000 };
const HAS_T3 = "still contains 1 thing (t3).\n";
const EMPTIED = { emptiedUntilMs: 1_000 };
const TWO_CONFLICTS = { ...EMPTIED, deletion: [CONFLICT, CONFLICT, undefined] };
const IN_USE_AGAIN = { ...EMPTIED, list: [0, 1], deletion: [CONFLICT] };
const GONE_LATE = { read: [undefined, NOT_FOUND] };
const SHOWN_LATE = { read: [NOT_FOUND, undefined] };
const UNLISTED = { list: [NOT_FOUND] };
const IN_DELETION = { ...UNLISTED, isUnderWay: () => true, deletion: [BROKEN] };

/** Responses to the list, as how many things it has, to a read of the parent, and to its deletion. The last one is repeated. */
interface Replies {
  readonly list?: readonly (Error | number)[];
  readonly read?: Error | readonly (Error | undefined)[];
  readonly deletion?: readonly (Error | undefined)[];
  readonly emptiedUntilMs?: number;
  readonly links?: number;
  readonly isUnderWay?: Deletion["isUnderWay"];
}

test.each<[string, readonly Fact[], Replies, error: unknown, waits: readonly number[], sent: number]>([
  ["is empty, and is deleted", [], {}, undefined, [], 1],
  ["has what this run has deleted", [DELETED], { list: [1] }, undefined, [], 1],
  ["has something else as well", [DELETED], { list: [2] }, "still contains 1 thing (t2).", FOR_30_S, 0],
  ["has what this run has created", IT, {}, `Parent 1 was not deleted because it ${HAS_T3}`, FOR_30_S, 0],
  ["has what is listed and created", IT, { list: [3] }, "3 things (t1, t2, t3).\n", FOR_30_S, 0],
  ["had what this run has created", [CREATED, YOUNG_T3, { ...DELETED, object: T3 }], {}, undefined, [], 1],
  ["had what a refresh did not find", [CREATED, YOUNG_T3, ABSENT], {}, undefined, [], 1],
  ["has the retained old object of a replacement", [REPLACED, YOUNG_T3], {}, HAS_T3, FOR_30_S, 0],
  ["had what the state shows", [{ ...CREATED, is: "seen" }, YOUNG_T3], {}, undefined, [], 1],
  ["is not the parent of what was created", [ELSEWHERE, YOUNG_T3], {}, undefined, [], 1],
  ["has no old object that is not listed", [CREATED], {}, undefined, [], 1],
  ["had a new one, which is gone", [CREATED, UNTIL_1_S], {}, undefined, [250, 500, 1_000], 1],
  // Another run has deleted it a moment ago.
  ["is listed as empty late", [], { list: [2, 1, 1, 0] }, undefined, [250, 500, 1_000], 1],
  ["keeps one of two things", [], { list: [2, 1] }, "still contains 1 thing (t1).", FOR_30_S, 0],
  // Nothing of this package deletes links, so none was deleted a moment ago.
  ["has a link", [], { list: [1], links: 1 }, "first: links in the console, or with `deleteLink` of", [], 0],
  ["is not found: its deletion decides", [], { ...UNLISTED, read: NOT_FOUND }, undefined, [], 1],
  ["is not found by anything", [], { ...UNLISTED, read: NOT_FOUND, deletion: [NOT_FOUND] }, NOT_FOUND, [], 1],
  ["cannot be read when its contents are not found", [], { ...UNLISTED, read: BROKEN }, BROKEN, [], 0],
  ["is found, but not its contents", [], UNLISTED, "finds it, so it is not known what it contains", [], 0],
  ["is being deleted: its contents are not found", [], IN_DELETION, BROKEN, [], 1],
  ["is new: listed late", [YOUNG], { list: [NOT_FOUND, NOT_FOUND, 0] }, undefined, [250, 500], 1],
  ["was new: it was never listed", [YOUNG], { ...UNLISTED, read: NOT_FOUND }, undefined, UNTIL_ONE_SECOND, 1],
  ["is new: its deletion is repeated", [YOUNG], { deletion: [NOT_FOUND, undefined] }, undefined, [250], 2],
  ["was new: its deletion was repeated", [YOUNG], { deletion: [NOT_FOUND] }, NOT_FOUND, UNTIL_ONE_SECOND, 4],
  ["was just emptied: a conflict is repeated", [], TWO_CONFLICTS, undefined, [250, 500], 3],
  ["was emptied: a conflict stays", [], { ...EMPTIED, deletion: [CONFLICT] }, CONFLICT, UNTIL_ONE_SECOND, 4],
  // The first response to the deletion was lost, or an earlier run has sent it.
  ["was deleted, says a conflict", [], { ...GONE_LATE, deletion: [CONFLICT_AGAIN] }, NOT_FOUND, [250], 1],
  ["was deleted, says a refusal", [], { ...GONE_LATE, deletion: [REFUSED_AGAIN] }, NOT_FOUND, [250], 1],
  ["was deleted by an earlier run", [], { read: NOT_FOUND, deletion: [CONFLICT] }, NOT_FOUND, [], 1],
  ["was deleted by one, says a refusal", [], { read: NOT_FOUND, deletion: [REFUSED] }, NOT_FOUND, [], 1],
  ["is in a conflict twice", [], { deletion: [CONFLICT_AGAIN] }, CONFLICT_AGAIN, FOR_30_S, 1],
  ["is refused twice", [], { deletion: [REFUSED_AGAIN] }, REFUSED_AGAIN, FOR_30_S, 1],
  ["is refused once", [], { deletion: [REFUSED] }, REFUSED, [], 1],
  ["is new: a read shows it late", [YOUNG], { ...SHOWN_LATE, deletion: [CONFLICT] }, CONFLICT, [250], 1],
  ["was emptied, and is used again", [], IN_USE_AGAIN, "still contains 1 thing (t1).", [250, ...FOR_30_S], 1],
])("a parent that %s", async (_, facts, replies, expected, waits, sent) => {
  const { list = [0], read, deletion = [], emptiedUntilMs, links = 0, isUnderWay } = replies;
  const clock = fakeClock(0);
  const scopes = ["domains:read", "links:read"];
  const context = fakeContext({ scopes, facts: ledgerWith(facts), clock, emptiedUntilMs });
  const listed = replyWith(list);
  const kind: ContentKind = {
    title: "thing",
    scope: "domains:read",
    list: async () => ({ objects: objects("t", Number(await listed())) }),
  };
  const link = linkContents(async () => ({ links: objects("l", links), nextCursor: null }));
  const send = replyWith<void>(deletion);
  const reads = { read: replyWith([read].flat().map((each) => each ?? {})) } as object;
  const deletes = { contents: () => [kind, link], send, ...(isUnderWay && { isUnderWay }) };
  const error = await deleteParent(context, deletes, reads);
  if (typeof expected === "string") expect(String(error)).toContain(expected);
  else expect(expected instanceof ConflictError ? (error as Error).cause : error).toBe(expected);
  expect(context.clock.waits).toEqual(waits);
  expect(send).toHaveBeenCalledTimes(sent);
});

type Stage = "ACTIVE" | "DELETING";

const GONE = [NOT_FOUND];
const AGAIN = [NOT_FOUND, "DELETING", NOT_FOUND] as const;
const LATE = ["ACTIVE", "DELETING", NOT_FOUND] as const;

/** How long a deletion that is asynchronous is waited for, after the responses to reads and lists. The last one is repeated. */
test.each<
  [
    string,
    facts: readonly Fact[],
    deletion: Error | undefined,
    reads: readonly (Stage | Error)[],
    lists: readonly (readonly string[])[],
    error: unknown,
    waits: readonly number[],
  ]
>([
  ["is gone with the first 404", [], undefined, ["DELETING", NOT_FOUND], [["1"]], undefined, [250]],
  ["cannot be read", [], undefined, [BROKEN], [], BROKEN, []],
  ["is new: a 404 says nothing", [YOUNG], undefined, AGAIN, [[]], undefined, [250, 500, 1_000]],
  ["was new, and is listed", [YOUNG], undefined, GONE, [["1"], []], undefined, [250, 500, 1_000, 2_000]],
  ["stays", [], undefined, ["DELETING"], [], "is still DELETING after 1 minutes", ONE_MINUTE],
  ["was being deleted, which a replica shows late", [], CONFLICT, LATE, [], undefined, [250]],
  ["is refused for another reason", [], REFUSED, ["ACTIVE"], [], REFUSED, []],
  ["is refused, and stays", [], CONFLICT, ["ACTIVE"], [], CONFLICT, FOR_30_S],
  ["was being deleted, which no write shows", [], NOT_FOUND, ["DELETING", NOT_FOUND], [], undefined, []],
  ["is not found", [], NOT_FOUND, [NOT_FOUND], [], NOT_FOUND, []],
  ["is not found by its deletion alone", [], NOT_FOUND, ["ACTIVE"], [], NOT_FOUND, []],
])("an object whose deletion takes time %s", async (_, facts, deletion, stages, lists, expected, waits) => {
  const context = fakeContext({ scopes: [], facts: ledgerWith(facts), clock: fakeClock(0) });
  const read = replyWith(stages.map((stage) => (stage instanceof Error ? stage : { lifecycle: stage })));
  const list = replyWith(lists.map((uuids) => uuids.map((uuid) => ({ uuid }))));
  const kind = { parentId: "place", read, list } as object;
  const send = replyWith([deletion]) as () => Promise<void>;
  const isUnderWay: Deletion["isUnderWay"] = ({ lifecycle }) => lifecycle === "DELETING";
  const slow = { send, isUnderWay, timeoutMs: 60_000 };
  const error = await deleteParent(context, slow, kind);
  if (typeof expected === "string") expect(String(error)).toContain(expected);
  else expect(expected === CONFLICT ? (error as Error).cause : error).toBe(expected);
  expect(context.clock.waits).toEqual(waits);
});

test("a wait for a deletion ends with an error if no list can confirm that a new object is gone", async () => {
  const clock = fakeClock(0);
  const context = fakeContext({ scopes: [], facts: ledgerWith([YOUNG]), clock });
  const slow = { send: async () => {}, isUnderWay: () => false, timeoutMs: 60_000 };
  const kind = { parentId: "nowhere", read: replyWith([NOT_FOUND]) } as object;
  expect(String(await deleteParent(context, slow, kind))).toContain("has no valid nowhere");
  expect(clock.waits).toEqual([250, 500, 1_000]);
});

test("a deletion that was sent is repeated also after waits are stopped", async () => {
  const facts = ledgerWith([YOUNG]);
  const clock = {
    now: () => 0,
    sleep: async (_ms: number, signal?: AbortSignal) => signal?.throwIfAborted(),
  };
  const context = fakeContext({ facts, clock, waits: AbortSignal.abort() });
  const send = replyWith<void>([NOT_FOUND, NOT_FOUND, undefined as never]);
  expect(await deleteParent(context, { send })).toBeUndefined();
  expect(send).toHaveBeenCalledTimes(3);
});
