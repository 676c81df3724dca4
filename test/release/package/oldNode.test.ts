/** An old Node.js, or none: every entry point says which version is needed, before it loads anything else. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { bin, engines, exports } from "../../../package.json";
import { OLDEST_NODE } from "../../../provider/nodeVersion";
import { directoryWith, ROOT } from "./unpackedProgram";

const EXECUTABLE = "pulumi-resource-dynamiclink";

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

function expectOldSyntax(text: string): void {
  const [old, unchanged] = [ts.ScriptTarget.ES2015, ts.ScriptTarget.ESNext].map((target) =>
    ts.transpile(text, { target, module: ts.ModuleKind.CommonJS, removeComments: true }),
  );
  expect(old).toBe(unchanged);
}

// Windows has no shell scripts.
(process.platform === "win32" ? test.skip : test)(
  "the plugin's executable says that there is no Node.js on PATH",
  () => {
    const { status, stdout, stderr } = spawnSync("/bin/sh", [join(ROOT, "plugin", EXECUTABLE)], {
      env: { PATH: preload.path },
      encoding: "utf8",
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: "",
      stderr:
        "error: pulumi-dynamiclink needs Node.js 22.19 or newer, and there is no node on PATH. Install it, or add its directory to PATH.\n",
    });
  },
);
