/** What the state of a resource contains. */
import { z } from "zod";
import type { ResourceDescription } from "../../../provider/lifecycle/description";
import type { Properties } from "../../../provider/lifecycle/properties";
import {
  creationIn,
  declaredIn,
  importableInputs,
  importIn,
  originIn,
  savedCreation,
  stateOf,
} from "../../../provider/lifecycle/state";

const DESCRIPTION = {
  inputs: { shape: { name: {}, color: {}, info: {} } },
  outputs: { shape: { createdAt: {}, link: {} } },
} as unknown as ResourceDescription;
const NOW_MS = Date.parse("2026-01-01T10:00:00Z");

function at(seconds: number): string {
  return new Date(NOW_MS + seconds * 1_000).toISOString();
}

const HIDDEN = { __adopted: "a", __import: "", __created: at(-5), __organization: "o" };
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
  expect(originIn({ ...state, ...HIDDEN }, NOW_MS)).toStrictEqual(origin);
  expect(originIn(state, NOW_MS)).toStrictEqual({});
});

test.each<[what: string, createdAt: unknown, properties: object, isSaved: boolean]>([
  ["of an object without one", at(0), {}, true],
  ["that is that of the object", at(0), { createdAt: at(-2) }, false],
  ["by another clock", at(0), { createdAt: at(3) }, true],
  ["beside an invalid one", at(0), { createdAt: "then" }, true],
  ["that is 33 seconds ago", at(-33), {}, false],
  ["that is 32 seconds ago", at(-32), {}, true],
  ["of an object that is younger by its own time", at(-60), { createdAt: at(10) }, true],
  ["that is not known", undefined, {}, false],
])("a time of creation %s is saved or not", (_what, createdAt, properties, isSaved) => {
  const saved = savedCreation(createdAt, properties as Properties, NOW_MS);
  expect(saved).toEqual(isSaved ? { __created: createdAt } : {});
  const { createdAt: own } = properties as Properties;
  expect(creationIn({ ...properties, ...saved })).toBe(isSaved ? createdAt : own);
});

test("the inputs that declare an object as it is are those of a create that it has, and null for those that it lacks", () => {
  const color = z.string().optional();
  const info = z.strictObject({ a: z.int(), c: z.int(), d: z.int().optional() });
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
