/**
 * Programs of different kinds, how the engine finds and runs them, and the options of `runtime` in Pulumi.yaml, with which it
 * runs a program as a real Pulumi CLI does. Those are slow because ts-node loads the compiler for each program.
 */
import { chmodSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { type TestStack, type TestStackOptions, testStack } from "../../testing/engine";
import { findProgram } from "../../testing/engine/program/program";
import { programWith } from "../release/package/programs";
import { pulumiCli, testOnCli } from "../support/processes/pulumiCli";
import { cliStack } from "../support/stacks/cliStack";
import { programStack } from "../support/stacks/programStack";
import { programPath } from "./things";

const DYNAMIC_TYPE = "pulumi-nodejs:dynamic/things:Thing";

test("a dynamic resource with a serialized provider, as in Pulumi's documentation, is created and deleted", async () => {
  await using stack = await testStack({ program: programPath("closure") });
  const up = await stack.up();
  expect(up.changes).toEqual({ create: 2 });
  expect(up.outputs).toEqual({ text: "Hello, world!" });
  expect(up.resources.map(({ type }) => type)).toContain("pulumi-nodejs:dynamic:Resource");
  expect((await stack.destroy()).changes).toEqual({ delete: 2 });
});

/** The outputs of a preview of a program with these files. */
async function outputsOf(
  files: Record<string, string>,
  options: Partial<TestStackOptions> = {},
  newStack: (options: TestStackOptions) => TestStack | Promise<TestStack> = programStack,
) {
  using directory = programWith(files);
  await using stack = await newStack({ program: directory.path, ...options });
  return (await stack.preview()).outputs;
}

test("Pulumi.yaml sets the project and the main file", async () => {
  const files = {
    "Pulumi.yaml": 'name: "yaml" # the name\nruntime: nodejs\nmain: deep/start.js\n',
    "deep/start.js": `
      exports.project = require("@pulumi/pulumi").getProject();
      exports.directory = require("node:path").basename(process.cwd());`,
  };
  expect(await outputsOf(files, { stack: "dev" })).toEqual({ project: "yaml", directory: "deep" });
});

test("the path of a plugin in Pulumi.yaml is absolute, or starts at the project", () => {
  using plugin = programWith({ "bin/pulumi-resource-near": "", "bin/pulumi-resource-near.cmd": "" });
  using far = programWith({ "pulumi-resource-far": "", "pulumi-resource-far.cmd": "" });
  for (const name of ["near", "far"])
    chmodSync(join(name === "far" ? far.path : join(plugin.path, "bin"), `pulumi-resource-${name}`), 0o755);
  const providers = [
    { name: "near", path: "./bin" },
    { name: "far", path: far.path },
  ];
  const project = stringify({ name: "shop", runtime: "nodejs", plugins: { providers } });
  writeFileSync(join(plugin.path, "Pulumi.yaml"), project);
  writeFileSync(join(plugin.path, "index.ts"), "");
  const found = [...findProgram(plugin.path).plugins].map(([name, file]) => [name, dirname(file)]);
  expect(Object.fromEntries(found)).toEqual({ near: join(plugin.path, "bin"), far: far.path });
});

/** Creates components, one with an option. Before a resource, the SDK waits for what the program has registered. */
function withOption(option = ""): string {
  return `
    const other = new pulumi.ComponentResource("things:index:Group", "other");
    new pulumi.ComponentResource("things:index:Group", "group", {}, { ${option} })`;
}

const GROUP = 'things:index:Group "group"';

test.each([
  [`pulumi.runtime.registerResourceTransform(() => undefined); ${withOption()}`, "registerResourceTransform"],
  [`pulumi.runtime.registerInvokeTransform(() => undefined); ${withOption()}`, "registerInvokeTransform"],
  [withOption('hooks: { beforeCreate: [new pulumi.ResourceHook("hook", () => {})] }'), "ResourceHook"],
  [withOption('hooks: { onError: [new pulumi.ErrorHook("hook", () => true)] }'), "ErrorHook"],
  [withOption("transforms: [() => undefined]"), GROUP, "transforms"],
  [withOption("replaceWith: [other]"), GROUP, "replaceWith"],
  [`new pulumi.CustomResource("${DYNAMIC_TYPE}", "a", {}, { import: "1" })`, `${DYNAMIC_TYPE} "a"`, "import"],
])("a program with %s fails with an error of the engine", async (statement, what, option = "") => {
  const files = { "index.js": `const pulumi = require("@pulumi/pulumi"); ${statement};` };
  const message =
    option === ""
      ? `${what} is not supported by the test engine.`
      : `${what} uses the option ${option}, which the test engine does not support.`;
  await expect(outputsOf(files, { project: "shop" })).rejects.toThrow(message);
});

test("values of the configuration become text, as in a stack's file", async () => {
  using directory = programWith({
    "index.js": `
      const config = new (require("@pulumi/pulumi").Config)();
      const names = ["text", "number", "flag", "list", "object", "hidden"];
      exports.values = names.map((name) => config.require(name));`,
  });
  const object = { a: { b: null } };
  const config = { text: "x", number: 0, flag: false, list: [1, "y"], object, hidden: { secret: { c: 1 } } };
  await using stack = programStack({ program: directory.path, project: "shop", config });
  const { values } = (await stack.preview()).outputs;
  expect(values).toEqual(["x", "0", "false", '[1,"y"]', '{"a":{"b":null}}', '{"c":1}']);
});

test("a main file that does not exist is named", async () => {
  const files = { "Pulumi.yaml": "name: shop\nruntime: nodejs\nmain: absent.ts\n" };
  const message = /has no file absent\.ts, which its Pulumi\.yaml or package\.json declares as main\.$/;
  await expect(outputsOf(files)).rejects.toThrow(message);
});

test("a directory that `main` names has the project of Pulumi.yaml, not that of its own package", async () => {
  const files = {
    "Pulumi.yaml": "name: shop\nruntime: nodejs\nmain: infra",
    "infra/package.json": '{ "name": "infra", "main": "start.js" }',
    "infra/start.js": 'exports.name = require("@pulumi/pulumi").getProject();',
  };
  expect(await outputsOf(files)).toEqual({ name: "shop" });
});

test("a program may register module hooks and start worker threads", async () => {
  const files = {
    "package.json": '{ "name": "hooks", "type": "module" }',
    "index.js": `
      import { register } from "node:module";
      import { once } from "node:events";
      import { Worker } from "node:worker_threads";
      register("./hooks.js", import.meta.url);
      const { default: hooked } = await import("virtual:answer");
      const worker = new Worker("require('node:worker_threads').parentPort.postMessage(42)", { eval: true });
      const [posted] = await once(worker, "message");
      export { hooked, posted };`,
    "hooks.js": `
      export const resolve = (specifier, context, next) =>
        specifier === "virtual:answer" ? { url: specifier, shortCircuit: true } : next(specifier, context);
      export const load = (url, context, next) =>
        url === "virtual:answer"
          ? { format: "module", source: "export default 41;", shortCircuit: true }
          : next(url, context);`,
  };
  expect(await outputsOf(files, {}, testStack)).toEqual({ hooked: 41, posted: 42 });
});

test("a program has the name of its package as the project, and sees the environment without the engine's loaders", async () => {
  const files = {
    "package.json": '{ "name": "shop" }',
    // Pulumi would not set up ts-node for ES modules if there was a loader.
    "index.js": `
      exports.project = require("@pulumi/pulumi").getProject();
      exports.loaders = process.execArgv.filter((each) => ["--loader", "--import", "--require"].includes(each));
      exports.seen = [process.env.GIVEN, process.env.HOME ?? null];`,
  };
  const options = { environment: { GIVEN: "1", HOME: undefined } };
  const outputs = { project: "shop", loaders: [], seen: ["1", null] };
  expect(await outputsOf(files, options, testStack)).toEqual(outputs);
});

test("a program that ends with another exit code fails", async () => {
  const outputs = outputsOf({ "index.js": "process.exit(3);" }, { project: "exits" }, testStack);
  await expect(outputs).rejects.toThrow("The program ended with exit code 3.");
});

interface ProgramFiles {
  /** The `runtime` in Pulumi.yaml. */
  readonly runtime: object | string;
  readonly files: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A directory with a program that loads the packages of this checkout. */
function directoryOf({ runtime, files }: ProgramFiles) {
  // Without ts-node, Pulumi looks only for index.js.
  const main = Object.keys(files).find((name) => name.startsWith("index."));
  return programWith({ "Pulumi.yaml": JSON.stringify({ name: "runtimes", main, runtime }), ...files });
}

async function onEngine(program: ProgramFiles): Promise<unknown> {
  using directory = directoryOf(program);
  await using stack = await testStack({ program: directory.path, environment: program.environment ?? {} });
  return (await stack.up()).outputs;
}

async function onCli(program: ProgramFiles): Promise<unknown> {
  using directory = directoryOf(program);
  const environment = () => program.environment ?? {};
  const { pulumi, run } = cliStack(pulumiCli(), { directory: directory.path, name: "runtimes", environment });
  await run("up");
  return JSON.parse(await pulumi("stack", "output", "--json"));
}

/** Registers a test on the engine and on the CLI. */
function onBoth(name: string, body: (outputsOf: typeof onEngine) => Promise<void>): void {
  test(name, () => body(onEngine));
  testOnCli(name, () => body(onCli));
}

/** TypeScript that Node.js cannot run by stripping types, with an error that only the check of the types finds. */
const COMMONJS_TYPESCRIPT = {
  "index.ts": `
    import * as pulumi from "@pulumi/pulumi";
    import settings = require("./settings");
    import { Size } from "./lib";
    export = { name: pulumi.getProject(), size: Size[settings.size] };`,
  "lib/index.ts": 'export enum Size { Small, Large }\nexport const size: number = "large";',
  "settings.ts": 'import { Size } from "./lib";\nconst settings = { size: Size.Large };\nexport = settings;',
};

onBoth("TypeScript is compiled by ts-node unless Pulumi.yaml turns it off", async (outputsOf) => {
  const files = COMMONJS_TYPESCRIPT;
  // The check of the types takes seconds.
  const environment = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
  const outputs = { name: "runtimes", size: "Large" };
  expect(await outputsOf({ runtime: "nodejs", files, environment })).toEqual(outputs);
  const stripping = outputsOf({ runtime: { name: "nodejs", options: { typescript: false } }, files });
  await expect(stripping).rejects.toThrow("import equals declaration is not supported in strip-only mode");
});

/** The types of all installed packages and of browsers would take most of the time. */
const FEW_TYPES = { types: [], lib: ["es5"], skipLibCheck: true };

onBoth(
  "the types are checked as the program's tsconfig.json says, or the one that Pulumi.yaml names",
  async (outputsOf) => {
    const files = {
      "index.ts": "function sizeOf(thing) { return thing.size; }\nexport const size = sizeOf({ size: 3 });",
      "tsconfig.json": JSON.stringify({ compilerOptions: { ...FEW_TYPES, strict: true } }),
      "tsconfig.pulumi.json": JSON.stringify({ compilerOptions: { ...FEW_TYPES, strict: false } }),
    };
    await expect(outputsOf({ runtime: "nodejs", files })).rejects.toThrow(
      /index\.ts.*error.*TS7006.*Parameter 'thing' implicitly has an 'any' type/s,
    );
    const runtime = { name: "nodejs", options: { tsconfig: "tsconfig.pulumi.json" } };
    expect(await outputsOf({ runtime, files })).toEqual({ size: 3 });
  },
);

onBoth("the arguments for Node.js in Pulumi.yaml apply", async (outputsOf) => {
  const nodeargs = `--require "./first of all.cjs" --title='a program'`;
  const outputs = await outputsOf({
    runtime: { name: "nodejs", options: { typescript: false, nodeargs } },
    files: {
      "first of all.cjs": "globalThis.preloaded = true;",
      "index.js": "exports.seen = [globalThis.preloaded, process.title];",
    },
  });
  expect(outputs).toEqual({ seen: [true, "a program"] });
});
