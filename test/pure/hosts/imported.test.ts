/** Which imported values a program has not declared since the import. */
import { pathsIn, stillUndeclared, withoutPaths } from "../../../provider/hosts/dynamic/imported";
import { UNKNOWN_VALUE } from "../../../provider/hosts/values";

const INFO = { bundleId: "example.shop", appStoreId: "1234567890", teams: ["A", "B"] };
const IMPORTED = { __imported: true, __provider: "text", name: "Shop", info: INFO };

test.each<readonly [title: string, before: object, program: object, undeclared: readonly string[]]>([
  ["all of them", IMPORTED, {}, ["name", "info.bundleId", "info.appStoreId", "info.teams"]],
  [
    "those that it omits",
    IMPORTED,
    { name: "Shop", info: { bundleId: "example.shop", teams: [] } },
    ["info.appStoreId"],
  ],
  ["none, if it declares all", IMPORTED, { name: "Other", info: INFO }, []],
  ["not those that it declares as null", IMPORTED, { name: null, info: { ...INFO, appStoreId: null } }, []],
  ["nothing in what it declares as null", IMPORTED, { name: "Shop", info: null }, []],
  [
    "not those whose values are unknown",
    IMPORTED,
    { name: UNKNOWN_VALUE, info: { ...INFO, appStoreId: UNKNOWN_VALUE } },
    [],
  ],
  [
    "all in what is unknown as a whole",
    IMPORTED,
    { name: "Shop", info: UNKNOWN_VALUE },
    ["info.bundleId", "info.appStoreId", "info.teams"],
  ],
  [
    "those of the last run",
    { __imported: ["name", "info.appStoreId"], info: INFO },
    { name: "Shop" },
    ["info.appStoreId"],
  ],
  ["none of a resource that was not imported", { name: "Shop", info: INFO }, {}, []],
])("undeclared since an import are %s", (_title, before, program, undeclared) => {
  expect(stillUndeclared({ ...before }, { ...program })).toEqual(undeclared);
});

test("the paths of inputs are those of a list, not of the mark of an import", () => {
  expect(pathsIn({ __imported: ["name"] })).toEqual(["name"]);
  expect(pathsIn({ __imported: true })).toEqual([]);
  expect(pathsIn({})).toEqual([]);
});

test("values are left out at their paths only", () => {
  expect(withoutPaths({ name: "Shop", info: INFO, appStoreId: "1" }, ["name", "info.appStoreId"])).toEqual({
    info: { bundleId: "example.shop", teams: ["A", "B"] },
    appStoreId: "1",
  });
});
