/**
 * What a run may do with an object: the specification, as tables. A row has the facts in the order in which they were
 * recorded, the question, and the answer: yes, or the fact that decides.
 */
import {
  claimsOn,
  type Entry,
  isOnlyCreate,
  isOwn,
  isResultOf,
  isTaken,
  lostResult,
  mayAdopt,
  mayCreate,
  mayDelete,
  readsToDeny,
} from "../../../provider/lifecycle/ledger/decisions";
import { createKey, type Fact, type FactKind, objectKey } from "../../../provider/lifecycle/ledger/facts";
import { newLedger } from "../../../provider/lifecycle/ledger/ledger";

const OBJECT = objectKey("application", "0d0d0d0d-0000-4000-8000-000000000006");
const OTHER = objectKey("application", "0d0d0d0d-0000-4000-8000-000000000007");
const CREATE = createKey("application", ["Shop"]);

/** The resources of the rows. */
const WEB = "web";
const SITE = "site";

/** A fact about the object, such as `declared by site`: by WEB unless it says so, and by `?` if nothing identifies it. */
type Row = FactKind | `${FactKind} by ${"site" | "?"}` | Fact;

function factOf(row: Row, object = OBJECT): Fact {
  if (typeof row === "object") return row;
  const [is, by = WEB] = row.split(" by ") as [FactKind, string?];
  return { is, object, by: by === "?" ? undefined : by };
}

/** The facts of a ledger in which they were recorded in this order. */
function facts(rows: readonly Row[], { object = OBJECT } = {}) {
  const ledger = newLedger();
  for (const row of rows) ledger.record(factOf(row, object));
  return ledger;
}

/** The answer of a row: yes, or the kind of the fact that decides and its resource. */
function shown(answer: ReturnType<typeof mayDelete>): string {
  if (answer.is === "no") return `no: ${answer.because.is} by ${answer.because.by ?? "?"}`;
  return answer.is;
}

describe("the deletion of an entry may delete its object", () => {
  const ENTRY: Entry = { object: OBJECT, by: WEB, isCreated: true, fixed: "one" };

  test.each<[situation: string, rows: readonly Row[], entry: Partial<Entry>, answer: string]>([
    ["that no fact is about", [], {}, "yes"],
    ["that the run has only seen and listed", ["seen by site", "listedBefore"], {}, "yes"],
    ["that another resource has created", ["created by site"], {}, "no: created by site"],
    ["that its resource has created in place of it", ["replacing", "created"], {}, "no: created by web"],
    [
      "that the entry has adopted, without the option import now or before",
      ["adoptedEntry"],
      { isCreated: false },
      "yes",
    ],
    ["that the program declares with import", ["adopting"], {}, "no: adopting by web"],
    [
      "that the program declared with import at the last up",
      ["adoptedBefore"],
      {},
      "no: adoptedBefore by web",
    ],
    ["that another resource declares with import", ["adopting by site"], {}, "no: adopting by site"],
    ["that another entry has, which the program keeps", ["declared by site"], {}, "no: declared by site"],
    ["that its own resource keeps: two entries have one name", ["declared"], {}, "no: declared by web"],
    [
      "that a resource keeps that nothing identifies",
      ["declared by ?"],
      { by: undefined },
      "no: declared by ?",
    ],
    ["that its resource has replaced, by force or for a change", ["declared", "replacing"], {}, "yes"],
    ["that its resource replaces for a change", ["replacing"], {}, "yes"],
    ["that its resource kept after all", ["replacing", "declared"], {}, "no: declared by web"],
    [
      "of two entries, one of which is replaced",
      ["declared", "declared by site", "replacing"],
      {},
      "no: declared by site",
    ],
    [
      "that another resource replaces: the entry has its former name",
      ["declared by site", "replacing by site"],
      {},
      "yes",
    ],
    [
      "that a resource replaces, on a host that does not identify the deleted entry",
      ["declared", "replacing"],
      { by: undefined },
      "yes",
    ],
    [
      "that was replaced by a resource that nothing identifies, which overrules nothing",
      ["declared by ?", "replacing by ?"],
      { by: undefined },
      "no: declared by ?",
    ],
    [
      "that is replaced and adopted in one run",
      ["replacing", "adopting by site"],
      {},
      "no: adopting by site",
    ],
    ["that was taken for the result of a lost create", ["recovered by site"], {}, "no: recovered by site"],
    [
      "in place of which the entry has adopted another one, although the entry had adopted it as well",
      [{ is: "adoptedEntry", object: OTHER, by: WEB, fixed: "one" }],
      { isCreated: false, fixed: "two" },
      "no: adoptedEntry by web",
    ],
    [
      "in place of which the entry has adopted an equal one",
      [{ is: "adoptedEntry", object: OTHER, by: WEB, fixed: "one" }],
      { isCreated: true, fixed: "one" },
      "no: adoptedEntry by web",
    ],
    [
      "that it has created, and replaces by an adopted one that differs in what cannot change",
      [{ is: "adoptedEntry", object: OTHER, by: WEB, fixed: "one" }],
      { isCreated: true, fixed: "two" },
      "yes",
    ],
    [
      "that it has adopted, and replaces by a created one",
      ["replacing", { is: "created", object: OTHER, by: WEB }],
      { isCreated: false },
      "yes",
    ],
    [
      "if another entry has adopted another object",
      [{ is: "adoptedEntry", object: OTHER, by: SITE }],
      {},
      "yes",
    ],
    [
      "if a resource that nothing identifies has adopted another object",
      [{ is: "adoptedEntry", object: OTHER }],
      { by: undefined, isCreated: false },
      "yes",
    ],
  ])("%s: %j", (_situation, rows, entry, answer) => {
    expect(shown(mayDelete(facts(rows), { ...ENTRY, ...entry }))).toBe(answer);
  });

  test("in any letter case of its UUID", () => {
    const upper = objectKey("application", "0D0D0D0D-0000-4000-8000-000000000006");
    expect(shown(mayDelete(facts(["adopting"]), { ...ENTRY, object: upper }))).toBe("no: adopting by web");
  });
});

describe("a resource may adopt an object", () => {
  test.each<[situation: string, rows: readonly Row[], isNew: boolean, answer: string]>([
    ["that no fact is about", [], true, "yes"],
    ["that its own fact is about", ["adopting"], true, "yes"],
    ["that it has in the state", ["seen", "adoptedEntry", "declared", "adopting"], false, "yes"],
    ["that it has in the state and replaces by force", ["declared", "replacing", "adopting"], true, "yes"],
    [
      "that another resource declares with import",
      ["adopting", "adopting by site"],
      true,
      "no: adopting by site",
    ],
    [
      "that another one adopts, as one that exists",
      ["adopting", "adopting by site"],
      false,
      "no: adopting by site",
    ],
    [
      "that another one adopted before and no longer declares",
      ["adoptedBefore by site", "adopting"],
      true,
      "yes",
    ],
    ["that another entry of the state has", ["seen by site", "declared by site", "adopting"], true, "yes"],
    [
      "that a change of another resource replaces, which may delete it first",
      ["replacing by site", "adopting"],
      true,
      "no: replacing by site",
    ],
    [
      "that a resource replaces that nothing identifies",
      ["replacing by ?", "adopting"],
      true,
      "no: replacing by ?",
    ],
    [
      "that another one replaces, although it has it already",
      ["replacing by site", "adopting"],
      false,
      "yes",
    ],
  ])("%s: %j (new: %s)", (_situation, rows, isNew, answer) => {
    expect(shown(mayAdopt(facts(rows), { object: OBJECT, by: WEB, isNew }))).toBe(answer);
  });
});

describe("a create may be sent", () => {
  const UNDER_WAY = {};
  const CREATED = { found: "object" };
  const NOT_RETURNED = { found: "object", failure: "not ready" };
  const UNKNOWN = { failure: "lost" };

  test.each<[creates: readonly object[], isIdentified: boolean, answer: string]>([
    [[], true, "yes"],
    [[CREATED], true, "resume 0"],
    [[NOT_RETURNED], true, "resume 0"],
    [[UNKNOWN], true, "fail 0"],
    [[UNKNOWN, CREATED], true, "resume 1"],
    // Equal resources.
    [[], false, "yes"],
    [[UNDER_WAY], false, "yes"],
    [[CREATED, CREATED], false, "yes"],
    [[NOT_RETURNED], false, "fail 0"],
    [[CREATED, UNKNOWN], false, "fail 1"],
  ])("after the creates %j of what is one resource (%s): %s", (creates, isIdentified, answer) => {
    const result = mayCreate(creates, isIdentified);
    expect("create" in result ? `${result.is} ${creates.indexOf(result.create)}` : result.is).toBe(answer);
  });
});

describe("an object can be the result of a create", () => {
  const NONE: Readonly<Record<FactKind, boolean>> = {
    seen: false,
    listedBefore: false,
    adoptedEntry: false,
    adopting: false,
    adoptedBefore: false,
    declared: false,
    had: false,
    declares: false,
    replacing: false,
    creating: false,
    created: false,
    notCreated: false,
    recovered: false,
    deleted: false,
    absent: false,
    young: false,
    found: false,
  };

  test.each(Object.keys(NONE) as FactKind[])("not if there is a fact: %s", (is) => {
    const known = { object: OBJECT, by: WEB, fits: [] };
    expect(shown(isResultOf(facts([`${is} by site`]), known))).toBe(`no: ${is} by site`);
  });

  const creating = (by: string): Fact => ({ is: "creating", object: CREATE, by });
  const ended = (is: FactKind, by: string): Fact => ({ is, object: CREATE, by });
  test.each<[rows: readonly Row[], fits: readonly string[], answer: string]>([
    [[], [], "yes"],
    [[{ is: "seen", object: OTHER }], [], "yes"],
    // The values of a create that is open.
    [[creating(SITE)], [CREATE], "no: creating by site"],
    [[creating(SITE)], [], "yes"],
    [[creating(WEB)], [CREATE], "yes"],
    [[creating(SITE), ended("created", SITE)], [CREATE], "yes"],
    [[creating(SITE), ended("notCreated", SITE)], [CREATE], "yes"],
    [[creating(WEB), creating(SITE)], [createKey("application", ["Other"]), CREATE], "no: creating by site"],
    [["seen", creating(SITE)], [CREATE], "no: seen by web"],
  ])("with the facts %j, if it has the values of the creates %j: %s", (rows, fits, answer) => {
    expect(shown(isResultOf(facts(rows), { object: OBJECT, by: WEB, fits }))).toBe(answer);
  });
});

test.each<[rows: readonly Row[], taken: boolean, createdInRun: boolean]>([
  [[], false, false],
  [["listedBefore"], false, false],
  [["seen"], true, false],
  [["created"], true, true],
  [["listedBefore", "adopting"], true, false],
  [["declared by site"], true, false],
])("an object with the facts %j is taken: %s, created in this run: %s", (rows, taken, createdInRun) => {
  expect(isTaken(facts(rows), OBJECT)).toBe(taken);
  expect(facts(rows).has(OBJECT, "created")).toBe(createdInRun);
});

test.each<[rows: readonly Row[], claims: readonly string[]]>([
  [[], []],
  [["listedBefore"], []],
  [["seen"], ["seen"]],
  // The program may have renamed the resource, or no longer declare it.
  [["seen by site", "adoptedEntry by site"], []],
  [["seen by ?"], []],
  [
    ["seen by ?", "seen", "declared"],
    ["seen", "declared"],
  ],
  [["adoptedEntry"], ["adoptedEntry"]],
  [
    ["declared by ?", "adopting by site", "created by ?", "deleted by site"],
    ["declared", "adopting", "created", "deleted"],
  ],
  // A refresh has removed it from the state.
  [["seen", "absent", "replacing"], []],
  [
    ["seen", "replacing"],
    ["seen", "replacing"],
  ],
  [["seen", "absent", "adopting"], ["adopting"]],
  [["young", "found", "listedBefore"], []],
])("with the facts %j, an object is claimed by %j if the program declares web", (rows, claims) => {
  const found = claimsOn(facts(rows), OBJECT, (resource) => resource === WEB);
  expect(found.map(({ is }) => is)).toEqual(claims);
});

test.each<[rows: readonly Row[], by: string | undefined, answer: string]>([
  [[], WEB, "yes"],
  [["seen", "adoptedEntry", "declared"], WEB, "yes"],
  [["created"], WEB, "yes"],
  [["declared by site"], WEB, "yes"],
  [["recovered by site"], WEB, "no: recovered by site"],
  [["created by site"], WEB, "no: created by site"],
  [["created"], undefined, "no: created by web"],
  [["created by ?"], undefined, "no: created by ?"],
])(
  "an object that a resource has in the state, with the facts %j, is its own (by %s): %s",
  (rows, by, answer) => {
    expect(shown(isOwn(facts(rows), { object: OBJECT, by }))).toBe(answer);
  },
);

test.each<[situation: string, rows: readonly Row[], answer: string]>([
  ["alone", ["creating"], "yes"],
  ["beside one of another resource", ["creating", "creating by site"], "no: creating by site"],
  ["beside one whose process was killed", ["creating by site", "creating"], "no: creating by site"],
  ["after one that has created its object", ["creating by site", "created by site", "creating"], "yes"],
  ["after one that was rejected", ["creating by site", "notCreated by site", "creating"], "yes"],
])("a create is the only one that can have created an object: %s", (_situation, rows, answer) => {
  expect(shown(isOnlyCreate(facts(rows, { object: CREATE }), CREATE, WEB))).toBe(answer);
});

describe("the result of a lost create", () => {
  const one = { uuid: "one", isEqual: true, isCreatedSince: true };
  const two = { uuid: "two", isEqual: true, isCreatedSince: true };
  const other = { uuid: "other", isEqual: false, isCreatedSince: true };
  const SURE = { isUnique: true, isOnly: true };
  const found = { is: "found", uuid: "one" };
  const missing = { is: "missing" };

  test.each<[candidates: readonly (typeof one)[], conditions: typeof SURE, result: object]>([
    [[one], SURE, found],
    [[one, other], SURE, found],
    [[one], { ...SURE, isUnique: false }, { is: "equal", uuids: ["one"], areCreatedSince: true }],
    [[one], { ...SURE, isOnly: false }, { is: "equal", uuids: ["one"], areCreatedSince: true }],
    [[one, two], SURE, { is: "equal", uuids: ["one", "two"], areCreatedSince: true }],
    [[{ ...one, isCreatedSince: false }], SURE, { is: "equal", uuids: ["one"], areCreatedSince: false }],
    [
      [one, { ...two, isCreatedSince: false }],
      SURE,
      { is: "equal", uuids: ["one", "two"], areCreatedSince: false },
    ],
    [[other], SURE, missing],
    [[], SURE, missing],
  ])("of the candidates %j (%j) is %j", (candidates, conditions, result) => {
    expect(lostResult(candidates, conditions)).toEqual(result);
  });
});

test.each<[rows: readonly Row[], toDeny: number, isDeleted: boolean, isAbsent: boolean]>([
  [[], 1, false, false],
  [["listedBefore"], 1, false, false],
  [["seen"], 4, false, false],
  [["seen", "adoptedEntry", "declared"], 4, false, false],
  [["created"], Number.POSITIVE_INFINITY, false, false],
  [["recovered", "created", "seen"], Number.POSITIVE_INFINITY, false, false],
  [["seen by site", "deleted"], 4, true, false],
  [["seen", "absent"], 4, false, true],
])(
  "after %j, an object is gone only if at least %d reads do not find it; this run has deleted it: %s, found it gone: %s",
  (rows, toDeny, isDeleted, isAbsent) => {
    const known = facts(rows);
    expect(readsToDeny(known, OBJECT)).toBe(toDeny);
    expect([known.has(OBJECT, "deleted"), known.has(OBJECT, "absent")]).toEqual([isDeleted, isAbsent]);
    expect(readsToDeny(known, OTHER)).toBe(1);
  },
);

test("one read is enough in a run that knows nothing", () => {
  expect(readsToDeny(undefined, OBJECT)).toBe(1);
});
