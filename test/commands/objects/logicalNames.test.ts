/** Logical names and variables are readable, unique and valid, whatever the names of objects. */
import {
  byAge,
  hyphenated,
  hyphenatedHostname,
  uniqueNames,
  variableName,
} from "../../../cli/objects/logicalNames";

test.each([
  ["Shop", "shop"],
  ["My  Shop (EU)", "my-shop-eu"],
  ["🚀🚀", ""],
  ["👩‍👩‍👧 family", "family"],
  ["हिन्दी", "हिन्दी"],
  ["ⅷ ² ﬁ", "viii-2-fi"],
  ["x".repeat(100), "x".repeat(40)],
  [`${"x".repeat(39)} yz`, "x".repeat(39)],
])("%j becomes %j", (name, expected) => {
  expect(hyphenated(name)).toBe(expected);
});

test.each([
  ["links.shop.example", "links-shop-example"],
  ["xn--0-o44f180c.example", "쇼핑0-example"],
  ["*.shop.example", "shop-example"],
  ["xn--a", "xn-a"],
])("hostname %j becomes %j", (hostname, expected) => {
  expect(hyphenatedHostname(hostname)).toBe(expected);
});

test.each([
  ["shop", "shop"],
  ["my-shop-eu", "myShopEu"],
  ["1st-place", "project1stPlace"],
  // Letters that only recent versions of Unicode have.
  ["\u{33c8b}\u{26884}d", "d"],
  ["\u{33c8b}", "project"],
  ["project", "project"],
  ["taken", "takenProject"],
  ["", "project"],
  // A name that modules have already, and a reserved word.
  ["undefined", "undefinedProject"],
  ["new", "newProject"],
])("the variable for %j is %j", (name, expected) => {
  expect(variableName(name, ["taken"])).toBe(expected);
});

const FIRST = "11111111-aaaa-4000-8000-000000000001";
const SECOND = "11111111-bbbb-4000-8000-000000000002";
const SECOND_HEX = SECOND.replaceAll("-", "");
const THIRD = "33333333-aaaa-4000-8000-000000000003";
const ANY_CASE = { form: (name: string) => name.toLowerCase(), reserved: ["shop"] };

test.each<[string, string[], string[], string[], object?]>([
  ["part of the UUID", [FIRST, SECOND, THIRD], ["shop"], ["shop", "shop-11111111", "shop-33333333"]],
  ["all of it if necessary", ["x", FIRST, SECOND], ["shop"], ["shop", "shop-11111111", `shop-${SECOND_HEX}`]],
  ["but rather another proposed name", [FIRST, THIRD], ["ios", "ios-second"], ["ios", "ios-second"]],
  [
    "or no reserved one, also if names are equal in another form",
    [FIRST, THIRD],
    ["Shop", "shop-web"],
    ["shop-web", "shop-web-33333333"],
    ANY_CASE,
  ],
])("duplicate names get %s", (_, uuids, proposed, expected, options = {}) => {
  const names = uniqueNames(
    uuids.map((uuid) => ({ uuid })),
    () => proposed,
    options,
  );
  expect([...names.values()]).toEqual(expected);
});

test("objects are sorted by age, then by UUID, whatever their order and the format of dates", () => {
  const objects = [
    { uuid: THIRD, createdAt: "2024-01-01T00:00:00Z" },
    { uuid: SECOND, createdAt: "2024-01-01T09:00:00.000+09:00" },
    { uuid: FIRST, createdAt: "2025-01-01T00:00:00.000Z" },
  ];
  const expected = [SECOND, THIRD, FIRST];
  expect(byAge(objects).map(({ uuid }) => uuid)).toEqual(expected);
  expect(byAge(objects.toReversed()).map(({ uuid }) => uuid)).toEqual(expected);
});
