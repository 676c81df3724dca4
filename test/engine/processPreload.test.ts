/** What the engine's processes put off: it is not loaded before its time, and it is the same when its time comes. */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { startNode } from "../../testing/engine/nodeProcess";

const ROOT = resolve(__dirname, "..", "..");

/** What a script prints in a process as the engine starts it. */
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

/** What a script prints in a process of its own. */
function printedAlone(script: string): unknown {
  return JSON.parse(
    execFileSync(process.execPath, ["--eval", script], { cwd: ROOT, encoding: "utf8", stdio: "pipe" }),
  );
}

/** The packages that the SDK has loaded. */
const LOADED = `
  require("@pulumi/pulumi");
  const names = Object.keys(require.cache).map((path) => /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(path)?.[1]);
  console.log(JSON.stringify([...new Set(names)].filter((name) =>
    ["typescript", "@npmcli/arborist", "semver", "js-yaml", "execa"].includes(name)).sort()));
  process.exit();
`;

test("the SDK comes without what serves closures, traces and automation", async () => {
  expect(printedAlone(LOADED)).toEqual(["@npmcli/arborist", "execa", "js-yaml", "semver", "typescript"]);
  expect(await printedInEngine(LOADED)).toEqual([]);
});

/** Uses all that is put off, through the SDK. */
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

test("what is put off does what it does without", async () => {
  expect(await printedInEngine(USES)).toEqual(printedAlone(USES));
});
