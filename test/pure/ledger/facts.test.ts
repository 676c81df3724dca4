/** Facts: which of them count, and how they are identified. */
import {
  createKey,
  current,
  type Fact,
  objectKey,
  resourceOf,
  UNIDENTIFIED,
} from "../../../provider/lifecycle/ledger/facts";

const A: Omit<Fact, "is"> = { object: "project a", by: "web" };

test.each<[facts: readonly Fact["is"][], current: readonly Fact["is"][]]>([
  [["declared", "replacing"], ["replacing"]],
  [["declared", "replacing", "declared"], ["declared"]],
  [["creating", "created"], ["created"]],
  [["creating", "notCreated"], ["notCreated"]],
  [["creating", "notCreated", "creating"], ["creating"]],
  [
    ["seen", "adopting", "adoptedBefore", "recovered"],
    ["seen", "adopting", "adoptedBefore", "recovered"],
  ],
])("of the facts %j of a resource about an object, %j count", (kinds, expected) => {
  expect(current(kinds.map((is) => ({ ...A, is }))).map(({ is }) => is)).toEqual(expected);
});

test.each<[string, Fact]>([
  ["of another resource", { ...A, by: "site", is: "replacing" }],
  ["about another object", { ...A, object: "project b", is: "replacing" }],
])("a fact is not overruled by one %s", (_name, later) => {
  const declared: Fact = { ...A, is: "declared" };
  expect(current([declared, later])).toEqual([declared, later]);
});

test("a resource that nothing identifies overrules nothing", () => {
  const facts: Fact[] = [
    { is: "declared", object: "project a" },
    { is: "replacing", object: "project a" },
  ];
  expect(current(facts)).toEqual(facts);
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
