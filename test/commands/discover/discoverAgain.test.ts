/** The command `discover`, run again: objects keep the logical names by which a stack or an import file knows them. */
import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../../testing/emulator";
import { KEY, seedWith } from "../../support/values/organizations";
import { enter, newDirectory } from "../directories";
import { filesIn, importFileIn } from "../generatedProgram";
import { largeSeed } from "../largeSeed";
import { DOMAIN, MARKET, SHOP, SHOP_PROJECT } from "../objects";
import { programStacks } from "../programStacks";
import { pulumiIn, withCli, withStubbedCli } from "../pulumiClis";
import { discover, discoverFirst, failedWith, run } from "../run";
import { DYNAMIC, NATIVE, resourceOf } from "../states";
import { testsWith } from "../testsWith";

const stackOf = programStacks();

const OLD_WEB = "0d0d0d0d-0000-4000-8000-000000000001";
const NEW_WEB = "0d0d0d0e-0000-4000-8000-000000000002";
const NEWEST_WEB = "0d0d0d0f-0000-4000-8000-000000000003";
const IOS = "0d0d0d0a-0000-4000-8000-000000000004";

const PROJECT_TYPE = `${DYNAMIC}Project`;
const APPLICATION_TYPE = `${DYNAMIC}Application`;
const NATIVE_APPLICATION_TYPE = `${NATIVE}Application`;

const TWO_WEB_APPLICATIONS = seedWith([
  {
    ...SHOP_PROJECT,
    applications: [
      { id: OLD_WEB, appType: "WEB", createdAt: "2024-01-01T00:00:00.000Z" },
      { id: NEW_WEB, appType: "WEB", createdAt: "2024-01-02T00:00:00.000Z" },
    ],
  },
]);

const { test, testOnShell, testOnCli } = testsWith(TWO_WEB_APPLICATIONS);

/** The logical name of each object, by UUID. */
function namesIn(directory: string): Record<string, string> {
  return Object.fromEntries(importFileIn(directory).resources.map(({ id, name }) => [String(id), name]));
}

test("names stay when objects are deleted, renamed and created in the service, and the import skips what the stack has", async (service) => {
  const { out, code } = await discoverFirst(service);
  expect(code).toBe(0);
  const names = {
    [SHOP]: "shop",
    [OLD_WEB]: "shop-web",
    [NEW_WEB]: "shop-web-0d0d0d0e",
    [DOMAIN]: "links-shop-example",
  };
  expect(namesIn(out)).toEqual(names);
  const stack = stackOf(out, service, { environment: { DYNAMICLINK_API_KEY: KEY } });
  await stack.importFile(importFileIn(out));

  service.deleteApplication(OLD_WEB);
  service.updateProject(SHOP, { name: "Store" });
  service.createApplication(SHOP, { id: NEWEST_WEB, appType: "WEB" });
  expect((await discover(service, out, "--force")).code).toBe(0);
  const { [OLD_WEB]: _, ...kept } = names;
  expect(namesIn(out)).toEqual({ ...kept, [NEWEST_WEB]: "shop-web-0d0d0d0f" });

  await stack.refresh();
  expect((await stack.importFile(importFileIn(out))).changes).toEqual({ same: 4, import: 1 });
  expect((await stack.up({ expectNoChanges: true })).changes).toEqual({ same: 5 });
});

test("the import file of the native plugin keeps names too, also those that are no variables", async (service) => {
  const directory = newDirectory();
  writeFileSync(join(directory, "Pulumi.yaml"), "name: shops\nruntime: yaml\n");
  const out = directory;
  const again = () => discover(service, out, "--cwd", directory, "--force");
  await again();
  const file = readFileSync(join(out, "import.json"), "utf8");
  writeFileSync(
    join(out, "import.json"),
    file.replace('"shop-web"', '"web", "logicalName": "the 1st (web)"'),
  );
  service.deleteApplication(NEW_WEB);
  expect((await again()).code).toBe(0);
  expect(importFileIn(out).resources.find(({ id }) => id === OLD_WEB)).toEqual({
    type: NATIVE_APPLICATION_TYPE,
    name: "the1stWeb",
    logicalName: "the 1st (web)",
    id: OLD_WEB,
  });
});

testsWith(largeSeed()).test("kept names lead to safe file names, whatever they contain", async (service) => {
  const { out } = await discoverFirst(service);
  const { resources } = importFileIn(out);
  const names = ["../../escape", "..\\..\\escape", "Same", "same", "\u0000", "nul"];
  const renamed = resources.map((entry, index) => ({ ...entry, name: names[index] ?? entry.name }));
  writeFileSync(join(out, "import.json"), JSON.stringify({ resources: renamed }));
  expect((await discover(service, out, "--force", "--json")).code).toBe(0);
  expect(importFileIn(out).resources.map(({ name }) => name)).toEqual(renamed.map(({ name }) => name));
  const files = readFileSync(join(out, "index.ts"), "utf8").match(/(?<=import ").*(?=";)/g) ?? [];
  expect(files.slice(0, names.length)).toEqual([
    "./project-escape.ts",
    expect.stringMatching(/^\.\/project-escape-[0-9a-f]{8}\.ts$/),
    "./project-same.ts",
    expect.stringMatching(/^\.\/project-same-[0-9a-f]{8}\.ts$/),
    "./project-project.ts",
    "./project-nul.ts",
  ]);
  expect(new Set(files).size).toBe(40);
});

test("an earlier import file with a merge conflict is an error, also with --force", async (service) => {
  const text = '<<<<<<< ours\n{"resources": []}\n=======\n';
  const out = newDirectory();
  const file = join(out, "import.json");
  writeFileSync(file, text);
  expect(await discover(service, out, "--force")).toEqual(
    failedWith(
      `${file} is not an import file, so the logical names of its objects are unknown. Restore it, for example from version control. If nothing was imported from it, delete it; all objects then get new names.`,
    ),
  );
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(existsSync(join(out, "index.ts"))).toBe(false);
});

test("an object that no program can declare any more stays in the program: nothing is written without it", async (service) => {
  const appleInfo = { appName: "Shop", appScheme: "shop", bundleId: "example.shop" };
  service.createApplication(SHOP, { id: IOS, appType: "IOS", appleInfo });
  const { out } = await discoverFirst(service);
  const before = filesIn(out);
  service.updateApplication(IOS, { appleInfo: { ...appleInfo, bundleId: null } });
  const { code, stdout, stderr } = await discover(service, out, "--force");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(
    `error: ${join(out, "import.json")} has 1 object that no program can declare any more, so nothing was written: \`pulumi up\` would delete it. application ${IOS} cannot be imported: appleInfo.bundleId is required`,
  );
  expect(stderr).toMatch(/ Correct it in the service first\.\n$/);
  expect(filesIn(out)).toEqual(before);
});

test("a domain that is being deleted leaves the program", async (service) => {
  const { out } = await discoverFirst(service);
  service.setDomainStatus(DOMAIN, "DELETING");
  expect((await discover(service, out, "--force")).code).toBe(2);
  expect(namesIn(out)).not.toHaveProperty([DOMAIN]);
});

describe("in a selected stack", () => {
  testOnShell(
    "the state of either host counts more than the import file, and no name in it is reused",
    async (service) => {
      const { out } = await discoverFirst(service);
      const names = await namesWith(service, out, [
        resourceOf(PROJECT_TYPE, "main/project", { id: SHOP }),
        resourceOf(APPLICATION_TYPE, "shop-web", { id: NEW_WEB }),
        resourceOf(NATIVE_APPLICATION_TYPE, "shop-web-0d0d0d0d", {
          id: "0d0d0d0d-0000-4000-8000-00000000dead",
        }),
      ]);
      expect(names).toEqual({
        [SHOP]: "main/project",
        [OLD_WEB]: "main/project-web",
        [NEW_WEB]: "shop-web",
        [DOMAIN]: "links-shop-example",
      });
    },
  );

  testOnShell("a stack of another program counts less than the import file", async (service) => {
    const { out } = await discoverFirst(service, "--project", SHOP);
    service.createProject(service.state.organizations[0]?.id ?? "", { id: MARKET, name: "Market" });
    const names = await namesWith(service, out, [
      resourceOf(PROJECT_TYPE, "theirs", { id: SHOP }, { project: "another" }),
      resourceOf(PROJECT_TYPE, "bazaar", { id: MARKET }, { project: "another" }),
    ]);
    expect(names).toMatchObject({ [SHOP]: "shop", [MARKET]: "bazaar" });
  });

  testOnShell("an import file alone is for the program of whatever stack is selected", async (service) => {
    const { out } = await discoverFirst(service);
    writeFileSync(join(out, "Pulumi.yaml"), "name: another\nruntime: yaml\n");
    const theirs = resourceOf(`${NATIVE}Project`, "theirs", { id: SHOP }, { project: "another" });
    const args = ["--out", out, "--cwd", out, "--force"];
    expect((await run("discover", args, withStubbedCli(service, [theirs]))).code).toBe(0);
    expect(namesIn(out)).toMatchObject({ [SHOP]: "theirs", [DOMAIN]: "links-shop-example" });
  });

  testOnShell(
    "what the stack has in a component or for the other host moves by its URN and is not imported twice",
    async (service) => {
      const out = join(newDirectory(), "estate");
      const urn = `urn:pulumi:test::estate::acme:index:Team$${APPLICATION_TYPE}::site`;
      const native = resourceOf(NATIVE_APPLICATION_TYPE, "app", { id: NEW_WEB });
      const names = await namesWith(service, out, [
        resourceOf(PROJECT_TYPE, "shop", { id: SHOP }),
        { ...resourceOf(APPLICATION_TYPE, "site", { id: OLD_WEB }), urn },
        native,
      ]);
      expect(names).toEqual({ [SHOP]: "shop", [DOMAIN]: "links-shop-example" });
      const program = readFileSync(join(out, "index.ts"), "utf8");
      expect([...program.matchAll(/aliases: \["(.*)"\]/g)].map(([, alias]) => alias)).toEqual([
        urn,
        `urn:pulumi:test::estate::${NATIVE_APPLICATION_TYPE}::app`,
      ]);
    },
  );

  testOnShell(
    "a program of its own reports how many objects the selected stack has already",
    async (service) => {
      const environment = withStubbedCli(service, [
        resourceOf(PROJECT_TYPE, "shop", { id: SHOP }),
        resourceOf(NATIVE_APPLICATION_TYPE, "web", { id: NEW_WEB }),
        resourceOf(APPLICATION_TYPE, "read", { id: OLD_WEB, external: true }),
      ]);
      const out = newDirectory();
      const report =
        "The stack has 2 of these objects already. In a program of their own, they would be managed more than once: use `pulumi-dynamiclink compare` with --out to write only what no stack manages.\n";
      const { stderr } = await run("discover", ["--out", join(out, "estate")], environment);
      expect(stderr).toContain(report);
      const own = await run("discover", ["--out", out, "--cwd", out], environment);
      expect(own.stderr).not.toContain("already");
      expect(own.stdout).not.toContain("stack select");
      enter(join(out, "estate"));
      const above = await run("discover", ["--out", "..", "--cwd", "..", "--force"], environment);
      expect(above.stdout).toContain(`5 files written to ${realpathSync(out)}.\n`);
    },
  );

  testOnShell("a resource that only reads an object keeps its name to itself", async (service) => {
    const out = join(newDirectory(), "estate");
    const names = await namesWith(service, out, [
      resourceOf(PROJECT_TYPE, "shop", { id: SHOP, external: true }),
    ]);
    expect(names).toMatchObject({ [SHOP]: "shop-0c0c0c0c" });
  });

  testOnShell(
    "an object leaves the component that the program does not declare, and stays in the service",
    async (service) => {
      const { out } = await discoverFirst(service);
      const { resources } = importFileIn(out);
      const stack = stackOf(out, service, { environment: { DYNAMICLINK_API_KEY: KEY } });
      const team = { type: "acme:index:Team", name: "team", component: true };
      const inTeam = resources.map((entry) => (entry.id === OLD_WEB ? { ...entry, parent: "team" } : entry));
      await stack.importFile({ resources: [team, ...inTeam] }, { protect: false });
      await namesWith(service, out, stack.exportState().deployment.resources ?? []);
      expect((await stack.up()).changes).toEqual({ same: 5, delete: 1 });
      expect(stack.exportState().deployment.resources).toContainEqual(
        expect.objectContaining({
          urn: expect.stringMatching(`estate::${APPLICATION_TYPE}::shop-web$`),
          id: OLD_WEB,
        }),
      );
    },
  );

  async function namesWith(service: Emulator, out: string, resources: readonly object[]) {
    const environment = withStubbedCli(service, resources);
    const { code } = await run("discover", ["--out", out, "--force"], environment);
    expect(code).toBe(0);
    return namesIn(out);
  }
});

testOnCli(
  "on a real CLI, names stay after deletions, and what the stack has is imported once",
  async (service) => {
    const out = join(newDirectory(), "estate");
    const environment = { ...withCli(newDirectory()), DYNAMICLINK_READ_ONLY: "1" };
    const pulumi = (...args: string[]) => pulumiIn(out, environment, args);
    await run("discover", ["--out", out, "--api-url", service.url]);
    await pulumi("stack", "init", "test");
    const importAll = () => pulumi("import", "--file", "import.json", "--generate-code=false", "--yes");
    await importAll();
    service.deleteApplication(OLD_WEB);
    service.createApplication(SHOP, { id: NEWEST_WEB, appType: "WEB" });
    await pulumi("refresh", "--yes");
    // Without the import file, the stack alone has the names.
    const again = ["--out", out, "--cwd", out, "--force"];
    writeFileSync(join(out, "import.json"), '{"resources": []}');
    expect(await run("discover", again, environment)).toMatchObject({ code: 0, stderr: "" });
    expect(namesIn(out)).toEqual({
      [SHOP]: "shop",
      [NEW_WEB]: "shop-web-0d0d0d0e",
      [NEWEST_WEB]: "shop-web",
      [DOMAIN]: "links-shop-example",
    });
    expect(await importAll()).toMatch(/= 1 imported\s+4 unchanged/);
    expect(await pulumi("preview", "--expect-no-changes")).toContain("5 unchanged");
  },
);
