/**
 * The options of `runtime` in Pulumi.yaml: the engine runs a program as a real Pulumi CLI does. It is slow because
 * ts-node loads the compiler for each program, and checks the types of most.
 */
import { testStack } from "../../../testing/engine";
import { programWith } from "../../release/package/unpackedProgram";
import { pulumiCli, testOnCli } from "../../support/processes/pulumiCli";
import { cliStack } from "../../support/stacks/cliStack";

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
