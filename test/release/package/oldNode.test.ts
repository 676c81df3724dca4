/** An old Node.js, another runtime, or none: every entry point says which version is needed, before it needs it. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { bin, engines, exports } from "../../../package.json";
import { OLDEST_NODE } from "../../../provider/nodeVersion";
import { directoryWith, ROOT } from "./programs";

const EXECUTABLE = "pulumi-resource-dynamiclink";

const preloads = directoryWith({
  // Pretends to be an old version and, at the end, prints what was loaded from files.
  "oldNode.cjs": `
    Object.defineProperty(process, "version", { value: "v20.20.2" });
    Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
    process.on("exit", () => console.log(JSON.stringify(Object.keys(require.cache))));
  `,
  "bun.cjs": 'Object.defineProperty(process, "versions", { value: { ...process.versions, bun: "1.4.5" } });',
});
afterAll(() => preloads.remove());

function run(command: string, args: readonly string[], environment: NodeJS.ProcessEnv = process.env) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: ROOT,
    encoding: "utf8",
    env: environment,
  });
  return { status, stdout, stderr };
}

const MESSAGE = `pulumi-dynamiclink needs Node.js 22.19 or newer; this is v20.20.2 (${process.execPath}). Install a newer version, and put it first on PATH.`;
const modules = Object.values(exports).flatMap((entry) => (typeof entry === "string" ? [] : [entry.default]));
const EXECUTABLES = [bin["pulumi-dynamiclink"], "plugin/start.js"];

function onOldNode(...args: string[]) {
  const preload = ["--require", join(preloads.path, "oldNode.cjs")];
  const { stdout, ...ended } = run(process.execPath, [...preload, ...args]);
  const loaded = (JSON.parse(stdout) as string[]).map((path) => basename(path));
  return { ...ended, loaded: loaded.filter((name) => name !== "oldNode.cjs") };
}

test("the version that the code and the plugin's executables need is the one in package.json", () => {
  expect(engines.node).toBe(`>=${OLDEST_NODE}`);
  for (const file of [EXECUTABLE, `${EXECUTABLE}.cmd`])
    expect(readFileSync(join(ROOT, "plugin", file), "utf8")).toContain(`Node.js ${OLDEST_NODE} or newer`);
});

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

test.each([...modules, bin["pulumi-dynamiclink"]])("%s on another runtime", (entry) => {
  const { status, stderr } = run(process.execPath, ["--require", join(preloads.path, "bun.cjs"), entry]);
  if (entry === exports["./native"].default)
    return expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(status).toBe(1);
  expect(stderr).toContain(
    `pulumi-dynamiclink needs Node.js 22.19 or newer; this is Bun 1.4.5 (${process.execPath}). Use Node.js; for programs, that is the runtime nodejs in Pulumi.yaml. Or import pulumi-dynamiclink/native there, which works with other runtimes.`,
  );
});

const FIRST = ["nodeVersion", "requireNode", "requireNodeOrExit", "hosts/plugin/start"];
const CHECKS = [...FIRST.map((name) => `dist/provider/${name}.js`), "dist/sdk/native/requireNode.js"];
test.each([...modules, ...EXECUTABLES, ...CHECKS])("%s has no syntax that is newer than ES2015", (file) => {
  const text = readFileSync(join(ROOT, file), "utf8");
  const [old, unchanged] = [ts.ScriptTarget.ES2015, ts.ScriptTarget.ESNext].map((target) =>
    ts.transpile(text, { target, module: ts.ModuleKind.CommonJS, removeComments: true }),
  );
  expect(old).toBe(unchanged);
});

// Windows has no shell scripts.
(process.platform === "win32" ? test.skip : test)(
  "the plugin's executable says that there is no Node.js on PATH",
  () => {
    expect(run("/bin/sh", [join(ROOT, "plugin", EXECUTABLE)], { PATH: preloads.path })).toEqual({
      status: 1,
      stdout: "",
      stderr:
        "error: pulumi-dynamiclink needs Node.js 22.19 or newer, and there is no node on PATH. Install it, or add its directory to PATH.\n",
    });
  },
);
