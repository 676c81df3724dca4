/**
 * What a run may do with an object: the specification, as tables. A row has the facts in the order in which they were
 * recorded, the question, and the answer: yes, or the fact that decides.
 */
import {
  claimsOn,
  type Entry,
  isOwn,
  isResultOf,
  isTaken,
  mayAdopt,
  mayCreate,
  mayDelete,
} from "../../../provider/lifecycle/ledger/decisions";
import { createKey, type Fact, type FactKind, objectKey } from "../../../provider/lifecycle/ledger/facts";
import { newLedger } from "../../../provider/lifecycle/ledger/ledger";

const OBJECT = objectKey("application", "0d0d0d0d-0000-4000-8000-000000000006");
const OTHER = objectKey("application", "0d0d0d0d-0000-4000-8000-000000000007");
const CREATE = createKey("application", ["Shop"]);

const WEB = "web";
const SITE = "site";

/** A fact about the object, such as `declared by site`: by WEB unless it says so, and by `?` if nothing identifies it. */
type Row = FactKind | `${FactKind} by ${"site" | "?"}` | Fact;

function factOf(row: Row): Fact {
  if (typeof row === "object") return row;
  const [is, by = WEB] = row.split(" by ") as [FactKind, string?];
  return { is, object: OBJECT, by: by === "?" ? undefined : by };
}

function facts(rows: readonly Row[]) {
  const ledger = newLedger();
  for (const row of rows) ledger.record(factOf(row));
  return ledger;
}

/** The answer of a row: yes, or the kind of the fact that decides and its resource. */
function shown(answer: ReturnType<typeof mayDelete>): string {
  if (answer.is === "no") return `no: ${answer.because.is} by ${answer.because.by ?? "?"}`;
  return answer.is;
}

const ENTRY: Entry = { object: OBJECT, by: WEB, isCreated: true, fixed: "one" };
const UNIDENTIFIED = { by: undefined };
const ADOPTED = { isCreated: false };
const ANONYMOUS = { ...UNIDENTIFIED, ...ADOPTED };
const ADOPTS_OTHER: Fact = { is: "adoptedEntry", object: OTHER, by: WEB, fixed: "one" };
const CREATES_OTHER: Fact = { is: "created", object: OTHER, by: WEB };

test.each<[situation: string, rows: readonly Row[], entry: Partial<Entry>, answer: string]>([
  ["that no fact is about", [], {}, "yes"],
  ["that the run has only seen and listed", ["seen by site", "listedBefore"], {}, "yes"],
  ["that another resource has created", ["created by site"], {}, "no: created by site"],
  ["that its resource has created in place of it", ["replacing", "created"], {}, "no: created by web"],
  ["that the entry has adopted, without import now or before", ["adoptedEntry"], ADOPTED, "yes"],
  ["that the program declares with import", ["adopting"], {}, "no: adopting by web"],
  ["that was declared with import at the last up", ["adoptedBefore"], {}, "no: adoptedBefore by web"],
  ["that another entry has, which the program keeps", ["declared by site"], {}, "no: declared by site"],
  ["that its own resource keeps: two entries have one name", ["declared"], {}, "no: declared by web"],
  ["that a resource without identity keeps", ["declared by ?"], UNIDENTIFIED, "no: declared by ?"],
  ["that its resource has replaced, by force or for a change", ["declared", "replacing"], {}, "yes"],
  ["that its resource kept after all", ["replacing", "declared"], {}, "no: declared by web"],
  ["that another entry keeps", ["declared", "declared by site", "replacing"], {}, "no: declared by site"],
  ["that another resource, its new name, replaces", ["declared by site", "replacing by site"], {}, "yes"],
  ["that is replaced, on a host without identities", ["declared", "replacing"], UNIDENTIFIED, "yes"],
  // What nothing identifies overrules nothing.
  ["that may be replaced", ["declared by ?", "replacing by ?"], UNIDENTIFIED, "no: declared by ?"],
  ["that is replaced and adopted", ["replacing", "adopting by site"], {}, "no: adopting by site"],
  ["that was taken for the result of a lost create", ["recovered by site"], {}, "no: recovered by site"],
  [
    "in place of which the entry has adopted another one, although the entry had adopted it as well",
    [ADOPTS_OTHER],
    { isCreated: false, fixed: "two" },
    "no: adoptedEntry by web",
  ],
  ["in place of which the entry has adopted an equal one", [ADOPTS_OTHER], {}, "no: adoptedEntry by web"],
  ["that it has created, and replaces by another adopted one", [ADOPTS_OTHER], { fixed: "two" }, "yes"],
  ["that it has adopted, and replaces by a created one", ["replacing", CREATES_OTHER], ADOPTED, "yes"],
  ["if another entry has adopted another object", [{ ...ADOPTS_OTHER, by: SITE }], {}, "yes"],
  ["on a host without identities", [{ ...ADOPTS_OTHER, by: undefined }], ANONYMOUS, "yes"],
])("the deletion of an entry may delete its object %s: %j", (_situation, rows, entry, answer) => {
  expect(shown(mayDelete(facts(rows), { ...ENTRY, ...entry }))).toBe(answer);
});

test.each<[situation: string, rows: readonly Row[], isNew: boolean, answer: string]>([
  ["that no fact is about", [], true, "yes"],
  ["that it has in the state", ["seen", "adoptedEntry", "declared", "adopting"], false, "yes"],
  ["that it has in the state and replaces by force", ["declared", "replacing", "adopting"], true, "yes"],
  ["that another resource imports", ["adopting", "adopting by site"], true, "no: adopting by site"],
  ["that another one imports, existing", ["adopting", "adopting by site"], false, "no: adopting by site"],
  ["that another one imported before", ["adoptedBefore by site", "adopting"], true, "yes"],
  ["that another entry of the state has", ["seen by site", "declared by site", "adopting"], true, "yes"],
  // It may be deleted first.
  ["that another resource replaces", ["replacing by site", "adopting"], true, "no: replacing by site"],
  ["that it has already, and another one replaces", ["replacing by site", "adopting"], false, "yes"],
])("a resource may adopt an object %s: %j (new: %s)", (_situation, rows, isNew, answer) => {
  expect(shown(mayAdopt(facts(rows), { object: OBJECT, by: WEB, isNew }))).toBe(answer);
});

test("a create that is called again continues the one that has an object, although another one failed", () => {
  const created = { found: "object" };
  expect(mayCreate([{ failure: "lost" }, created], true)).toEqual({ is: "resume", create: created });
  expect(mayCreate([created], false)).toEqual({ is: "yes" });
});

describe("an object can be the result of a create", () => {
  const creating = (by: string): Fact => ({ is: "creating", object: CREATE, by });
  const ended = (is: FactKind, by: string): Fact => ({ is, object: CREATE, by });
  test.each<[rows: readonly Row[], fits: readonly string[], answer: string]>([
    [[{ is: "seen", object: OTHER }], [], "yes"],
    // Whatever was known about it before.
    [["listedBefore by site"], [], "no: listedBefore by site"],
    // The values of a create that is open.
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

test.each<[rows: readonly Row[], isTaken: boolean]>([
  [["listedBefore"], false],
  [["seen"], true],
  [["listedBefore", "adopting"], true],
])("an object with the facts %j is taken: %s", (rows, taken) => {
  expect(isTaken(facts(rows), OBJECT)).toBe(taken);
});

test.each<[rows: readonly Row[], claims: string]>([
  // The program may have renamed the resource, or no longer declare it.
  [["seen by site", "adoptedEntry by site"], ""],
  [["seen by ?", "seen", "declared"], "seen, declared"],
  [["adoptedEntry"], "adoptedEntry"],
  [["seen", "replacing"], "seen, replacing"],
  [["declared by ?", "adopting by site", "deleted by site"], "declared, adopting, deleted"],
  // A refresh has removed it from the state.
  [["seen", "absent", "replacing"], ""],
  [["seen", "absent", "adopting"], "adopting"],
  [["young", "listedBefore"], ""],
])("with the facts %j, an object is claimed by %j if the program declares web", (rows, claims) => {
  const found = claimsOn(facts(rows), OBJECT, (resource) => resource === WEB);
  expect(found.map(({ is }) => is).join(", ")).toBe(claims);
});

test.each<[rows: readonly Row[], by: string | undefined, answer: string]>([
  [["seen", "adoptedEntry", "declared"], WEB, "yes"],
  [["created"], WEB, "yes"],
  [["declared by site"], WEB, "yes"],
  [["recovered by site"], WEB, "no: recovered by site"],
  [["created by site"], WEB, "no: created by site"],
  [["created"], undefined, "no: created by web"],
  [["created by ?"], undefined, "no: created by ?"],
])("an object in the state with the facts %j is its own (by %s): %s", (rows, by, answer) => {
  expect(shown(isOwn(facts(rows), { object: OBJECT, by }))).toBe(answer);
});
