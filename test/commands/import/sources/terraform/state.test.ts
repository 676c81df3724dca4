/** States of Terraform and OpenTofu: what is read of them, and that no content breaks the parser. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { addressText } from "../../../../../cli/import/sources/terraform/address";
import { parseTerraformState } from "../../../../../cli/import/sources/terraform/state";
import { UserError } from "../../../../../provider/errors";

const FIXTURES = join(__dirname, "..", "..", "..", "..", "fixtures", "terraform");
const STATE = readFileSync(join(FIXTURES, "terraform.tfstate"), "utf8");
const SHOWN = readFileSync(join(FIXTURES, "show.json"), "utf8");

/** What differs between a state and what `show -json` prints of it: only the state has aliases. */
function instancesOf(content: string) {
  return parseTerraformState(content, "file")
    .instances.map(({ address, attributes }) => [addressText(address), attributes.id])
    .toSorted();
}

test("a state and the output of `show -json` have the same objects", () => {
  expect(instancesOf(STATE)).toHaveLength(16);
  expect(instancesOf(SHOWN)).toEqual(instancesOf(STATE));
});

test("an instance has its key, its attributes, its provider configuration and its condition", () => {
  const resource = { mode: "managed", type: "t", name: "n", module: 'module.a["b"]', provider: "provider.x" };
  const instances = [
    { index_key: 0, status: "tainted", attributes: { id: "1" } },
    { index_key: "a", deposed: "0a1b2c3d", provider: 'provider["x"].by_key["eu"]', attributes: null },
  ];
  const address = { modules: [{ name: "a", key: "b" }], isData: false, type: "t", name: "n" };
  const content = JSON.stringify({ version: 4, resources: [{ ...resource, instances }] });
  expect(parseTerraformState(content, "file").instances).toEqual([
    {
      address: { ...address, key: 0 },
      attributes: { id: "1" },
      configuration: "",
      isTainted: true,
      isDeposed: false,
    },
    {
      address: { ...address, key: "a" },
      attributes: {},
      configuration: 'by_key["eu"]',
      isTainted: false,
      isDeposed: true,
    },
  ]);
});

test("`show -json` has tainted and deposed objects, and modules of any depth", () => {
  const resource = { mode: "data", type: "t", name: "n", values: { id: "1" } };
  const resources = [
    { ...resource, index: "a", tainted: true },
    { ...resource, deposed_key: "0a1b2c3d" },
  ];
  const depth = 20_000;
  const nested = `${'{"child_modules":['.repeat(depth)}{"address":"module.x","resources":${JSON.stringify(resources)}}${"]}".repeat(depth)}`;
  const content = `{"format_version":"1.0","values":{"root_module":${nested}}}`;
  const found = parseTerraformState(content, "file").instances;
  expect(
    found.map(({ address, isTainted, isDeposed }) => [addressText(address), isTainted, isDeposed]),
  ).toEqual([
    ['module.x.data.t.n["a"]', true, false],
    ["module.x.data.t.n", false, true],
  ]);
});

/** All paths to values in JSON. */
function pathsIn(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [[]];
  return [
    [],
    ...Object.entries(value).flatMap(([name, item]) => pathsIn(item).map((path) => [name, ...path])),
  ];
}

test.each([
  ["a state", STATE],
  ["the output of `show -json`", SHOWN],
])(
  "any value in place of one in %s is read or rejected with a message that does not show it",
  (_, content) => {
    const paths = pathsIn(JSON.parse(content));
    const values = fc.oneof(fc.jsonValue(), fc.constantFrom("SECRET", ["SECRET"], { SECRET: "SECRET" }));
    fc.assert(
      fc.property(fc.constantFrom(...paths), values, (path, value) => {
        const document = { root: JSON.parse(content) };
        const [last = "root", ...rest] = ["root", ...path].toReversed();
        const holder = rest.toReversed().reduce<object>((part, name) => Reflect.get(part, name), document);
        Reflect.set(holder, last, value);
        try {
          parseTerraformState(JSON.stringify(document.root), "file");
        } catch (error) {
          expect(error).toBeInstanceOf(UserError);
          expect(String(error)).toMatch(/^UserError: file /);
          expect(String(error)).not.toContain("SECRET");
        }
      }),
      { numRuns: 300 },
    );
  },
);
