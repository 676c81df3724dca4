/** The command `discover --split`: one program for each project. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Emulator, Seed } from "../../../testing/emulator";
import { KEY, OTHER_KEY, seedWith } from "../../support/values/organizations";
import { newDirectory } from "../directories";
import { FILE_NAMES, filesIn, importFileIn } from "../generatedProgram";
import { SHOP, SHOP_PROJECT, WEB } from "../objects";
import { withStubbedCli } from "../pulumiClis";
import { run, WITHOUT_CLI } from "../run";
import { DYNAMIC, resourceOf } from "../states";
import { testsWith } from "../testsWith";

const SECOND_SHOP = "0c0c0c0d-0000-4000-8000-000000000002";
const MARKET = "0c0c0c0e-0000-4000-8000-000000000003";
const NEW = "0c0c0c0f-0000-4000-8000-000000000004";
const SECOND_WEB = "0d0d0d0d-0000-4000-8000-000000000002";

const SEED = seedWith([
  SHOP_PROJECT,
  {
    id: SECOND_SHOP,
    name: "shop",
    createdAt: "2024-01-02T00:00:00.000Z",
    applications: [{ id: SECOND_WEB, appType: "WEB" }],
  },
  { id: MARKET, name: "쇼핑몰", createdAt: "2024-01-03T00:00:00.000Z" },
]);

const { test, testOnShell } = testsWith(SEED);

function split(service: Emulator, directory: string, ...args: string[]) {
  return run("discover", ["--split", directory, "--api-url", service.url, ...args]);
}

function namesIn(...path: string[]): string[] {
  return importFileIn(...path).resources.map(({ name }) => name);
}

/** The directories of the programs. */
function programsIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => !["node_modules", "package.json"].includes(name))
    .sort();
}

test("each program has its own Pulumi project, and one installation serves them all", async (service) => {
  const shops = join(newDirectory(), "shops");
  const { code, stdout, stderr } = await split(service, shops);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.split("\n").slice(1)).toEqual([
    `3 programs with 16 files written to ${shops}:`,
    "  shop: 3 objects",
    "  shop-0c0c0c0d: 2 objects",
    "  쇼핑몰: 1 object",
    "",
    "Next, with a Pulumi CLI of 3.254.0 or newer:",
    `  cd ${shops} && npm install`,
    "Then in the directory of each program:",
    "  pulumi stack select --create <name>",
    "  pulumi import --file import.json --generate-code=false",
    "  pulumi preview --expect-no-changes",
    expect.stringContaining("Run it before you destroy anything."),
    "",
  ]);
  expect(JSON.parse(filesIn(shops)["package.json"] ?? "")).toEqual({ private: true, workspaces: ["*"] });
  const directories = programsIn(shops);
  expect(directories).toEqual(["shop", "shop-0c0c0c0d", "쇼핑몰"]);
  expect(
    directories.map((directory) => parse(readFileSync(join(shops, directory, "Pulumi.yaml"), "utf8")).name),
  ).toEqual(["shop", "shop-0c0c0c0d", "project-0c0c0c0e"]);
  expect(directories.map((directory) => namesIn(shops, directory))).toEqual([
    ["shop", "shop-web", "links-shop-example"],
    ["shop", "shop-web"],
    ["쇼핑몰"],
  ]);
  for (const directory of directories) {
    expect(readdirSync(join(shops, directory)).sort()).toEqual(FILE_NAMES.toSorted());
  }
});

test.each([
  ["is a workspace", { workspaces: ["*"] }, "..", "  cd "],
  ["is a package", { name: "shops" }, ".", "Next in each directory:\n  npm install && "],
])("a directory that %s keeps its package.json", async (service, _, packageFile, installation, step) => {
  const shops = newDirectory();
  writeFileSync(join(shops, "package.json"), JSON.stringify(packageFile));
  const { stdout } = await split(service, shops, "--native");
  expect(stdout).toContain(step);
  expect(JSON.parse(filesIn(shops)["package.json"] ?? "")).toEqual(packageFile);
  expect(parse(filesIn(join(shops, "shop"))["Pulumi.yaml"] ?? "").plugins.providers).toEqual([
    { name: "dynamiclink", path: `${installation}/node_modules/pulumi-dynamiclink/plugin` },
  ]);
});

const DEVICES = ["Con", "NUL", "com1"].map((name, index) => ({
  id: `0c0c0c1${index}-0000-4000-8000-000000000001`,
  name,
}));

testsWith(seedWith(DEVICES)).test(
  "a project with the name of a device in Windows gets a directory with a part of its UUID",
  async (service) => {
    const directory = join(newDirectory(), "shops");
    expect((await split(service, directory)).code).toBe(0);
    expect(programsIn(directory)).toEqual(["com1-0c0c0c12", "con-0c0c0c10", "nul-0c0c0c11"]);
  },
);

test("--json says which program has an object", async (service) => {
  const shops = join(newDirectory(), "shops");
  const { stdout } = await split(service, shops, "--json", "--exclude", "쇼핑몰", "links*", "WEB");
  expect(JSON.parse(stdout)).toMatchObject({
    directory: shops,
    files: [
      "package.json",
      ...["shop", "shop-0c0c0c0d"].flatMap((directory) => FILE_NAMES.map((name) => `${directory}/${name}`)),
    ],
    objects: [
      { kind: "project", name: "shop", uuid: SHOP, program: "shop" },
      { kind: "project", name: "shop", uuid: SECOND_SHOP, program: "shop-0c0c0c0d" },
    ],
  });
});

test("run again, directories and names stay, and directories of other projects are not changed", async (service) => {
  const shops = join(newDirectory(), "shops");
  await split(service, shops);
  renameSync(join(shops, "쇼핑몰"), join(shops, "mall"));
  service.deleteProject(SHOP);
  service.updateProject(SECOND_SHOP, { name: "Store" });
  service.createProject(service.state.organizations[0]?.id ?? "", { id: NEW, name: "Shop" });
  writeFileSync(join(shops, "shop", "index.ts"), "mine");

  const { code, stdout } = await split(service, shops, "--force");
  expect(code).toBe(0);
  expect(stdout).toContain("  shop-0c0c0c0d: 2 objects\n  mall: 1 object\n  shop-0c0c0c0f: 1 object\n");
  expect(programsIn(shops)).toEqual(["mall", "shop", "shop-0c0c0c0d", "shop-0c0c0c0f"]);
  expect(namesIn(shops, "shop-0c0c0c0d")).toEqual(["shop", "shop-web"]);
  expect(namesIn(shops, "mall")).toEqual(["쇼핑몰"]);
  expect(readFileSync(join(shops, "shop", "index.ts"), "utf8")).toBe("mine");
});

test.each([
  ["a damaged import file", "{", [], /import\.json is not an import file/],
  [
    "an import file with an object that is not selected",
    JSON.stringify({
      resources: [SHOP, WEB].map((id) => ({
        type: `dynamiclink:index:${id === SHOP ? "Project" : "Application"}`,
        name: "x",
        id,
      })),
    }),
    ["--type", "project"],
    /import\.json has 1 object that the new program would not declare: .* `pulumi up` would delete it\. Choose another directory\.\n$/,
  ],
])(
  "%s in one of the directories is an error, and nothing is written",
  async (service, _, text, args, message) => {
    const shops = newDirectory();
    mkdirSync(join(shops, "mine"));
    writeFileSync(join(shops, "mine", "import.json"), text);
    const { code, stderr } = await split(service, shops, "--force", ...args);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(readdirSync(shops).sort()).toEqual(["mine", "node_modules"]);
    expect(readdirSync(join(shops, "mine"))).toEqual(["import.json"]);
  },
);

testsWith(seedWith()).test("an empty organization leads to no file", async (service) => {
  const shops = join(newDirectory(), "shops");
  const { code, stdout } = await split(service, shops);
  expect(code).toBe(0);
  expect(stdout).toContain("There is nothing to declare, so no file was written.\n");
  expect(existsSync(shops)).toBe(false);
});

test("in a project with a runtime other than nodejs, an error says what to use", async (service) => {
  const cwd = newDirectory();
  writeFileSync(join(cwd, "Pulumi.yaml"), "name: shops\nruntime: yaml\n");
  const { code, stderr } = await split(service, join(cwd, "x"), "--cwd", cwd);
  expect(code).toBe(1);
  expect(stderr).toContain(
    "error: --split needs a program that discover writes. For a project with the runtime yaml, Pulumi writes it: use --out, once for each project with --project.\n",
  );
});

const [EUROPE, ASIA] = SEED.organizations;
const ORGANIZATIONS = [EUROPE, { ...ASIA, projects: [{ id: NEW, name: "Shop" }] }] as Seed["organizations"];
testsWith({ organizations: ORGANIZATIONS }).test(
  "with several organizations, each has a directory with its programs",
  async (service) => {
    const shops = join(newDirectory(), "shops");
    const environment = { ...WITHOUT_CLI, EUROPE: KEY, ASIA: OTHER_KEY };
    const args = ["--split", shops, "--api-url", service.url, "--api-key-env-var", "EUROPE", "ASIA"];
    const again = async (...more: string[]) => await run("discover", [...args, ...more], environment);
    expect((await again()).stdout).toContain(`1 program with 6 files written to ${join(shops, "ASIA")}:\n`);
    expect(readdirSync(shops).sort()).toEqual(["ASIA", "EUROPE"]);
    expect(programsIn(join(shops, "EUROPE"))).toEqual(["shop", "shop-0c0c0c0d", "쇼핑몰"]);
    expect(namesIn(shops, "ASIA", "shop")).toEqual(["shop"]);

    service.deleteProject(SHOP);
    expect((await again("--force")).code).toBe(0);
    expect(namesIn(shops, "EUROPE", "shop-0c0c0c0d")).toEqual(["shop", "shop-web"]);
  },
);

testOnShell(
  "the stack of one of the programs gives it its names, and the others have the rest",
  async (service) => {
    const shops = join(newDirectory(), "shops");
    const site = resourceOf(`${DYNAMIC}Application`, "site", { id: WEB }, { project: "shop" });
    const environment = withStubbedCli(service, [site]);
    expect((await run("compare", ["--split", shops], environment)).code).toBe(0);
    expect(existsSync(join(shops, "shop", "import.json"))).toBe(true);
    expect(namesIn(shops, "shop")).toEqual(["shop", "links-shop-example"]);
    const all = join(newDirectory(), "shops");
    expect((await run("discover", ["--split", all], environment)).code).toBe(0);
    expect(namesIn(all, "shop")).toEqual(["shop", "site", "links-shop-example"]);
    expect(namesIn(all, "shop-0c0c0c0d")).toEqual(["shop", "shop-web"]);
  },
);
