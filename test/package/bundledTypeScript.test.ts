/**
 * Programs with the TypeScript 3.8 that Pulumi bundles and uses if the project has none. Like ts-node, these tests look
 * only at the errors in the program itself.
 */
import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { directoryWith } from "./unpackedProgram";

const ROOT = join(__dirname, "..", "..");
const BUNDLED = join(
  dirname(require.resolve("@pulumi/pulumi")),
  "vendor",
  "typescript@3.8.3",
  "typescript.js",
);

const compiler = require(BUNDLED) as typeof import("typescript");

/** The errors in a program, with the options that Pulumi gives ts-node. */
function errorsIn(program: string): string[] {
  const directory = directoryWith({ "index.ts": program });
  symlinkSync(join(ROOT, "node_modules"), join(directory.path, "node_modules"));
  const file = join(directory.path, "index.ts");
  const compiled = compiler.createProgram([file], {
    target: compiler.ScriptTarget.ES2020,
    module: compiler.ModuleKind.CommonJS,
    moduleResolution: compiler.ModuleResolutionKind.Node10,
    strict: true,
    noEmit: true,
    types: [],
  });
  const diagnostics = compiler.getPreEmitDiagnostics(compiled, compiled.getSourceFile(file));
  directory.remove();
  return diagnostics.map(({ messageText }) => compiler.flattenDiagnosticMessageText(messageText, "\n"));
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

/** Values of programs, and their types. */
const TYPED: Readonly<Record<string, string>> = {
  "shop.subDomain": "pulumi.Output<string | undefined>",
  "app.appleInfo.apply((info) => info && info.bundleId)": "pulumi.Output<string | undefined>",
  "links.cnameTarget": "pulumi.Output<string | undefined>",
  "active.hostname": "pulumi.Output<string>",
  "getProject({ id })": "Promise<GetProjectResult>",
  "getProject({ id }).then(({ name, subDomain }) => name + (subDomain || ''))": "Promise<string>",
  "getProjectOutput({ id: shop.id }).name": "pulumi.Output<string>",
  "getProjectOutput({ id: shop.id }).subDomain": "pulumi.Output<string | null>",
  "getApplicationOutput({ id: app.id }).appType": 'pulumi.Output<"IOS" | "ANDROID" | "WEB">',
  "getCustomDomainOutput({ id: links.id }).hostname": "pulumi.Output<string>",
  "getLink({ id }).then(({ shortUrl }) => shortUrl)": "Promise<string | null>",
};

test("it is TypeScript 3.8", () => {
  expect(compiler.version).toBe("3.8.3");
});

describe.each(["pulumi-dynamiclink", "pulumi-dynamiclink/native"])("a program with %s", (module) => {
  const program = (values: string) => `
import * as pulumi from "@pulumi/pulumi";
import {
  Application, CustomDomain, CustomDomainActivation, getApplicationOutput, getCustomDomainOutput, getLink, getProject,
  getProjectOutput, GetProjectResult, Project,
} from "${module}";
declare const id: string;
${DECLARATIONS}
${values}`;

  test("compiles, with the types of arguments, outputs and function results", () => {
    const values = Object.entries(TYPED).map(
      ([value, type], index) => `export const v${index}: ${type} = ${value};`,
    );
    expect(errorsIn(program(values.join("\n")))).toEqual([]);
  });

  test("fails for values of other types", () => {
    const values = Object.keys(TYPED).map((value, index) => `export const v${index}: number = ${value};`);
    expect(errorsIn(program(values.join("\n")))).toHaveLength(values.length);
  });

  test("fails for an argument that does not exist", () => {
    expect(errorsIn(program('new Project("misspelled", { nam: "Shop" });'))).toEqual([
      expect.stringContaining("'nam' does not exist in type 'ProjectArgs'"),
    ]);
  });
});

test("a test of a program compiles", () => {
  const errors = errorsIn(`
import { startEmulator, testStack } from "pulumi-dynamiclink/testing";
export async function run(program: string): Promise<string[]> {
  const service = await startEmulator({ seed: { organizations: [{ keys: [{ key: "test-key-1" }] }] } });
  const stack = await testStack({ program, config: { "dynamiclink:apiUrl": service.url } });
  await stack.up();
  return service.state.projects.map(({ name }) => name);
}`);
  expect(errors).toEqual([]);
});
