/** The processes of the engine: the modules that they defer, their compile cache, and the port of a provider. */
import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join, resolve } from "node:path";
import { compileCache } from "../../testing/engine/process/compileCache";
import { startNode } from "../../testing/engine/process/nodeProcess";
import { startPlugin } from "../../testing/engine/providers/providerProcess";
import { directoryWith } from "../release/package/programs";

const ROOT = resolve(__dirname, "..", "..");

/** Loads the SDK, then uses all deferred modules through it. Prints which packages it has loaded at first, and the results. */
const SCRIPT = `
  const pulumi = require("@pulumi/pulumi");
  const paths = Object.keys(require.cache).filter((path) => !path.endsWith(".deferred.js"));
  const names = paths.map((path) => /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(path)?.[1]);
  const loaded = [...new Set(names)].filter((name) =>
    ["typescript", "@npmcli/arborist", "semver", "js-yaml", "execa"].includes(name)).sort();
  class Failure extends pulumi.automation.CommandError {}
  const failure = new Failure({ code: 1, stdout: "out", stderr: "" });
  const captured = { greeting: "Hello" };
  (async () => {
    const { text } = await pulumi.runtime.serializeFunction(() => captured.greeting.length);
    const codePaths = await pulumi.runtime.computeCodePaths({ extraIncludePackages: ["semver"] });
    console.log(JSON.stringify({
      loaded,
      used: {
        failure: [failure instanceof pulumi.automation.CommandError, failure instanceof Error, failure.message],
        closure: text,
        packages: [...codePaths.keys()].filter((path) => path.includes("semver")).length > 0,
        create: typeof pulumi.automation.LocalWorkspace.create,
        semver: require("semver").SEMVER_SPEC_VERSION,
        scripts: require("@pulumi/pulumi/typescript-shim").SyntaxKind.Identifier,
      },
    }));
    process.exit();
  })();
`;

/** What a script prints in a process that the engine starts. */
async function printedInEngine(script: string, environment: NodeJS.ProcessEnv = process.env) {
  const lines: string[] = [];
  const { exited } = startNode(["--eval", script], {
    directory: ROOT,
    environment,
    onLine: (line, stream) => stream === "stdout" && lines.push(line),
  });
  await exited;
  return JSON.parse(lines.join("\n"));
}

test("the SDK does not load the modules for closures, traces and automation, which work when they are used", async () => {
  const options = { cwd: ROOT, encoding: "utf8", stdio: "pipe" } as const;
  const alone = JSON.parse(execFileSync(process.execPath, ["--eval", SCRIPT], options));
  expect(alone.loaded).toEqual(["execa", "js-yaml", "semver", "typescript"]);
  expect(await printedInEngine(SCRIPT)).toEqual({ loaded: [], used: alone.used });
});

test("the processes of the engine use this directory", async () => {
  const script = "console.log(JSON.stringify(process.env.NODE_COMPILE_CACHE ?? null)); process.exit();";
  const { NODE_COMPILE_CACHE: _, ...environment } = process.env;
  expect(await printedInEngine(script, environment)).toBe(compileCache().NODE_COMPILE_CACHE);
});

/** The error of the first call to a plugin that announces itself with a line. */
async function failureWith(line: string): Promise<unknown> {
  using directory = directoryWith({
    plugin: `#!${process.execPath}\nconsole.log(${JSON.stringify(line)}); setInterval(() => {}, 1000);`,
  });
  chmodSync(join(directory.path, "plugin"), 0o755);
  const plugin = startPlugin(join(directory.path, "plugin"), {
    directory: directory.path,
    environment: process.env,
    project: "shop",
    engineAddress: "127.0.0.1:1",
    log: () => {},
    onLine: () => {},
    trace: () => {},
  });
  try {
    return await plugin
      .check({ urn: "urn:pulumi:test::shop::pulumi:providers:odd::default", olds: {}, news: {} })
      .catch((error: unknown) => error);
  } finally {
    plugin.kill();
    await plugin.exited;
  }
}

test.each(["\u001b[33m1234\u001b[39m", "port 1234", "", "0", "65536"])(
  "a first line that is not a port, such as %j, is an error, as on a CLI",
  async (line) => {
    const message = `The provider process wrote an invalid port to standard output: ${JSON.stringify(line)}.`;
    expect(await failureWith(line)).toEqual(new Error(message));
  },
);
