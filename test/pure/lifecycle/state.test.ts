/** What the state of a resource contains. */
import { z } from "zod";
import type { ResourceDescription } from "../../../provider/lifecycle/description";
import { declaredIn, importableInputs, importIn, originIn, stateOf } from "../../../provider/lifecycle/state";

const DESCRIPTION = {
  inputs: { shape: { name: {}, color: {}, info: {} } },
  outputs: { shape: { createdAt: {}, link: {} } },
} as unknown as ResourceDescription;
const HIDDEN = { __adopted: "a", __import: "", __created: "then", __organization: "o" };
const FOUND = { name: "Shop", color: null, info: { a: 1, b: 2 }, createdAt: "now", link: null, other: 1 };

test.each<[object, unknown]>([
  [{ __import: "a", __adopted: "b" }, "a"],
  // A state of an earlier version.
  [{ __adopted: "b" }, "b"],
  // The option was removed.
  [{ __import: "", __adopted: "b" }, undefined],
  [{}, undefined],
])("the option import in %j: %s", (state, expected) => {
  expect(importIn(state as Record<string, unknown>)).toBe(expected);
});

test("the state has the declared values of the object, its outputs, and the hidden properties", () => {
  const inputs = { name: "Declared", color: null, info: { a: 0 } };
  const kept = { organizationId: "o", inputs };
  const state = { name: "Shop", color: null, info: { a: 1 }, createdAt: "now", __organization: "o" };
  const found = { properties: FOUND };
  expect(stateOf(DESCRIPTION, kept, found)).toStrictEqual(state);
  const hidden = { __adopted: "a", __import: undefined };
  expect(stateOf(DESCRIPTION, { ...kept, hidden }, { ...found, updatedAt: "later" })).toStrictEqual({
    ...state,
    __changed: { at: "later" },
    __adopted: "a",
  });
  expect(declaredIn(DESCRIPTION, { ...state, ...HIDDEN })).toStrictEqual({
    name: "Shop",
    color: null,
    info: { a: 1 },
  });
  const { __organization: _, ...origin } = HIDDEN;
  expect(originIn({ ...state, ...HIDDEN })).toStrictEqual(origin);
  expect(originIn(state)).toStrictEqual({});
});

test("the inputs that declare an object as it is are those of a create that it has, and null for those that it lacks", () => {
  const [color, info] = [
    z.string().optional(),
    z.strictObject({ a: z.int(), c: z.int(), d: z.int().optional() }),
  ];
  const inputs = z.strictObject({ name: z.string(), color });
  expect(importableInputs({ ...DESCRIPTION, inputs }, FOUND)).toStrictEqual({ name: "Shop" });
  const schemaFor: ResourceDescription["schemaFor"] = ({ name }, isCreated) =>
    z.strictObject(isCreated ? { [String(name)]: z.int(), color, info, place: info } : {});
  expect(importableInputs({ ...DESCRIPTION, schemaFor }, { ...FOUND, Shop: 1 })).toStrictEqual({
    Shop: 1,
    info: { a: 1, c: null },
    place: null,
  });
});
