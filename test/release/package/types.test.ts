/**
 * The declarations of the built package, in the current TypeScript and in the TypeScript 3.8 that Pulumi bundles and uses
 * if the project has none: which programs compile, and what an editor shows. Each compiler reads the declarations once,
 * for all programs.
 */
import { dirname, join } from "node:path";
import ts from "typescript";
import packageJson from "../../../package.json";
import { operations } from "../../../provider/client/operations";
import { DESCRIPTIONS } from "../../../provider/resources";
import { FUNCTIONS, type PackageFunction } from "../../../provider/resources/functions";
import { codeBlocks } from "../docs/codeBlocks";
import { programWith, ROOT } from "./programs";

const SDK = dirname(require.resolve("@pulumi/pulumi"));
const bundled = require(join(SDK, "vendor", "typescript@3.8.3", "typescript.js")) as typeof ts;

const CLIENT = "pulumi-dynamiclink/client";
const MODULES = ["pulumi-dynamiclink", "pulumi-dynamiclink/native"];
const classes = Object.keys(DESCRIPTIONS) as (keyof typeof DESCRIPTIONS)[];
const functions = Object.keys(FUNCTIONS).flatMap((name) => [name, `${name}Output`]);
const operationIds = Object.keys(operations) as (keyof typeof operations)[];

const sources = new Map<string, string>();

function fileOf(name: string): string {
  return join(ROOT, `${name.replace(/\W/g, "-")}.mts`);
}

function open(name: string, text: string): void {
  sources.set(fileOf(name), text);
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
    exactOptionalPropertyTypes: true,
    // As in Pulumi's template.
    target: ts.ScriptTarget.ES2020,
    module: ts.ModuleKind.NodeNext,
    types: ["node"],
  }),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (file) => sources.has(file) || ts.sys.fileExists(file),
  readFile: ts.sys.readFile,
});
afterAll(() => editor.dispose());

function errorsIn(file: string): string[] {
  const diagnostics = [...editor.getSyntacticDiagnostics(file), ...editor.getSemanticDiagnostics(file)];
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

/**
 * The errors in each program with the bundled compiler and the options that Pulumi gives ts-node, which looks only at the
 * errors in the program itself as well.
 */
function bundledErrorsIn(programs: readonly string[]): string[][] {
  using directory = programWith(Object.fromEntries(programs.map((text, index) => [`${index}.ts`, text])));
  const files = programs.map((_, index) => join(directory.path, `${index}.ts`));
  const compiled = bundled.createProgram(files, {
    target: bundled.ScriptTarget.ES2020,
    module: bundled.ModuleKind.CommonJS,
    moduleResolution: bundled.ModuleResolutionKind.Node10,
    strict: true,
    noEmit: true,
    types: [],
  });
  return files.map((file) =>
    bundled
      .getPreEmitDiagnostics(compiled, compiled.getSourceFile(file))
      .map(({ messageText }) => bundled.flattenDiagnosticMessageText(messageText, "\n")),
  );
}

const DECLARATIONS = `
const shop = new Project("shop", { name: "Shop" });
const app = new Application("shop-ios", {
  projectId: shop.id,
  appType: "IOS",
  appleInfo: { appName: pulumi.interpolate\`Shop\`, appScheme: "shop", bundleId: "example.shop.app" },
});
const links = new CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });
const active = new CustomDomainActivation("links-active", { customDomainId: links.id });
`;

const TYPED: Readonly<Record<string, string>> = {
  "shop.subDomain": "pulumi.Output<string | undefined>",
  "app.appleInfo.apply((info) => info && info.bundleId)": "pulumi.Output<string | null | undefined>",
  "links.cnameTarget": "pulumi.Output<string | undefined>",
  "active.hostname": "pulumi.Output<string>",
  "getProject({ id })": "Promise<GetProjectResult>",
  "getProject({ id }).then(({ name, subDomain }) => name + (subDomain || ''))": "Promise<string>",
  "getProjectOutput({ id: shop.id }).name": "pulumi.Output<string>",
  "getProjectOutput({ id: shop.id }).subDomain": "pulumi.Output<string | null>",
  // The service may have more platforms than this version knows.
  "getApplicationOutput({ id: app.id }).appType": "pulumi.Output<string>",
  "getCustomDomainOutput({ id: links.id }).hostname": "pulumi.Output<string>",
  "getLink({ id }).then(({ shortUrl }) => shortUrl)": "Promise<string | null>",
};

function program(module: string, values: string): string {
  return `
import * as pulumi from "@pulumi/pulumi";
import {
  Application, CustomDomain, CustomDomainActivation, getApplicationOutput, getCustomDomainOutput, getLink, getProject,
  getProjectOutput, GetProjectResult, Project,
} from "${module}";
declare const id: string;
${DECLARATIONS}
${values}`;
}

/** Exports each value with a type: by default its own. */
function exported(type?: string): string {
  return Object.entries(TYPED)
    .map(([value, own], index) => `export const v${index}: ${type ?? own} = ${value};`)
    .join("\n");
}

function applicationWith(args: string): string {
  return `new Application("x", { projectId: shop.id, ${args} });`;
}

/** Parts of programs, and the errors that the bundled compiler finds. test/pure/sdk/programTypes.ts has more for the current one. */
const PARTS: readonly (readonly [part: string, errors: readonly RegExp[]])[] = [
  [exported(), []],
  [exported("number"), Object.keys(TYPED).map(() => /is not assignable to type 'number'/)],
  ['new Project("x", { nam: "Shop" });', [/'nam' does not exist in type 'ProjectArgs'/]],
  [applicationWith('appType: "ANDROID"'), [/'androidInfo' is missing .* required in type 'Android/]],
  [applicationWith('appType: "IOS", appleInf: {}'), [/'appleInf' does not exist in type 'Ios/]],
];

const TESTING = `
import { startEmulator, testStack } from "pulumi-dynamiclink/testing";
export async function run(program: string): Promise<string[]> {
  const service = await startEmulator({ seed: { organizations: [{ keys: [{ key: "test-key-1" }] }] } });
  const stack = await testStack({ program, config: { "dynamiclink:apiUrl": service.url } });
  await stack.up();
  return service.state.projects.map(({ name }) => name);
}`;

test("programs compile with the types of arguments, outputs and function results, and fail for others", () => {
  const programs = MODULES.flatMap((module) =>
    PARTS.map(([part, errors]) => [program(module, part), errors] as const),
  );
  expect(bundledErrorsIn([TESTING, ...programs.map(([text]) => text)])).toEqual([
    [],
    ...programs.map(([, errors]) => errors.map((error) => expect.stringMatching(error))),
  ]);
});

/** The modules of the package, with their declarations. */
const ENTRIES = Object.entries(packageJson.exports).flatMap(([path, entry]) =>
  typeof entry === "string" ? [] : [[join("pulumi-dynamiclink", path), join(ROOT, entry.types)] as const],
);

test.each(["Node10", "Node16", "Bundler"] as const)("every module has its types under %s", (resolution) => {
  using directory = programWith({});
  const options = { moduleResolution: ts.ModuleResolutionKind[resolution] };
  const formats =
    resolution === "Node16" ? ([ts.ModuleKind.CommonJS, ts.ModuleKind.ESNext] as const) : [undefined];
  const from = join(directory.path, "program.ts");
  for (const [module, types] of ENTRIES)
    for (const format of formats) {
      const found = ts.resolveModuleName(module, from, options, ts.sys, undefined, undefined, format);
      expect(found.resolvedModule?.resolvedFileName).toBe(types);
    }
});

test("both modules of classes export the same types", () => {
  const [dynamic, native] = MODULES.map((module) => {
    const program = editor.getProgram();
    const checker = program?.getTypeChecker();
    const source = program?.getSourceFile(ENTRIES.find(([name]) => name === module)?.[1] ?? "");
    const symbol = source && checker?.getSymbolAtLocation(source);
    const exported = symbol && checker?.getExportsOfModule(symbol);
    return exported?.map(({ name }) => name).sort();
  });
  expect(dynamic).toContain("VerificationRecord");
  expect(native).toEqual(dynamic);
});

const BLOCKS = codeBlocks()
  .filter(({ language }) => language === "typescript")
  .map(({ place, text }) => [place, text] as const);
for (const [place, text] of BLOCKS) open(place, `${text}\nexport {};`);

test.each(BLOCKS)("the program of %s compiles", (place) => {
  expect(errorsIn(fileOf(place))).toEqual([]);
});

test("the declarations of the package compile without a newer library than that of ES2020", () => {
  const files = editor.getProgram()?.getSourceFiles() ?? [];
  const own = files.map(({ fileName }) => fileName).filter((file) => file.startsWith(join(ROOT, "dist")));
  expect(own.length).toBeGreaterThan(60);
  expect(own.flatMap(errorsIn)).toEqual([]);
});

const uses = operationIds.map((id) => `client.${id};`).join("\n");
open(CLIENT, `import type { Client } from "${CLIENT}";\ndeclare const client: Client;\n${uses}`);
for (const module of MODULES)
  open(
    module,
    [
      `import { ${[...classes, ...functions, "Provider"].join(", ")} } from "${module}";`,
      'const provider = new Provider("name");',
      ...functions.map((name) => `const result_${name} = ${name}(${argumentsOf(name)});`),
      ...classes.flatMap((name) => [
        `const made${name} = new ${name}("name", { } as never);`,
        `const found${name}: ${name} = ${name}.get("name", "uuid");`,
        `const is${name}: boolean = ${name}.isInstance({});`,
        ...Object.keys(DESCRIPTIONS[name].outputs.shape).map((output) => `made${name}.${output};`),
      ]),
    ].join("\n"),
  );

/** What an editor shows at the end of a text in the source. */
function helpIn(module: string, text: string) {
  const file = fileOf(module);
  const position = (sources.get(file) ?? "").indexOf(text) + text.length - 1;
  const help = editor.getQuickInfoAtPosition(file, position);
  return {
    text: ts.displayPartsToString(help?.documentation),
    tags: help?.tags?.map(({ name }) => name) ?? [],
  };
}

/** What programs write: declarations, outputs, `.get` and functions. */
const WRITTEN = [
  "new Provider",
  ...classes.flatMap((name) => [
    `new ${name}`,
    `${name}.get`,
    ...Object.keys(DESCRIPTIONS[name].outputs.shape).map((output) => `made${name}.${output}`),
  ]),
  ...functions.map((name) => `result_${name} = ${name}`),
];

test.each(MODULES)("an editor explains everything that programs write with %s", (module) => {
  expect(errorsIn(fileOf(module))).toEqual([]);
  expect(WRITTEN.filter((text) => helpIn(module, text).text === "")).toEqual([]);
});

test.each([...classes, "Provider"])("the documentation of %s is the same for both hosts", (name) => {
  const [dynamic, native] = MODULES.map((module) => helpIn(module, `= new ${name}`));
  expect(native).toEqual(dynamic);
});

test.each(operationIds)("an editor shows the scope that the operation %s needs", (id) => {
  const { scope } = operations[id] as { readonly scope?: string };
  expect(helpIn(CLIENT, `client.${id}`).text).toMatch(new RegExp(`\\. Needs ${scope ?? "no scope"}\\.$`));
});

/** Arguments of a function or of its second form, which are UUIDs. */
function argumentsOf(name: string): string {
  const { args }: PackageFunction = FUNCTIONS[name.replace(/Output$/, "") as keyof typeof FUNCTIONS];
  const given = Object.keys(args).map((each) => `${each}: "uuid"`);
  return given.length === 0 ? "" : `{ ${given.join(", ")} }`;
}
