/** What counts as a change of property values. */
import { changesIn, same } from "../../../provider/lifecycle/properties";

test.each([
  ["null and absent are equal", { a: null }, {}, []],
  ["an item more is a change, even null", ["a"], ["a", null], [[[1], "ADD"]]],
  ["an item less is a change, even null", ["a", null], ["a"], [[[1], "DELETE"]]],
  ["a nested value", { list: [{ a: 1 }] }, { list: [{ a: 2 }] }, [[["list", 0, "a"], "UPDATE"]]],
])("%s", (_name, before, after, changes) => {
  expect(changesIn(before, after)).toEqual(changes);
  expect(same(before, after)).toBe(changes.length === 0);
});
