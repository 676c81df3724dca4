/** The modules that the engine's processes defer: they are loaded only on use, and then work as usual. */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { startNode } from "../../../testing/engine/process/nodeProcess";

const ROOT = resolve(__dirname, "..", "..", "..");

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

interface Printed {
  readonly loaded: unknown;
  readonly used: unknown;
}

/** What the script prints in a process that the engine starts, and in a plain one. */
let inEngine: Printed;
let alone: Printed;
beforeAll(async () => {
  const lines: string[] = [];
  const { exited } = startNode(["--eval", SCRIPT], {
    directory: ROOT,
    environment: process.env,
    onLine: (line, stream) => stream === "stdout" && lines.push(line),
  });
  await exited;
  inEngine = JSON.parse(lines.join("\n"));
  alone = JSON.parse(
    execFileSync(process.execPath, ["--eval", SCRIPT], { cwd: ROOT, encoding: "utf8", stdio: "pipe" }),
  );
});

test("the SDK does not load the modules for closures, traces and automation", () => {
  expect(alone.loaded).toEqual(["@npmcli/arborist", "execa", "js-yaml", "semver", "typescript"]);
  expect(inEngine.loaded).toEqual([]);
});

test("deferred modules work as they do without the preload", () => {
  expect(inEngine.used).toEqual(alone.used);
});
