/** Property values, property paths, URNs and aliases. */
import { UNKNOWN_VALUE } from "../../provider/hosts/values";
import {
  changedPaths,
  formatPath,
  matchesPath,
  parsePath,
  resetPath,
} from "../../testing/engine/protocol/paths";
import { aliasUrns, createUrn, parseUrn } from "../../testing/engine/protocol/urn";
import {
  equalValues,
  fromProgram,
  markSecrets,
  secret,
  type Value,
} from "../../testing/engine/protocol/values";

const OUTPUT = { "4dabf18193072939515e22adb298388d": "d0e6a833031e9bbcd3f4e8bde6ca49a4" };
const ASSET = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17" };

test.each([
  ["tags.owner", ["tags", "owner"]],
  ["ports[0].name", ["ports", 0, "name"]],
  ['["a.b"][*]', ["a.b", "*"]],
  ["*", ["*"]],
])("the path %s is parsed and formatted", (text, path) => {
  expect(parsePath(text)).toEqual(path);
  if (!text.includes("*")) expect(formatPath(path)).toBe(text);
});

test("a pattern matches a path and everything below it, and an invalid one is rejected", () => {
  expect(matchesPath(["a", "*"], ["a", 1, "b"])).toBe(true);
  expect(matchesPath(["a", "b"], ["a"])).toBe(false);
  expect(() => parsePath("a[")).toThrow('"a[" is not a property path.');
});

test("changed paths descend into objects and lists, compare secrets by value, and treat null as absent", () => {
  const before = { a: 1, b: { c: 1, d: 2 }, e: [1, 2], f: secret("x"), g: null };
  const after = { a: 1, b: { c: 1, d: 3 }, e: [1, 3, 4], f: "x", h: 1 };
  expect(changedPaths(before, after).map(formatPath)).toEqual(["b.d", "e[1]", "e[2]", "h"]);
});

test.each<[string, Value, Value, Value]>([
  ["a", { a: 1 }, { a: 2 }, { a: 1 }],
  ["a", {}, { a: 2 }, {}],
  ["a.b", { a: { b: 1 } }, { a: { b: 2, c: 3 } }, { a: { b: 1, c: 3 } }],
  ["a.b", { a: { b: 1 } }, {}, {}],
  ["a[1]", { a: [1, 2] }, { a: [3] }, { a: [3] }],
  ["a[*].b", { a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: 3 }, { b: 4 }] }, { a: [{ b: 1 }, { b: 2 }] }],
  ["*", { a: 1, b: 2 }, { b: 3, c: 4 }, { a: 1, b: 2 }],
  ["a.b", { a: secret({ b: 1 }) }, { a: { b: 2 } }, { a: { b: secret(1) } }],
])("resetting %s in %j to the value in %j", (path, before, after, expected) => {
  const copy = structuredClone(after);
  resetPath(parsePath(path), before, copy);
  expect(copy).toEqual(expected);
});

test("a response is marked like its request: objects member by member, lists as a whole", () => {
  const sent = { a: secret(1), b: { c: secret(2), d: 3 }, e: [1, secret(2)] };
  expect(markSecrets({ a: 1, b: { c: 2, d: 3 }, e: [2, 1], f: 4 }, sent)).toEqual({
    a: secret(1),
    b: { c: secret(2), d: 3 },
    e: secret([2, 1]),
    f: 4,
  });
});

test("a secret does not equal the same value in plain text", () => {
  expect(equalValues({ a: 1, b: null }, { a: 1 })).toBe(true);
  expect(equalValues({ a: secret(1) }, { a: 1 })).toBe(false);
});

test("output values of a program become plain, unknown or secret values, and assets are rejected", () => {
  const sent = { a: { ...OUTPUT, value: 1 }, b: { ...OUTPUT }, c: { ...OUTPUT, value: 2, secret: true } };
  expect(fromProgram(sent)).toEqual({ a: 1, b: UNKNOWN_VALUE, c: secret(2) });
  expect(() => fromProgram({ a: { ...ASSET, text: "x" } })).toThrow("Assets and archives are not supported");
});

const IDENTITY = { stack: "test", project: "things" };

test("a URN contains the types of its parents except the stack, and a name may contain its separator", () => {
  const stack = createUrn(IDENTITY, "pulumi:pulumi:Stack", "things-test");
  const outer = createUrn(IDENTITY, "x:index:Outer", "o", stack);
  const inner = createUrn(IDENTITY, "x:index:Inner", "i::j", outer);
  expect(inner).toBe("urn:pulumi:test::things::x:index:Outer$x:index:Inner::i::j");
  expect(parseUrn(inner)).toEqual({
    stack: "test",
    project: "things",
    qualifiedType: "x:index:Outer$x:index:Inner",
    type: "x:index:Inner",
    name: "i::j",
  });
  expect(() => parseUrn("nothing")).toThrow('"nothing" is not a URN.');
});

test("aliases are combined with the alias of the parent, and names follow the parent's former name", () => {
  const parent = createUrn(IDENTITY, "x:index:Group", "new");
  const oldParent = createUrn(IDENTITY, "x:index:Group", "old");
  const elsewhere = createUrn(IDENTITY, "x:index:Area", "elsewhere");
  const aliases = [{ type: "x:index:Other" }, { name: "it", parenturn: elsewhere }];
  const resource = { type: "x:index:Thing", name: "new-child", parent, aliases };
  const urns = aliasUrns(IDENTITY, resource, (urn) => (urn === parent ? oldParent : undefined));
  const own = ["Group$x:index:Other::new-child", "Area$x:index:Thing::it"];
  const children = ["Thing::old-child", "Other::old-child", "Thing::it"];
  const inherited = children.map((each) => `Group$x:index:${each}`);
  expect(urns).toEqual([...own, ...inherited].map((each) => `urn:pulumi:test::things::x:index:${each}`));
});
