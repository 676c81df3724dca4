/** What an editor shows for the built package: the types and doc comments of the classes in a program. */
import { resolve } from "node:path";
import ts from "typescript";
import { operations } from "../../provider/client/operations";
import { FUNCTIONS } from "../../provider/hosts/plugin/functions";
import { DESCRIPTIONS } from "../../provider/resources";

const ROOT = resolve(__dirname, "..", "..");
const MODULES = ["pulumi-dynamiclink", "pulumi-dynamiclink/native"];
const functions = Object.keys(FUNCTIONS).flatMap((name) => [name, `${name}Output`]);
const classes = Object.keys(DESCRIPTIONS) as (keyof typeof DESCRIPTIONS)[];

const CLIENT = "pulumi-dynamiclink/client";
const operationIds = Object.keys(operations) as (keyof typeof operations)[];

/** The program that imports a module, by its file. */
const sources = new Map([
  [
    fileOf(CLIENT),
    [
      `import type { Client } from "${CLIENT}";`,
      "declare const client: Client;",
      ...operationIds.map((id) => `client.${id};`),
    ].join("\n"),
  ],
  ...MODULES.map((module): [string, string] => [
    fileOf(module),
    [
      `import { ${[...classes, ...functions, "Provider"].join(", ")} } from "${module}";`,
      'const provider = new Provider("name");',
      ...functions.map((name) => `const result_${name} = ${name}({ id: "uuid" });`),
      ...classes.flatMap((name) => [
        `const made${name} = new ${name}("name", { } as never);`,
        `const found${name} = ${name}.get("name", "uuid");`,
        `const is${name} = ${name}.isInstance({});`,
        ...Object.keys(DESCRIPTIONS[name].outputs).map((output) => `made${name}.${output};`),
      ]),
    ].join("\n"),
  ]),
]);

function fileOf(module: string) {
  return resolve(ROOT, `editorHelp-${module.replace("/", "-")}.ts`);
}

const editor = ts.createLanguageService({
  getScriptFileNames: () => [...sources.keys()],
  getScriptVersion: () => "1",
  getScriptSnapshot: (file) => {
    const text = sources.get(file) ?? ts.sys.readFile(file);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => ROOT,
  getCompilationSettings: () => ({
    strict: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    types: ["node"],
  }),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (file) => sources.has(file) || ts.sys.fileExists(file),
  readFile: ts.sys.readFile,
});
afterAll(() => editor.dispose());

/** What an editor shows at the end of a text in the source. */
function helpIn(module: string, text: string) {
  const file = fileOf(module);
  const position = (sources.get(file) ?? "").indexOf(text) + text.length - 1;
  const help = editor.getQuickInfoAtPosition(file, position);
  return {
    type: ts.displayPartsToString(help?.displayParts),
    text: ts.displayPartsToString(help?.documentation),
    tags: help?.tags?.map(({ name }) => name) ?? [],
  };
}

describe.each(MODULES)("%s", (module) => {
  const helpAt = (text: string) => helpIn(module, text);

  test.each(classes)("an editor shows type and documentation where a %s is created", (name) => {
    const { type, text, tags } = helpAt(`new ${name}`);
    expect(type).toMatch(
      new RegExp(
        `new ${name}\\(name: string, args: ${name}Args, options\\?: ResourceOptions( \\| undefined)?\\): ${name}\\b`,
      ),
    );
    expect({ name, explained: text !== "", tags }).toEqual({ name, explained: true, tags: ["example"] });
  });

  test.each(classes)("an editor shows type and documentation of %s.get", (name) => {
    const { text, tags } = helpAt(`${name}.get`);
    expect({ name, explained: text !== "", tags }).toEqual({
      name,
      explained: true,
      tags: ["throws", "example"],
    });
    expect(helpAt(`found${name}`).type).toBe(`const found${name}: ${name}`);
    expect(helpAt(`${name}.isInstance`).type).toMatch(new RegExp(`\\(value: unknown\\): value is ${name}$`));
  });

  test.each(classes)("an editor shows type and documentation of the outputs of %s", (name) => {
    for (const output of Object.keys(DESCRIPTIONS[name].outputs)) {
      const { type, text } = helpAt(`made${name}.${output}`);
      expect(type).toMatch(/^\(property\) \w+: Output</);
      expect({ output, explained: text !== "" }).toEqual({ output, explained: true });
    }
  });

  test("the program that the editor opens compiles", () => {
    const messages = editor.getSemanticDiagnostics(fileOf(module)).map(({ messageText }) => messageText);
    expect(messages).toEqual([]);
  });

  test.each(functions)("an editor shows type and documentation of %s", (name) => {
    const { type, text, tags } = helpAt(`result_${name} = ${name}`);
    expect(type).toMatch(/\(args: LookUp(Output)?Args, options\?: Function(Output)?Options\): /);
    expect({ name, explained: text !== "", tags }).toEqual({
      name,
      explained: true,
      tags: ["throws", "example"],
    });
  });
});

test.each([...classes.map((name) => `made${name} = new ${name}`), "provider = new Provider"])(
  "the documentation of %s is the same for both hosts",
  (text) => {
    const [dynamic, native] = MODULES.map((module) => helpIn(module, text));
    expect(dynamic?.text).not.toBe("");
    expect(native?.text).toBe(dynamic?.text);
    expect(native?.tags).toEqual(dynamic?.tags);
  },
);

test.each(operationIds)("an editor shows the scope that the operation %s needs", (id) => {
  const { scope } = operations[id] as { readonly scope?: string };
  expect(helpIn(CLIENT, `client.${id}`).text).toMatch(new RegExp(`\\. Needs ${scope ?? "no scope"}\\.$`));
});
