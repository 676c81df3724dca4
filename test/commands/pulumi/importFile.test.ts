/** The entries of import files, for both hosts. */
import { HOSTS, importableType } from "../../../cli/objects/hosts";
import {
  entriesForCode,
  type ImportedObject,
  importArguments,
  importEntry,
} from "../../../cli/pulumi/importFile";

const UUID = "8f14e45f-ceea-467f-a8d5-5bd1d1d1c0de";

function project(name: string, more: Partial<ImportedObject> = {}): ImportedObject {
  const reading = {
    uuid: UUID,
    inputs: { name: "Shop" },
    state: { name: "Shop", subDomain: "s" },
    ready: true,
  };
  return { kind: "project", host: HOSTS.native, name, reading, ...more };
}

test("an entry of a dynamic resource has inputs and outputs, one of a native resource only its id", () => {
  const references = { logicalName: "s", parent: "team", provider: "eu" };
  const text = 'exports.handler=()=>require("pulumi-dynamiclink/provider").project';
  const hidden = { __provider: text, __imported: true };
  expect(importEntry(project("shop", { ...references, host: HOSTS.dynamic }))).toEqual({
    type: "pulumi-nodejs:dynamic/dynamiclink:Project",
    name: "shop",
    id: UUID,
    ...references,
    inputs: { name: "Shop", ...hidden },
    outputs: { name: "Shop", subDomain: "s", ...hidden },
  });
  expect(importEntry(project("shop", references))).toEqual({
    type: "dynamiclink:index:Project",
    name: "shop",
    id: UUID,
    ...references,
  });
});

test.each([
  ["pulumi-nodejs:dynamic/dynamiclink:Application", "application", "dynamic"],
  ["dynamiclink:index:CustomDomain", "customDomain", "native"],
])("%s is an importable type", (type, kind, host) => {
  expect(importableType(type)).toEqual({ kind, host: expect.objectContaining({ name: host }) });
});

test.each([
  "dynamiclink:index:CustomDomainActivation",
  "dynamiclink:Project",
  "pulumi:providers:dynamiclink",
])("%s is not an importable type", (type) => {
  expect(importableType(type)).toBeUndefined();
});

test("for code, names are unique variables, the logical names stay, and parents follow", () => {
  const entries = entriesForCode(
    [
      project("shop"),
      project("shop", { kind: "application" }),
      project("1st shop/x", { parent: "eu" }),
      project("links", { logicalName: "given", parent: "1st shop/x" }),
      project("eu", { provider: "eu" }),
    ],
    { taken: ["eu"] },
  );
  expect(
    entries.map(({ name, logicalName, parent, provider }) => ({ name, logicalName, parent, provider })),
  ).toEqual([
    { name: "shop" },
    { name: "shop2", logicalName: "shop" },
    { name: "project1stShopX", logicalName: "1st shop/x", parent: "eu" },
    { name: "links", logicalName: "given", parent: "project1stShopX" },
    { name: "eu2", logicalName: "eu", provider: "eu" },
  ]);
});

test.each([
  [{}, "import --file x.json --generate-code=false"],
  [{ code: true, protect: true }, "import --file x.json --protect=true"],
  [
    { code: "x.py", stack: "dev", cwd: "infra", yes: true },
    "import --file x.json --out x.py --stack dev --cwd infra --yes",
  ],
])("the arguments for %j", (options, expected) => {
  expect(importArguments("x.json", options).join(" ")).toBe(expected);
});
