/** What counts as a change of property values. */
import {
  changedPaths,
  changesIn,
  declaredPart,
  declaredValues,
  differences,
  newlyNull,
  type Properties,
  sortedJson,
  withoutNulls,
} from "../../../provider/lifecycle/properties";

test.each([
  ["null and absent are equal", { a: null }, {}, []],
  ["a removed value", { a: 1 }, {}, [[["a"], "DELETE"]]],
  ["a new value", {}, { b: 1 }, [[["b"], "ADD"]]],
  ["the order of a list does not matter", { a: ["b", { c: 1 }] }, { a: [{ c: 1 }, "b"] }, []],
  ["an item more is a change, even null", ["a"], ["a", null], [[[1], "ADD"]]],
  ["an item less is a change, even null", ["a", null], ["a"], [[[1], "DELETE"]]],
  ["a list instead of an object", [1], { a: 1 }, [[[], "UPDATE"]]],
  ["a nested value", { list: [{ a: 1 }] }, { list: [{ a: 2 }] }, [[["list", 0, "a"], "UPDATE"]]],
])("%s", (_name, before, after, changes) => {
  expect(changesIn(before, after)).toEqual(changes);
});

test.each<[string, object, object, string[], string[], string[]]>([
  ["a value that is no longer declared", { a: 1 }, {}, [], ["a"], []],
  ["a new value", {}, { a: { b: 1 } }, ["a"], ["a"], []],
  ["null for the first time", {}, { a: null }, [], ["a"], ["a"]],
  ["null for a value", { a: 1 }, { a: null }, ["a"], ["a"], []],
  ["a new object with null", {}, { a: { b: null } }, ["a"], ["a", "a.b"], ["a.b"]],
  ["lists of lists", { b: [1, [2]], a: 1 }, { b: [2, [3]], a: 2 }, ["b", "a"], ["a", "b"], []],
  ["a list as a whole", ["a"], ["b"], [""], [""], []],
  ["a list in another order", { a: ["b", "c"] }, { a: ["c", "b"] }, [], [], []],
  ["a list with an item twice", { a: ["b", "c"] }, { a: ["c", "b", "b"] }, ["a"], ["a"], []],
  ["a value that is not known yet", { a: 1 }, { a: { b: "unknown" } }, [], ["a"], []],
])("%s", (_name, before, after, differing, changed, nulls) => {
  const [one, other] = [before as Properties, after as Properties];
  const isUnknown = (value: unknown) => value === "unknown";
  expect(differences(other, one, isUnknown).map(({ path }) => path)).toEqual(differing);
  expect(changedPaths(one, other)).toEqual(changed);
  expect(newlyNull(one, other)).toEqual(nulls);
});

test("a value that seems unknown is compared if all values are known", () => {
  expect(differences({ a: "unknown" }, { a: 1 })).toEqual([{ path: "a", declared: "unknown", actual: 1 }]);
});

test("null is declared only where it is allowed, at any depth", () => {
  const values = { a: null, b: { a: null, c: null, d: [null] }, e: undefined, f: 0 };
  expect(declaredValues(values, (path) => path === "b.a")).toStrictEqual({ b: { a: null, d: [null] }, f: 0 });
  expect(withoutNulls(values)).toStrictEqual({ b: { d: [null] }, f: 0 });
});

test.each([
  ["members that are not declared", { a: { b: 1 } }, { a: { b: 0, c: 3 } }, { a: { b: 0 } }],
  ["values that the object lacks", { a: 1, b: { c: 1 } }, { a: null, b: {} }, { b: {} }],
  ["only another order of a list", { a: ["c", "b"] }, { a: ["b", "c"] }, { a: ["c", "b"] }],
  ["nothing of another kind", { a: { b: 1 }, c: 1 }, { a: "a", c: { d: 1 } }, { a: "a", c: { d: 1 } }],
  ["no null that is declared", { a: null, b: null }, { a: 1 }, { a: 1, b: null }],
  ["an undefined value", { a: undefined }, { a: 1 }, {}],
])("the declared part of an object lacks %s", (_name, declared, actual, part) => {
  expect(declaredPart(declared as Properties, actual as Properties)).toStrictEqual(part);
});

test("equal values have one text, in any order of their properties", () => {
  const text = '{"a":[{"b":1,"c":2}],"b":{"a":1,"b":2,"c":3}}';
  expect(sortedJson({ a: [{ b: 1, c: 2 }], b: { a: 1, b: 2, c: 3 } })).toBe(text);
  expect(sortedJson({ b: { c: 3, b: 2, a: 1 }, a: [{ c: 2, b: 1 }] })).toBe(text);
});
