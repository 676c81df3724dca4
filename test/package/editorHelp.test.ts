/** What an editor shows for the built package: the types and doc comments of the classes in a program. */
import { resolve } from "node:path";
import ts from "typescript";
import { DESCRIPTIONS } from "../../provider/resources";

const ROOT = resolve(__dirname, "..", "..");
const FILE = resolve(ROOT, "editorHelp.ts");
const classes = Object.keys(DESCRIPTIONS) as (keyof typeof DESCRIPTIONS)[];

const SOURCE = [
  `import { ${classes.join(", ")} } from "pulumi-dynamiclink";`,
  ...classes.flatMap((name) => [
    `const made${name} = new ${name}("name", { } as never);`,
    `const found${name} = ${name}.get("name", "uuid");`,
    `const is${name} = ${name}.isInstance({});`,
    ...Object.keys(DESCRIPTIONS[name].outputs).map((output) => `made${name}.${output};`),
  ]),
].join("\n");

const editor = ts.createLanguageService({
  getScriptFileNames: () => [FILE],
  getScriptVersion: () => "1",
  getScriptSnapshot: (file) => {
    const text = file === FILE ? SOURCE : ts.sys.readFile(file);
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
  fileExists: (file) => file === FILE || ts.sys.fileExists(file),
  readFile: ts.sys.readFile,
});
afterAll(() => editor.dispose());

/** What an editor shows at the end of a text in the source. */
function helpAt(text: string) {
  const help = editor.getQuickInfoAtPosition(FILE, SOURCE.indexOf(text) + text.length - 1);
  return {
    type: ts.displayPartsToString(help?.displayParts),
    text: ts.displayPartsToString(help?.documentation),
    tags: help?.tags?.map(({ name }) => name) ?? [],
  };
}

test.each(classes)("an editor shows type and documentation where a %s is created", (name) => {
  const { type, text, tags } = helpAt(`new ${name}`);
  expect(type).toMatch(
    new RegExp(`new ${name}\\(name: string, args: ${name}Args, options\\?: ResourceOptions\\): ${name}\\b`),
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
  const messages = editor.getSemanticDiagnostics(FILE).map(({ messageText }) => messageText);
  expect(messages).toEqual([]);
});
