/** The names that messages of the plugin use for properties, by the project file. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { namingOf } from "../../../provider/hosts/plugin/programNames";
import { DESCRIPTIONS } from "../../../provider/resources";
import { directoryWith } from "../../release/package/unpackedProgram";

/** What messages call `appleInfo.appName` in a directory below a project file. */
function namedIn(files: Readonly<Record<string, string>>): string {
  const project = directoryWith(files);
  try {
    mkdirSync(join(project.path, "src"));
    return namingOf(join(project.path, "src"))("appleInfo.appName");
  } finally {
    project.remove();
  }
}

test.each([
  ["runtime: python", { "Pulumi.yaml": "name: shop\nruntime: python\n" }],
  ["runtime: 'python'", { "Pulumi.yaml": "runtime: 'python' # 3.12\nname: shop\n" }],
  ["a runtime with options", { "Pulumi.yaml": "name: shop\nruntime:\n  name: python\n  options: {}\n" }],
  [
    "options before the name",
    { "Pulumi.yaml": "runtime:\n  options:\n    virtualenv: venv\n  name: python\n" },
  ],
  ["Pulumi.yml", { "Pulumi.yml": "runtime: python" }],
  ["JSON", { "Pulumi.json": '{ "name": "shop", "runtime": { "name": "python" } }' }],
  [
    "JSON with lines",
    { "Pulumi.json": '{\n  "runtime": {\n    "name": "python",\n    "options": {}\n  }\n}' },
  ],
])("a Python project is recognized: %s", (_, files) => {
  expect(namedIn(files)).toBe("apple_info.app_name");
});

test.each([
  ["YAML", { "Pulumi.yaml": "name: python\nruntime: yaml\ndescription: runs python\n" }],
  ["Go", { "Pulumi.yaml": "name: shop\nruntime: go\n" }],
  ["a TypeScript project called python", { "Pulumi.yaml": "name: python\nruntime:\n  name: nodejs\n" }],
  ["no project file", {}],
])("another project keeps the names: %s", (_, files) => {
  expect(namedIn(files)).toBe("appleInfo.appName");
});

test("every input has a name that is converted word by word, as Pulumi generates it for Python", () => {
  const names = Object.values(DESCRIPTIONS).flatMap(({ inputs }) => Object.keys(inputs.shape));
  // Of several capitals in a row, Pulumi makes one word.
  expect(names.filter((name) => !/^[a-z]+([A-Z][a-z0-9]+)*$/.test(name))).toEqual([]);
  const project = directoryWith({ "Pulumi.yaml": "runtime: python" });
  const inPython = namingOf(project.path);
  project.remove();
  expect(["customDomainId", "defaultHookupMsg", "name"].map(inPython)).toEqual([
    "custom_domain_id",
    "default_hookup_msg",
    "name",
  ]);
});
