/** When an object with contents is deleted, and what the error or the report says of them. */
import type { ResourceDescription } from "../../../provider/lifecycle/description";
import { type ContentKind, deleteEmpty, linkContents } from "../../../provider/lifecycle/evidence/contents";
import { type Fact, objectKey } from "../../../provider/lifecycle/ledger/facts";
import { DESCRIPTIONS } from "../../../provider/resources";
import { fakeContext } from "../../support/values/fakeContext";
import { fakeClock } from "../../support/values/wireObjects";
import { BROKEN, CONFLICT, ledgerWith, NOT_FOUND } from "./things";

const EMPTY = { things: 0, links: 0 };
const PARENT = { title: "parent", uuid: "1", read: () => Promise.reject(BROKEN) };

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
    noun: "thing",
    scope: "domains:read",
    async list() {
      if (things instanceof Error) throw things;
      return { objects: objects("t", Number(things)) };
    },
  };
  const link = linkContents(async ({ limit, cursor = "0" }) => {
    const count = Number(cursor) < emptyPages ? 0 : Number(links);
    const isLast = Number(cursor) >= emptyPages && count <= limit;
    return { links: objects("l", Math.min(limit, count)), nextCursor: isLast ? null : `${+cursor + 1}` };
  });
  const report = jest.fn();
  const scopes = [things !== "hidden" && "domains:read", links !== "hidden" && "links:read"];
  const send = jest.fn(async () => {
    if (response) throw response;
  });
  const parent = { ...PARENT, kinds: [thing, link] };
  const error = await deleteEmpty(fakeContext({ report, scopes }), parent, send).then(
    () => undefined,
    (reason: unknown) => reason,
  );
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

test.each([DESCRIPTIONS.Project, DESCRIPTIONS.CustomDomain] as unknown as readonly ResourceDescription[])(
  "without the scopes that its description names, the deletion of a $title warns of them",
  async ({ delete: remove, scopes: { contents = [] } }) => {
    const [report, send] = [jest.fn(), () => Promise.reject(BROKEN)];
    const own = { deleteProject: send, deleteCustomDomain: send, sanitized: String };
    const client = { ...own, withOptions: (): object => client };
    const context = { ...fakeContext({ scopes: [] }), report, client } as never;
    await expect(remove(context, "1", { projectId: "0c0c0c0c-0000-4000-8000-00000000000a" })).rejects.toBe(
      BROKEN,
    );
    const named = contents.join(", ").replace(/, (?=[^,]*$)/, " and ");
    expect(report.mock.calls).toEqual([[expect.stringContaining(`lacks ${named}.`), expect.anything()]]);
  },
);

/** A thing: how many lists contain it, and whether this run has deleted it. */
interface Thing {
  readonly lists: number;
  readonly isDeleted?: boolean;
}

const STAYING: Thing = { lists: Infinity };
/** Another run has deleted it a moment ago. */
const LINGERING: Thing = { lists: 3 };
/** The service has answered its deletion with 204. */
const DELETED: Thing = { lists: Infinity, isDeleted: true };
const FOR_30_S = [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 4_250];

test.each<[readonly Thing[], error: string | undefined, waits: readonly number[]]>([
  [[DELETED], undefined, []],
  [[LINGERING], undefined, [250, 500, 1_000]],
  [[STAYING, LINGERING], "1 thing (t1)", FOR_30_S],
  [[DELETED, STAYING], "1 thing (t2)", FOR_30_S],
])("with the listed things %j, an object is not deleted because of %s", async (things, error, waits) => {
  const deleted = things.flatMap(({ isDeleted }, index): Fact[] =>
    isDeleted ? [{ is: "deleted", object: objectKey("thing", `t${index + 1}`) }] : [],
  );
  const context = fakeContext({ scopes: ["domains:read"], facts: ledgerWith(deleted) });
  let lists = 0;
  const kind: ContentKind = {
    noun: "thing",
    scope: "domains:read",
    async list() {
      lists += 1;
      const all = objects("t", things.length);
      return { objects: all.filter((_, at) => lists <= Number(things[at]?.lists)) };
    },
  };
  const send = jest.fn(async () => {});
  const deletion = deleteEmpty(context, { ...PARENT, kinds: [kind] }, send);
  if (error === undefined) await deletion;
  else await expect(deletion).rejects.toThrow(`still contains ${error}.`);
  expect(send).toHaveBeenCalledTimes(error === undefined ? 1 : 0);
  expect(context.clock.waits).toEqual(waits);
});

test("before the deletion of what was just emptied is repeated, it is listed again: others may use it", async () => {
  const context = fakeContext({ scopes: ["domains:read"], emptiedUntilMs: 1_000 });
  let lists = 0;
  const list = async () => ({ objects: objects("t", Number(lists++ > 0)) });
  const kinds: ContentKind[] = [{ noun: "thing", scope: "domains:read", list }];
  const send = jest.fn().mockRejectedValue(CONFLICT);
  await expect(deleteEmpty(context, { ...PARENT, kinds }, send)).rejects.toThrow(
    "still contains 1 thing (t1).",
  );
  expect(send).toHaveBeenCalledTimes(1);
});

const YOUNG: Fact = { is: "young", object: "parent 1", untilMs: 1_000 };
const FOUND_PARENT: Fact = { ...YOUNG, is: "found" };
const UNTIL_ONE_SECOND = [250, 500, 250];
const EMPTIED = { emptiedUntilMs: 1_000 };
const TWO_CONFLICTS = { ...EMPTIED, deletion: [CONFLICT, CONFLICT, undefined] };
const UNLISTED = { list: [NOT_FOUND] };
const LISTED_LATE = { list: [NOT_FOUND, undefined] };

/** Responses to the list, to a read of the parent, and to its deletion. The last one is repeated. */
interface Replies {
  readonly list?: readonly (Error | undefined)[];
  readonly read?: Error;
  readonly deletion?: readonly (Error | undefined)[];
  readonly emptiedUntilMs?: number;
}

test.each<[string, readonly Fact[], Replies, error: unknown, waits: readonly number[], sent: number]>([
  ["is empty, and is deleted", [], {}, undefined, [], 1],
  ["is not found: its deletion decides", [], { ...UNLISTED, read: NOT_FOUND }, undefined, [], 1],
  ["is not found by anything", [], { ...UNLISTED, read: NOT_FOUND, deletion: [NOT_FOUND] }, NOT_FOUND, [], 1],
  ["is found, but not its contents", [], UNLISTED, "finds it, so it is not known what it contains", [], 0],
  ["is new: listed late", [YOUNG], { list: [NOT_FOUND, NOT_FOUND, undefined] }, undefined, [250, 500], 1],
  ["was new: it was never listed", [YOUNG], { ...UNLISTED, read: NOT_FOUND }, undefined, UNTIL_ONE_SECOND, 1],
  ["is new and was found: listed late", [YOUNG, FOUND_PARENT], LISTED_LATE, undefined, [250], 1],
  ["is new: its deletion is repeated", [YOUNG], { deletion: [NOT_FOUND, undefined] }, undefined, [250], 2],
  ["was new: its deletion was repeated", [YOUNG], { deletion: [NOT_FOUND] }, NOT_FOUND, UNTIL_ONE_SECOND, 4],
  ["was just emptied: a conflict is repeated", [], TWO_CONFLICTS, undefined, [250, 500], 3],
  ["was emptied: a conflict stays", [], { ...EMPTIED, deletion: [CONFLICT] }, CONFLICT, UNTIL_ONE_SECOND, 4],
])("a parent that %s", async (_, facts, replies, expected, waits, sent) => {
  const { list = [], read, deletion = [], emptiedUntilMs } = replies;
  const clock = fakeClock(0);
  const context = fakeContext({ scopes: ["domains:read"], facts: ledgerWith(facts), clock, emptiedUntilMs });
  const replyWith = (all: readonly (Error | undefined)[]) => {
    let count = 0;
    return jest.fn(async () => {
      const reply = all[Math.min(count, all.length - 1)];
      count += 1;
      if (reply) throw reply;
    });
  };
  const listed = replyWith(list);
  const kind: ContentKind = {
    noun: "thing",
    scope: "domains:read",
    async list() {
      await listed();
      return { objects: [] };
    },
  };
  const send = replyWith(deletion);
  const parent = { ...PARENT, kinds: [kind], read: replyWith([read]) };
  const error = await deleteEmpty(context, parent, send).catch((reason: unknown) => reason);
  if (typeof expected === "string") expect(String(error)).toContain(expected);
  else expect(expected === CONFLICT ? (error as Error).cause : error).toBe(expected);
  expect(context.clock.waits).toEqual(waits);
  expect(send).toHaveBeenCalledTimes(sent);
});
