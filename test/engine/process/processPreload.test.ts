/** The modules that the engine's processes defer: they are loaded only on use, and then work as usual. */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { startNode } from "../../../testing/engine/process/nodeProcess";

const ROOT = resolve(__dirname, "..", "..", "..");

/** The output of a script in a process that the engine starts. */
async function printedInEngine(script: string): Promise<unknown> {
  const lines: string[] = [];
  const { exited } = startNode(["--eval", script], {
    directory: ROOT,
    environment: process.env,
    onLine: (line, stream) => stream === "stdout" && lines.push(line),
  });
  await exited;
  return JSON.parse(lines.join("\n"));
}

/** The output of a script in a plain process. */
function printedAlone(script: string): unknown {
  return JSON.parse(
    execFileSync(process.execPath, ["--eval", script], { cwd: ROOT, encoding: "utf8", stdio: "pipe" }),
  );
}

/** Prints which packages the SDK has loaded. */
const LOADED = `
  require("@pulumi/pulumi");
  const names = Object.keys(require.cache).map((path) => /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(path)?.[1]);
  console.log(JSON.stringify([...new Set(names)].filter((name) =>
    ["typescript", "@npmcli/arborist", "semver", "js-yaml", "execa"].includes(name)).sort()));
  process.exit();
`;

test("the SDK does not load the modules for closures, traces and automation", async () => {
  expect(printedAlone(LOADED)).toEqual(["@npmcli/arborist", "execa", "js-yaml", "semver", "typescript"]);
  expect(await printedInEngine(LOADED)).toEqual([]);
});

/** Uses all deferred modules through the SDK. */
const USES = `
  const pulumi = require("@pulumi/pulumi");
  class Failure extends pulumi.automation.CommandError {}
  const failure = new Failure({ code: 1, stdout: "out", stderr: "" });
  const captured = { greeting: "Hello" };
  (async () => {
    const { text } = await pulumi.runtime.serializeFunction(() => captured.greeting.length);
    const paths = await pulumi.runtime.computeCodePaths({ extraIncludePackages: ["semver"] });
    console.log(JSON.stringify({
      failure: [failure instanceof pulumi.automation.CommandError, failure instanceof Error, failure.message],
      closure: text,
      packages: [...paths.keys()].filter((path) => path.includes("semver")).length > 0,
      create: typeof pulumi.automation.LocalWorkspace.create,
      semver: require("semver").SEMVER_SPEC_VERSION,
      scripts: require("@pulumi/pulumi/typescript-shim").SyntaxKind.Identifier,
    }));
    process.exit();
  })();
`;

test("deferred modules work as they do without the preload", async () => {
  expect(await printedInEngine(USES)).toEqual(printedAlone(USES));
});
