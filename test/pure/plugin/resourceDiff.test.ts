/** The diff of a preview: which properties differ, and how, and when an update must save the state. */
import { stageOf } from "../../../provider/hosts/plugin/nativeState";
import { detailedDiff, resourceDiff } from "../../../provider/hosts/plugin/resourceDiff";
import type { ResourceDescription } from "../../../provider/lifecycle/description";
import type { Properties } from "../../../provider/lifecycle/properties";
import { DESCRIPTIONS } from "../../../provider/resources";

function changes(before: object, after: object, replaces: string[] = []) {
  const [old, now] = [before, after] as Record<string, unknown>[];
  return Object.fromEntries(detailedDiff({ ...old }, { ...now }, replaces));
}

test.each<[string, object, object, object]>([
  ["parts", { a: { b: 1, c: 2 } }, { a: { b: 3, d: 4 } }, { "a.b": "UPDATE", "a.c": "DELETE", "a.d": "ADD" }],
  ["an object", {}, { a: { b: 1 } }, { a: "ADD" }],
  ["another kind of value", { a: "b" }, { a: { b: 1 } }, { a: "UPDATE" }],
  ["items", { a: [1, 2] }, { a: [1, 3, 4] }, { "a[1]": "UPDATE", "a[2]": "ADD" }],
  ["fewer items", { a: [{ b: 1 }, 2] }, { a: [{ b: 2 }] }, { "a[0].b": "UPDATE", "a[1]": "DELETE" }],
  ["a name that needs quotes", { a: { "b.c": 1 } }, { a: { "b.c": 2 } }, { 'a["b.c"]': "UPDATE" }],
])("%s", (_name, before, after, expected) => {
  expect(changes(before, after)).toEqual(expected);
});

test("a property that forces a replacement is marked at every changed path", () => {
  expect(changes({ a: { b: 1 }, c: 1 }, { a: { d: 2 }, c: 2 }, ["a"])).toEqual({
    "a.b": "DELETE_REPLACE",
    "a.d": "ADD_REPLACE",
    c: "UPDATE",
  });
});

const PROJECT = DESCRIPTIONS.Project as unknown as ResourceDescription;
const SHOP = { name: "Shop" };
const EMPTIED = { name: "Shop", defaultHookupMsg: null };
const IMPORTED = { name: "Shop", defaultHookupMsg: "Hello" };
const REFUSED = { ...IMPORTED, __refused: true };

test.each<[what: string, before: Properties, declared: Properties, adopts: boolean, isSaved: boolean]>([
  ["of the import", { ...IMPORTED, __imported: true }, IMPORTED, true, true],
  ["of a refused import, which the program then agrees with", REFUSED, IMPORTED, false, true],
  ["after it, if the program leaves out a value", { ...IMPORTED, __imported: true }, SHOP, false, true],
  ["after it, if the program declares null", { ...SHOP, __imported: true }, EMPTIED, false, true],
  ["not if the program declares all values", { ...IMPORTED, __imported: true }, IMPORTED, false, false],
  ["not if a program has run since, even if it declares null", SHOP, EMPTIED, false, false],
])("the state is saved by an update that changes no value %s", (_, before, declared, adopts, isSaved) => {
  const { __imported: _mark, ...state } = before;
  const decided = { replaces: [], deleteBeforeReplace: false, newlyNull: [] };
  const entry = { state, before, stage: stageOf({ state, before, news: declared, isImported: adopts }) };
  const { changes } = resourceDiff(PROJECT, entry, declared, decided);
  expect([...changes]).toEqual(isSaved ? [["__adopted", "ADD"]] : []);
});

test("a property that forces a replacement is shown even if its declared value is the same, as in an edited state", () => {
  const decided = { replaces: ["name"], deleteBeforeReplace: false, newlyNull: [] };
  const entry = { state: {}, before: SHOP, stage: "applied" } as const;
  const { changes } = resourceDiff(PROJECT, entry, SHOP, decided);
  expect([...changes]).toEqual([["name", "UPDATE_REPLACE"]]);
});
