/** Programs with native classes whose project does not have the plugin, or may not execute it. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { requirePlugin } from "../../../sdk/native/requirePlugin";
import { StackFailure, testStack } from "../../../testing/engine";
import { type Directory, directoryWith, linkPackages } from "../../release/package/programs";
import { PLUGIN_PROJECT } from "../../support/providers/pluginProject";
import { errorOf } from "../../support/values/errorOf";

const ENVIRONMENT = process.env;
const directories: Directory[] = [];

function directory(files: Readonly<Record<string, string>> = {}): string {
  const created = directoryWith(files);
  directories.push(created);
  return created.path;
}

afterEach(() => {
  process.env = ENVIRONMENT;
  for (const { remove } of directories.splice(0)) remove();
});

/** The check of a project, where nothing is installed unless the environment says so. */
function check(
  files: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
  options?: { readonly pluginDownloadURL: string },
) {
  const root = directory(files);
  process.env = {
    PULUMI_NODEJS_ROOT_DIRECTORY: root,
    PULUMI_HOME: join(root, "home"),
    PATH: "",
    ...environment,
  };
  return { root, run: () => requirePlugin(options) };
}

const EXECUTABLE = "pulumi-resource-dynamiclink";
const WITHOUT = stringify({ name: "shop", runtime: "nodejs", config: { "dynamiclink:apiUrl": "https://a" } });

test("without the plugin, the error has the lines to add to Pulumi.yaml", () => {
  const { root, run } = check({
    "Pulumi.yaml": WITHOUT,
    "node_modules/pulumi-dynamiclink/plugin/PulumiPlugin.yaml": "runtime: nodejs",
  });
  const lines = stringify(PLUGIN_PROJECT).trimEnd();
  expect(run).toThrow(
    new Error(
      `Pulumi cannot find the plugin dynamiclink, which pulumi-dynamiclink/native needs. Add this to ${root}/Pulumi.yaml:\n\n${lines}\n`,
    ),
  );
});

test("in a workspace, the path leads to the node_modules folder above the project", () => {
  const root = directory({
    "node_modules/pulumi-dynamiclink/plugin/PulumiPlugin.yaml": "runtime: nodejs",
    "programs/shop/Pulumi.yaml": WITHOUT,
  });
  const { run } = check({}, { PULUMI_NODEJS_ROOT_DIRECTORY: join(root, "programs", "shop") });
  expect(run).toThrow("path: ../../node_modules/pulumi-dynamiclink/plugin\n");
});

const SECOND = { plugins: { providers: [{ name: "random" }, ...PLUGIN_PROJECT.plugins.providers] } };

type Texts = Readonly<Record<string, string>>;

test.each<[situation: string, files: Texts, environment?: Texts]>([
  ["the plugin in plugins", { "Pulumi.yaml": stringify({ name: "shop", ...PLUGIN_PROJECT }) }],
  ["the plugin in plugins, in JSON", { "Pulumi.json": JSON.stringify({ name: "shop", ...PLUGIN_PROJECT }) }],
  ["the plugin in packages", { "Pulumi.yml": stringify({ packages: { dynamiclink: "./plugin" } }) }],
  ["the plugin in plugins, after another one", { "Pulumi.yaml": stringify(SECOND) }],
  ["a file that Pulumi cannot read, which is left to Pulumi", { "Pulumi.yaml": "plugins: [dynamiclink" }],
  ["no project file", {}],
  ...["PULUMI_DEBUG_PROVIDERS", "PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES"].map(
    (name): [string, Texts, Texts] => [
      `${name}, which may name a plugin`,
      { "Pulumi.yaml": WITHOUT },
      { [name]: "dynamiclink:1234" },
    ],
  ),
])("with %s, nothing is required", (_situation, files, environment = {}) => {
  expect(check(files, environment).run).not.toThrow();
});

test("with a plugin on PATH or an address for it, nothing is required", () => {
  const PATH = directory({ [EXECUTABLE]: "" });
  chmodSync(join(PATH, EXECUTABLE), 0o755);
  expect(check({ "Pulumi.yaml": WITHOUT }, { PATH }).run).not.toThrow();
  const options = { pluginDownloadURL: "https://plugins.example" };
  expect(check({ "Pulumi.yaml": WITHOUT }, {}, options).run).not.toThrow();
});

function notExecutable(file: string): string {
  return `The plugin dynamiclink cannot be started, because ${file} is not executable. Copies of node_modules, such as artifacts of CI jobs, can lose the permission. Install the packages again, or run: chmod +x ${file}`;
}

const FOLDER = "node_modules/pulumi-dynamiclink/plugin";
// On Windows, files have no such permission.
const testOnPosix = process.platform === "win32" ? test.skip : test;

testOnPosix("a plugin that may not be executed is reported, with the command that allows it", () => {
  const inPackages = { packages: { dynamiclink: `./${FOLDER}` } };
  for (const [project, folder] of [
    [PLUGIN_PROJECT, FOLDER],
    [inPackages, FOLDER],
    [{}, "bin"],
  ] as const) {
    const text = stringify({ name: "shop", ...project });
    const root = directory({ "Pulumi.yaml": text, [`${folder}/${EXECUTABLE}`]: "" });
    const { run } = check({}, { PULUMI_NODEJS_ROOT_DIRECTORY: root, PATH: join(root, "bin") });
    const file = join(root, folder, EXECUTABLE);
    expect(run).toThrow(new Error(notExecutable(file)));
    chmodSync(file, 0o755);
    expect(run).not.toThrow();
  }
});

testOnPosix(
  "a stack under test says the same at once, and a plugin that cannot be started ends its commands and their processes",
  async () => {
    const plugins = { providers: [{ name: "dynamiclink", path: "./plugin" }] };
    const root = directory({
      "Pulumi.yaml": stringify({ name: "shop", main: "index.js", runtime: "nodejs", plugins }),
      "index.js": 'new (require("pulumi-dynamiclink/native").Project)("shop", { name: "Shop" });',
      [`plugin/${EXECUTABLE}`]: "#!/nowhere/sh\n",
      "test.cjs": `
        const { testStack } = require("pulumi-dynamiclink/testing");
        testStack({ program: __dirname }).then((stack) => stack.preview()).catch(({ message }) => console.log(message));
      `,
    });
    linkPackages(root);
    const file = join(root, "plugin", EXECUTABLE);
    const printed = () =>
      spawnSync(process.execPath, ["test.cjs"], { cwd: root, encoding: "utf8", timeout: 60_000 });
    expect(printed()).toMatchObject({ status: 0, stdout: `${notExecutable(file)}\n` });
    chmodSync(file, 0o755);
    expect(printed()).toMatchObject({ status: 0, stdout: expect.stringContaining(`spawn ${file} ENOENT`) });
  },
);

test.each([
  ["packages of others", { packages: { random: "4" } }, ""],
  ["plugins of others", { plugins: { providers: [{ name: "random", path: "./dynamiclink" }] } }, ""],
  ["plugins of another kind", { plugins: { analyzers: [{ name: "dynamiclink", path: "./plugin" }] } }, ""],
  ["empty plugins", { plugins: null }, ""],
  ["a comment", {}, "# plugins:\n#   providers:\n#     - name: dynamiclink\n"],
])("%s is not the plugin, even if the stack's configuration follows", (_which, others, comment) => {
  const config = { "dynamiclink:apiUrl": "https://a" };
  const project = stringify({ name: "dynamiclink", runtime: "nodejs", ...others, config });
  expect(check({ "Pulumi.yaml": project + comment }).run).toThrow("cannot find the plugin");
});

test("an installed plugin is accepted", () => {
  const { root, run } = check({ "Pulumi.yaml": WITHOUT });
  expect(run).toThrow();
  mkdirSync(join(root, "home", "plugins", "resource-dynamiclink-v0.4.0"), { recursive: true });
  expect(run).not.toThrow();
});

test.each([
  ["resource", 'new Project("shop", { name: "Shop" });'],
  ["provider", 'new Provider("europe", {});'],
  ["function", 'await getProject({ id: "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e" });'],
])("a program whose first declaration is a %s fails with the lines to add", async (_kind, source) => {
  const program = directory({
    "Pulumi.yaml": stringify({ name: "shop", runtime: { name: "nodejs", options: { typescript: false } } }),
    "package.json": JSON.stringify({ name: "shop", type: "module", main: "index.ts" }),
    "index.ts": `import { getProject, Project, Provider } from "pulumi-dynamiclink/native";\n${source}`,
  });
  linkPackages(program);
  const environment = { PATH: "", PULUMI_HOME: join(program, "home") };
  await using stack = await testStack({ program, environment });
  const { result } = await errorOf(stack.preview(), StackFailure);
  const [error] = result.diagnostics.filter(({ severity }) => severity === "error");
  expect(error?.message).toContain("path: ./node_modules/pulumi-dynamiclink/plugin");
});
