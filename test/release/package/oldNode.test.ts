/** An old Node.js, or none: every entry point says which version is needed, before it loads anything else. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { x } from "tar";
import ts from "typescript";
import { bin, engines, exports } from "../../../package.json";
import { OLDEST_NODE } from "../../../provider/nodeVersion";
import { writePluginArchives } from "../../../scripts/release/pluginArchive";
import { directoryWith, ROOT } from "./unpackedProgram";

const EXECUTABLE = "pulumi-resource-dynamiclink";

/** A real Node.js that is too old, if there is one beside the Node.js that runs the tests. */
const OLD_NODE = (process.env.PATH ?? "")
  .split(delimiter)
  .map((directory) => join(directory, "node"))
  .filter((path) => existsSync(path))
  .find((path) => /^v(1\d|20|21)\./.test(execFileSync(path, ["--version"], { encoding: "utf8" })));

/** A script that pretends to be an old version and, at the end, prints what was loaded from files. */
const preload = directoryWith({
  "old.cjs": `
    Object.defineProperty(process, "version", { value: "v20.20.2" });
    Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
    process.on("exit", () => console.log(JSON.stringify(Object.keys(require.cache))));
  `,
});
afterAll(() => preload.remove());

const MESSAGE = `pulumi-dynamiclink needs Node.js 22.19 or newer; this is v20.20.2 (${process.execPath}). Install a newer version, and put it first on PATH.`;

const modules = Object.values(exports).flatMap((entry) => (typeof entry === "string" ? [] : [entry.default]));
const EXECUTABLES = [bin["pulumi-dynamiclink"], "plugin/start.js"];

/** Runs Node.js as if it were old. */
function onOldNode(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--require", join(preload.path, "old.cjs"), ...args],
    { cwd: ROOT, encoding: "utf8" },
  );
  const loaded = JSON.parse(stdout) as string[];
  return {
    status,
    stderr,
    loaded: loaded.filter((path) => !path.endsWith("old.cjs")).map((path) => basename(path)),
  };
}

test("the version that the code needs is the one in package.json", () => {
  expect(engines.node).toBe(`>=${OLDEST_NODE}`);
});

test.each([EXECUTABLE, `${EXECUTABLE}.cmd`])(
  "the version in plugin/%s is the one in package.json",
  (file) => {
    expect(readFileSync(join(ROOT, "plugin", file), "utf8")).toContain(`Node.js ${OLDEST_NODE} or newer`);
  },
);

test.each(modules)("%s says which Node.js it needs before it loads anything else", (entry) => {
  const print = `try { require("${entry}") } catch (error) { console.error(error.message, error.__pulumiRunError) }`;
  expect(onOldNode("-e", print)).toEqual({
    status: 0,
    stderr: `${MESSAGE} true\n`,
    // The entry point itself failed, so it is not in the cache.
    loaded: ["nodeVersion.js"],
  });
});

test.each(EXECUTABLES)("%s says which Node.js it needs before it loads anything else, and exits", (entry) => {
  const { loaded, ...ended } = onOldNode(entry);
  expect(ended).toEqual({ status: 1, stderr: `error: ${MESSAGE}\n` });
  expect(loaded.filter((file) => !["index.js", "start.js"].includes(file))).toEqual([
    "requireNodeOrExit.js",
    "nodeVersion.js",
  ]);
});

test.each([
  ...modules,
  ...EXECUTABLES,
  "dist/provider/nodeVersion.js",
  "dist/provider/requireNode.js",
  "dist/provider/requireNodeOrExit.js",
  "dist/provider/hosts/plugin/start.js",
])("%s has no syntax that is newer than ES2015", (file) => {
  expectOldSyntax(readFileSync(join(ROOT, file), "utf8"));
});

test("the check of the syntax finds newer syntax", () => {
  expect(() => expectOldSyntax("a?.b;")).toThrow();
});

/** Expects that a script needs no changes for old versions. */
function expectOldSyntax(text: string): void {
  const [old, unchanged] = [ts.ScriptTarget.ES2015, ts.ScriptTarget.ESNext].map((target) =>
    ts.transpile(text, { target, module: ts.ModuleKind.CommonJS, removeComments: true }),
  );
  expect(old).toBe(unchanged);
}

describe("the plugin's archive", () => {
  const directory = mkdtempSync(join(tmpdir(), "dynamiclink-old-node-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  beforeAll(async () => {
    const [archive = ""] = await writePluginArchives(join(directory, "archives"));
    await x({ file: archive, cwd: directory });
  });

  test("says which Node.js it needs before it loads anything else, and exits", () => {
    expect(onOldNode(join(directory, "start.js"))).toEqual({
      status: 1,
      stderr: `error: ${MESSAGE}\n`,
      loaded: ["start.js"],
    });
    expectOldSyntax(readFileSync(join(directory, "start.js"), "utf8"));
  });
});

// Windows has no shell scripts.
const onShell = process.platform === "win32" ? describe.skip : describe;
onShell("the plugin's executable", () => {
  const path = directoryWith({});
  afterAll(() => path.remove());

  test("says that there is no Node.js on PATH", () => {
    const executable = join(ROOT, "plugin", EXECUTABLE);
    const { status, stdout, stderr } = spawnSync("/bin/sh", [executable], {
      env: { PATH: path.path },
      encoding: "utf8",
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: "",
      stderr:
        "error: pulumi-dynamiclink needs Node.js 22.19 or newer, and there is no node on PATH. Install it, or add its directory to PATH.\n",
    });
  });

  const testOnOldNode = OLD_NODE === undefined ? test.skip : test;
  if (OLD_NODE === undefined) process.stderr.write("*** There is no old Node.js on PATH to test with. ***\n");
  testOnOldNode("says on a real old Node.js which version it needs", () => {
    const executable = join(ROOT, "plugin", EXECUTABLE);
    const { status, stderr } = spawnSync(executable, {
      env: { PATH: dirname(OLD_NODE ?? "") },
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(
        /^error: pulumi-dynamiclink needs Node\.js 22\.19 or newer; this is v\d+\.\d+\.\d+ \(\S+\)\. Install a newer version, and put it first on PATH\.\n$/,
      ),
    });
  });
});
