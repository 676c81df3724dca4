/** Facts: which of them count, and how they are identified. The tables of the decisions have further ones that count. */
import {
  createKey,
  current,
  type Fact,
  objectKey,
  parentIn,
  resourceOf,
  UNIDENTIFIED,
} from "../../../provider/lifecycle/ledger/facts";
import { newLedger } from "../../../provider/lifecycle/ledger/ledger";

const A: Omit<Fact, "is"> = { object: "project a", by: "web" };

test.each<[facts: readonly Fact["is"][], current: readonly Fact["is"][]]>([
  [["declared", "replacing", "declared"], ["declared"]],
  [["creating", "notCreated", "creating"], ["creating"]],
])("of the facts %j of a resource about an object, %j count", (kinds, expected) => {
  expect(current(kinds.map((is) => ({ ...A, is }))).map(({ is }) => is)).toEqual(expected);
});

test("a fact is not overruled by one about another object", () => {
  const facts: Fact[] = [
    { ...A, is: "declared" },
    { ...A, object: "project b", is: "replacing" },
  ];
  expect(current(facts)).toEqual(facts);
});

const PLACE = "0D0D0D0D-0000-4000-8000-000000000001";
test.each<[string, kind: object, values: object, parent: string | undefined]>([
  ["with the UUID of its project", { parentId: "place" }, { place: PLACE }, `project ${PLACE.toLowerCase()}`],
  ["whose project is not known yet", { parentId: "place" }, { place: "unknown" }, undefined],
  ["of a kind without parents", {}, { place: PLACE }, undefined],
])("the parent of an object %s", (_name, kind, values, parent) => {
  expect(parentIn(kind, values as Record<string, unknown>)).toBe(parent);
});

test("an object that has moved is in both parents", () => {
  const ledger = newLedger();
  for (const parent of ["a", "a", "b"]) ledger.record({ ...A, is: "declared", parent });
  expect(["a", "b"].map((parent) => ledger.in(parent).length)).toEqual([1, 1]);
});

test("an object is identified by its kind and its UUID in any letter case", () => {
  expect(objectKey("project", "0A")).toBe(objectKey("project", "0a"));
  expect(objectKey("project", "0a")).not.toBe(objectKey("application", "0a"));
});

test("a create is identified without showing its values", () => {
  expect(createKey("application", ["canary"])).toBe(createKey("application", ["canary"]));
  expect(createKey("application", ["canary"])).not.toBe(createKey("application", ["other"]));
  expect(createKey("application", ["canary"])).not.toBe(createKey("project", ["canary"]));
  expect(createKey("application", ["canary"])).not.toContain("canary");
});

test.each([
  [undefined, "another resource"],
  [`${UNIDENTIFIED}1`, "another resource"],
  ["web", "the resource <web>"],
  ["urn:pulumi:test::shop::dynamiclink:index:Project::a::b", "the resource <a::b>"],
  ["urn:pulumi:test::shop::my:index:Group$dynamiclink:index:Project::web", "the resource <web>"],
  ["project urn:pulumi:test::shop::my:index:Group::group web", "the resource <project web in group>"],
])("the resource %j of a fact is %s in messages", (by, text) => {
  expect(resourceOf({ ...A, is: "seen", by }, (name) => `<${name}>`)).toBe(text);
});
