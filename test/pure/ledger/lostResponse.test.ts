/** Which listed object a create has whose response was lost, and which ones its error lists. */
import { findLost } from "../../../provider/lifecycle/create/lostResponse";
import type { Wanted } from "../../../provider/lifecycle/create/wanted";
import type { Found } from "../../../provider/lifecycle/description";
import { type Fact, type FactKind, objectKey } from "../../../provider/lifecycle/ledger/facts";
import type { Properties } from "../../../provider/lifecycle/properties";
import type { Creation } from "../../../provider/lifecycle/run/creation";
import { newRunMemory } from "../../../provider/lifecycle/run/runMemory";
import { NOT_FOUND } from "../lifecycle/things";

const INPUTS = { name: "Shop" };
const CAUSE = new Error("reset");
const SENT = "2026-01-01T10:00:05Z";
const LATER = "2026-01-01T10:00:06Z";
const LATEST = "2026-01-01T10:00:08Z";
const EARLIER = "2026-01-01T09:00:00Z";

interface Listed {
  readonly properties?: Properties;
  readonly createdAt?: string;
  readonly fact?: FactKind;
}

interface Situation {
  readonly isUnique?: boolean;
  /** What is listed at each attempt; the last one is repeated. */
  readonly lists: readonly Readonly<Record<string, Listed>>[];
  readonly isRead?: boolean;
  readonly hasDates?: boolean;
  /** Whether the run has created the project of the object. */
  readonly isInNew?: boolean;
  /** Another create of the run that can be meant. */
  readonly other?: Fact;
}

/** What was listed before the create. */
function knownIn(list: Readonly<Record<string, Listed>> = {}) {
  return Object.entries(list).filter(([, { fact }]) => fact !== undefined);
}

/** Looks for the object of a create: its UUID, or what the error says, and the requests. */
async function look({ isUnique = true, lists, isRead = true, hasDates = true, isInNew, other }: Situation) {
  const memory = newRunMemory();
  const found = (uuid: string, { properties = INPUTS, createdAt = LATER }: Listed): Found => ({
    uuid,
    properties,
    createdAt,
  });
  for (const [uuid, { fact }] of lists.flatMap((list) => Object.entries(list)))
    if (fact) memory.ledger.record({ is: fact, object: objectKey("thing", uuid), by: "urn:other" });
  memory.ledger.record({ is: "creating", object: "key", by: "urn:this" });
  if (other) memory.ledger.record(other);
  const pauses: number[] = [];
  const reports: unknown[] = [];
  let requests = 0;
  const wanted = {
    description: {
      title: "thing",
      uniqueBy: isUnique ? "name" : undefined,
      async list() {
        const list = lists[Math.min(requests++, lists.length - 1)] ?? {};
        if ("broken" in list) throw new Error("403 Forbidden");
        if ("unlisted" in list) throw NOT_FOUND;
        return Object.entries(list).map(([uuid, one]) => found(uuid, one));
      },
    },
    context: {
      clock: { now: () => 0, sleep: async (milliseconds: number) => void pauses.push(milliseconds) },
      client: {
        serviceTime: () => (hasDates ? new Date(LATER) : undefined),
        sanitized: (objects: readonly Found[]) => objects.map((one) => ({ ...one, createdAt: "sanitized" })),
      },
      report: (message: string, options?: object) => void reports.push(options ?? message),
    },
    inputs: INPUTS,
  } as unknown as Wanted;
  const creation = {
    by: "urn:this",
    key: "key",
    baseline: {
      isInNew,
      time: hasDates ? new Date(SENT) : undefined,
      listed: isRead ? knownIn(lists[0]).map(([uuid, one]) => found(uuid, one)) : undefined,
    },
  } as unknown as Creation;
  const loss = { cause: CAUSE, what: "It was lost.", named: [] };
  const ended = await findLost(wanted, memory, creation, loss).then(
    ({ uuid }) => uuid,
    (error: Error) => error,
  );
  if (typeof ended === "string") return { found: ended, listed: [], message: "", requests, pauses, reports };
  expect(ended.cause).toBe(CAUSE);
  const listed = [...ended.message.matchAll(/`import` to "(\w+)"/g)].map(([, uuid]) => uuid);
  const { message } = ended;
  return {
    found: message.includes("looking it up failed") ? "no list" : undefined,
    listed,
    message,
    requests,
    pauses,
    reports,
  };
}

const OLDER: Listed = { createdAt: EARLIER };
const BEFORE = { fact: "listedBefore" } as const;
const DIFFERENT: Listed = { properties: {} };
const DIFFERENT_OLDER: Listed = { ...DIFFERENT, ...OLDER };
/** What an earlier run left, what a resource has, and something else. */
const LEFT = { a: BEFORE, c: { fact: "declared" }, d: { ...DIFFERENT, ...BEFORE } } as const;
/** Nothing could be listed before. */
const UNREAD = { isRead: false };
const UNDATED = { hasDates: false };
const CREATING: Fact = { is: "creating", object: "key", by: "urn:other" };
const CREATED: Fact = { ...CREATING, is: "created" };
const REJECTED: Fact = { ...CREATING, is: "notCreated" };

test.each<[string, Situation, found: string | undefined, listed: readonly string[], requests: number]>([
  ["the only new one", { lists: [{ a: {} }] }, "a", [], 1],
  ["the only new one with the values", { lists: [{ a: {}, b: DIFFERENT }] }, "a", [], 1],
  ["listed late", { lists: [{}, {}, {}, {}, {}, { a: {} }] }, "a", [], 6],
  // Replicas may not have its project yet.
  ["in a project that is listed late", { lists: [{ unlisted: {} }, { a: {} }] }, "a", [], 2],
  ["listed too late", { lists: [{}, {}, {}, {}, {}, {}, { a: {} }] }, undefined, [], 6],
  ["one of two, with an older one", { lists: [{ a: {}, b: {}, c: OLDER }] }, undefined, ["a", "b", "c"], 1],
  ["without a unique value", { isUnique: false, lists: [{ a: {} }] }, undefined, ["a"], 1],
  ["one of two", { lists: [{ a: {}, b: {}, c: DIFFERENT }] }, undefined, ["a", "b"], 1],
  ["of other values", { lists: [{ a: DIFFERENT }] }, undefined, ["a"], 6],
  ["of other values, and older", { lists: [{ a: DIFFERENT_OLDER }] }, undefined, ["a"], 6],
  // The clock of the dates may be ahead of the one of the creation times.
  ["older", { lists: [{ a: OLDER }] }, undefined, ["a"], 1],
  ["listed before", { lists: [{ a: { fact: "listedBefore" } }] }, undefined, [], 6],
  ["listed before, with a new one", { lists: [{ a: { fact: "listedBefore" }, b: {} }] }, "b", [], 1],
  ["of two creates in a row", { isUnique: false, lists: [{ ...LEFT, b: {} }] }, undefined, ["a", "b"], 1],
  ["new, unread", { ...UNREAD, lists: [{ a: {} }] }, "a", [], 1],
  ["older, unread", { ...UNREAD, lists: [{ a: OLDER }] }, undefined, ["a"], 1],
  ["of other values, and older, unread", { ...UNREAD, lists: [{ a: DIFFERENT_OLDER }] }, undefined, [], 6],
  ["different, undated, unread", { ...UNREAD, ...UNDATED, lists: [{ a: DIFFERENT }] }, undefined, [], 6],
  ["undated", { ...UNDATED, lists: [{ a: {} }] }, undefined, ["a"], 1],
  ["undated, in a new project", { ...UNDATED, isInNew: true, lists: [{ a: {} }] }, "a", [], 1],
  ["of other values, undated", { ...UNDATED, lists: [{ a: DIFFERENT }] }, undefined, ["a"], 6],
  ["newer than the Date header", { lists: [{ a: { createdAt: LATEST } }] }, undefined, ["a"], 1],
  ["that another resource has created", { lists: [{ a: { fact: "created" }, b: {} }] }, "b", [], 1],
  ["that another open create can mean", { lists: [{ a: {} }], other: CREATING }, undefined, ["a"], 1],
  ["that another create, with its own, cannot mean", { lists: [{ a: {} }], other: CREATED }, "a", [], 1],
  ["that a rejected create cannot mean", { lists: [{ a: {} }], other: REJECTED }, "a", [], 1],
])(
  "an object %s: %j is found: %s; the error lists %j, after %s requests",
  async (_situation, given, found, listed, requests) => {
    const result = await look(given);
    expect(result).toMatchObject({
      found,
      listed,
      requests,
      pauses: [1_000, 2_000, 4_000, 8_000, 15_000].slice(0, requests - 1),
    });
    expect(result.message).not.toContain("2026");
    // An equal object is not waited for.
    const isEqual = found === undefined && requests === 1;
    expect(result.message.includes("may have been created nevertheless")).toBe(isEqual);
    expect(result.message.includes("Created since then, with other")).toBe(listed.length > 0 && !isEqual);
    expect(result.reports).toHaveLength(found === undefined ? 1 : 2);
    // The message about what is found stays on the screen.
    if (found !== undefined) expect(result.reports[1]).toEqual({ persistent: true });
  },
);

test.each([
  ["all are", {}, "Created since then:\n"],
  ["one is not", OLDER, "may be it, and an earlier run may have left others:\n"],
  ["one was there before", BEFORE, "may be it, and an earlier run may have left others:\n"],
])("the error says whether the dates show that equal objects are new: %s", async (_situation, b, text) => {
  expect((await look({ isUnique: false, lists: [{ a: {}, b }] })).message).toContain(text);
});

test("the error says if the list could not be read", async () => {
  expect(await look({ lists: [{ broken: {} }] })).toMatchObject({ found: "no list", requests: 1 });
  expect(await look({ lists: [{}, { broken: {} }] })).toMatchObject({ found: "no list", requests: 2 });
});
