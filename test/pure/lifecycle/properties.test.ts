/** What counts as a change of property values. */
import {
  changedPaths,
  changesIn,
  differences,
  newlyNull,
  type Properties,
  same,
} from "../../../provider/lifecycle/properties";

test.each([
  ["null and absent are equal", { a: null }, {}, []],
  ["an item more is a change, even null", ["a"], ["a", null], [[[1], "ADD"]]],
  ["an item less is a change, even null", ["a", null], ["a"], [[[1], "DELETE"]]],
  ["a nested value", { list: [{ a: 1 }] }, { list: [{ a: 2 }] }, [[["list", 0, "a"], "UPDATE"]]],
])("%s", (_name, before, after, changes) => {
  expect(changesIn(before, after)).toEqual(changes);
  expect(same(before, after)).toBe(changes.length === 0);
});

test.each<[string, object, object, string[], string[], string[]]>([
  ["a value that is no longer declared", { a: 1 }, {}, [], ["a"], []],
  ["a new value", {}, { a: { b: 1 } }, ["a"], ["a"], []],
  ["null for the first time", {}, { a: null }, [], ["a"], ["a"]],
  ["null again", { a: null }, { a: null }, [], [], []],
  ["null for a value", { a: 1 }, { a: null }, ["a"], ["a"], []],
  ["a new object with null", {}, { a: { b: null } }, ["a"], ["a", "a.b"], ["a.b"]],
  ["a member", { a: { b: 1, c: 2 } }, { a: { b: 3 } }, ["a.b"], ["a.b", "a.c"], []],
  ["a list, which is one value", { a: ["b", "c"] }, { a: ["d"] }, ["a"], ["a"], []],
  ["a value that is not known yet", { a: 1 }, { a: { b: "unknown" } }, [], ["a"], []],
])("%s", (_name, before, after, differing, changed, nulls) => {
  const [one, other] = [before as Properties, after as Properties];
  const isUnknown = (value: unknown) => value === "unknown";
  expect(differences(other, one, isUnknown).map(({ path }) => path)).toEqual(differing);
  expect(changedPaths(one, other)).toEqual(changed);
  expect(newlyNull(one, other)).toEqual(nulls);
});
