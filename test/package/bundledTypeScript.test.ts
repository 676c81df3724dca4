/**
 * Programs with the TypeScript 3.8 that Pulumi bundles and uses if the project has none. Like ts-node, these tests look
 * only at the errors in the program itself.
 */
import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import current from "typescript";
import { directoryWith } from "./unpackedProgram";

const ROOT = join(__dirname, "..", "..");
const BUNDLED = join(
  dirname(require.resolve("@pulumi/pulumi")),
  "vendor",
  "typescript@3.8.3",
  "typescript.js",
);

type Compiler = typeof import("typescript");

const bundled = require(BUNDLED) as Compiler;

/** The errors in each program, with the options that Pulumi gives ts-node. They are compiled together, which is fast. */
function errorsIn(
  programs: Readonly<Record<string, string>>,
  compiler: Compiler,
): Readonly<Record<string, readonly string[]>> {
  const names = Object.keys(programs);
  const files = Object.entries(programs).map(([name, text]) => [`${name}.ts`, text]);
  const directory = directoryWith(Object.fromEntries(files));
  symlinkSync(join(ROOT, "node_modules"), join(directory.path, "node_modules"));
  const fileOf = (name: string) => join(directory.path, `${name}.ts`);
  const compiled = compiler.createProgram(names.map(fileOf), {
    target: compiler.ScriptTarget.ES2020,
    module: compiler.ModuleKind.CommonJS,
    moduleResolution: compiler.ModuleResolutionKind.Node10,
    strict: true,
    noEmit: true,
    types: [],
  });
  const errors = names.map((name) => {
    const diagnostics = compiler.getPreEmitDiagnostics(compiled, compiled.getSourceFile(fileOf(name)));
    return [
      name,
      diagnostics.map(({ messageText }) => compiler.flattenDiagnosticMessageText(messageText, "\n")),
    ];
  });
  directory.remove();
  return Object.fromEntries(errors);
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

test("it is TypeScript 3.8", () => {
  expect(bundled.version).toBe("3.8.3");
});

const PROGRAMS = {
  dynamic: program("pulumi-dynamiclink", exported()),
  native: program("pulumi-dynamiclink/native", exported()),
  dynamicOther: program("pulumi-dynamiclink", exported("number")),
  nativeOther: program("pulumi-dynamiclink/native", exported("number")),
  misspelled: program("pulumi-dynamiclink", 'new Project("misspelled", { nam: "Shop" });'),
  nativeMisspelled: program("pulumi-dynamiclink/native", 'new Project("misspelled", { nam: "Shop" });'),
  testing: `
import { startEmulator, testStack } from "pulumi-dynamiclink/testing";
export async function run(program: string): Promise<string[]> {
  const service = await startEmulator({ seed: { organizations: [{ keys: [{ key: "test-key-1" }] }] } });
  const stack = await testStack({ program, config: { "dynamiclink:apiUrl": service.url } });
  await stack.up();
  return service.state.projects.map(({ name }) => name);
}`,
};
const PLATFORMS = {
  iosWithoutInfo: '{ projectId, appType: "IOS" }',
  androidWithoutInfo: '{ projectId, appType: "ANDROID" }',
  iosWithOutputs: '{ projectId: pulumi.output(projectId), appType: pulumi.output("IOS" as const) }',
  incomplete: '{ projectId, appType: "IOS", appleInfo: { appName: "Shop", appScheme: "shop" } }',
  misspelledInfo: '{ projectId, appType: "IOS", appleInf: {} }',
};

const OTHER_PLATFORM = {
  otherInfo: '{ projectId, appType: "ANDROID", androidInfo, appleInfo }',
  webWithInfo: '{ projectId, appType: "WEB", appleInfo }',
};

/** Programs that declare an application with these arguments. */
function applicationsWith(args: Readonly<Record<string, string>>): Record<string, string> {
  const programs = Object.entries(args).map(([name, each]) => [
    name,
    `import * as pulumi from "@pulumi/pulumi";
import { Application } from "pulumi-dynamiclink";
const projectId = "uuid";
const appleInfo = { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" };
const androidInfo = { appName: "Shop", appScheme: "shop", appPackageName: "example.shop.app" };
export const application = new Application("shop", ${each});`,
  ]);
  return Object.fromEntries(programs);
}

const bundledErrors = errorsIn({ ...PROGRAMS, ...applicationsWith(PLATFORMS) }, bundled);
const currentErrors = errorsIn(applicationsWith({ ...PLATFORMS, ...OTHER_PLATFORM }), current);

test("programs compile with the types of arguments, outputs and function results, and fail for others", () => {
  const misspelled = [expect.stringContaining("'nam' does not exist in type 'ProjectArgs'")];
  const otherType = Object.keys(TYPED).map(() =>
    expect.stringContaining("is not assignable to type 'number'"),
  );
  expect(bundledErrors).toMatchObject({
    dynamic: [],
    native: [],
    dynamicOther: otherType,
    nativeOther: otherType,
    misspelled,
    nativeMisspelled: misspelled,
    testing: [],
  });
});

test.each([
  ["bundled", bundledErrors],
  ["current", currentErrors],
])("the %s compiler reports what is missing on the platform that the program declares", (_, errors) => {
  expect(errors).toMatchObject({
    iosWithoutInfo: [expect.stringMatching(/Property 'appleInfo' is missing .* required in type 'Ios/)],
    androidWithoutInfo: [
      expect.stringMatching(/Property 'androidInfo' is missing .* required in type 'Android/),
    ],
    iosWithOutputs: [expect.stringMatching(/Property 'appleInfo' is missing .* required in type 'Ios/)],
    incomplete: [expect.stringContaining("Property 'bundleId' is missing")],
    misspelledInfo: [expect.stringMatching(/'appleInf' does not exist in type 'Ios/)],
  });
});

test("the current compiler also reports the info of another platform", () => {
  const reported = [expect.stringMatching(/Types of property 'appleInfo' are incompatible/)];
  expect(currentErrors).toMatchObject({ otherInfo: reported, webWithInfo: reported });
});
