/** Imports into a stack that has resources: references to them, providers that parents pass on, and what is rejected. */
import { join } from "node:path";
import type { Emulator } from "../../../testing/emulator";
import { KEY, ORGANIZATION, OTHER_KEY } from "../../support/values/organizations";
import { fileWith, newDirectory } from "../directories";
import { importFileAt, writeProgram } from "../generatedProgram";
import { DOMAIN, FOREIGN, MARKET, SHOP, SHOP_PROJECT, seedOfTwo, WEB } from "../objects";
import { programStacks } from "../programStacks";
import { withStubbedCli } from "../pulumiClis";
import { failedWith, run } from "../run";
import { DYNAMIC, providerOf, resourceOf } from "../states";
import { requestCounts, testsWith } from "../testsWith";

const stackOf = programStacks();

const PROVIDER_TEXT = 'exports.handler=()=>require("pulumi-dynamiclink/provider").project';
const OTHER_DOMAIN = "0e0e0e0e-0000-4000-8000-000000000002";
const PROJECT = `${DYNAMIC}Project`;
const EU = "urn:pulumi:test::estate::pulumi:providers:pulumi-nodejs::eu";
const STACK = "urn:pulumi:test::estate::pulumi:pulumi:Stack::estate-test";

const SEED = seedOfTwo([
  SHOP_PROJECT,
  { id: MARKET, name: "Market", customDomains: [{ id: OTHER_DOMAIN, hostname: "market.example" }] },
]);

const { testOnShell } = testsWith(SEED);

/** A provider in the state, with a key of its own. */
function providerIn({ url }: Emulator, name: string, apiKey: string) {
  return providerOf("dynamic", name, { apiKey, apiUrl: url });
}

function resource(type: string, name: string, more: object = {}) {
  return resourceOf(type, name, { parent: STACK, ...more });
}

const stack = { urn: STACK, type: "pulumi:pulumi:Stack" };
const shop = resource(PROJECT, "the shop", { id: SHOP });

function out(): string[] {
  return ["--out", join(newDirectory(), "import.json")];
}

testOnShell("--skip-existing skips what the stack has already, and imports the rest", async (service) => {
  const list = fileWith(`type,name,uuid\nproject,again,${SHOP}\ncustomDomain,links,${DOMAIN}\n`, "list.csv");
  const [, file = ""] = out();
  const environment = withStubbedCli(service, [stack, shop]);
  const args = ["--file", list, "--skip-existing", "--yes"];
  const ended = await run("import", [...args, "--out", file], environment);
  expect([ended.code, ended.stderr]).toEqual([
    0,
    expect.stringContaining("Skipped: 1 object that the stack has already.\n"),
  ]);
  expect(importFileAt(file).resources.map(({ id }) => id)).toEqual([DOMAIN]);
  const nothing = resource(`${DYNAMIC}CustomDomain`, "links", { id: DOMAIN });
  const again = await run("import", args, withStubbedCli(service, [stack, shop, nothing]));
  expect(again).toEqual({ code: 0, stdout: "", stderr: "Skipped: 2 objects that the stack has already.\n" });
});

testOnShell("the key of another organization than that of the stack is refused", async (service) => {
  const outputs = { __organization: ORGANIZATION };
  const provider = `${providerOf("dynamic", "default", {}).urn}::an-id`;
  const environment = withStubbedCli(service, [stack, { ...shop, outputs, provider }]);
  const foreign = { ...environment, DYNAMICLINK_API_KEY: OTHER_KEY };
  expect(await run("import", ["project", "x", FOREIGN, ...out()], foreign)).toEqual(
    failedWith(
      /^error: The stack has the shop of organization \S+, but the API key belongs to organization /,
    ),
  );
  expect(requestCounts(service)).toEqual({ getCurrentApiCredential: 1 });
});

describe("the code refers to the projects of the stack", () => {
  testOnShell("by their variables, never by UUID", async (service) => {
    const list = fileWith(
      `type,name,uuid\napplication,web,${WEB}\ncustomDomain,links,${DOMAIN}\nproject,the-shop,${MARKET}\ncustomDomain,market,${OTHER_DOMAIN}\n`,
      "list.csv",
    );
    const environment = withStubbedCli(service, [stack, shop]);
    const { code, stdout } = await run("import", ["--file", list, ...out()], environment);
    expect([code, stdout.match(/(?<=projectId: ).*(?=,)/g)]).toEqual([
      0,
      ["theShop.id", "theShop.id", "theShopProject.id"],
    ]);
    expect(stdout).toContain(`\n//   theShop: Project "the shop", ${SHOP}\n\nimport `);
    expect(stdout).toContain('\nconst theShopProject = new Project(\n  "the-shop",');
  });

  testOnShell("by UUID only if the stack does not have the project", async (service) => {
    const environment = withStubbedCli(service, [stack, resource(PROJECT, "market", { id: MARKET })]);
    expect(await run("import", ["application", "web", WEB, ...out()], environment)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`projectId: "${SHOP}"`),
    });
  });
});

testOnShell("the printed code changes nothing in a program that declares the project", async (service) => {
  const directory = newDirectory();
  const program =
    'import { Project } from "pulumi-dynamiclink";\nconst theShop = new Project("the shop", { name: "Shop" });\n';
  writeProgram(directory, program);
  const stack = stackOf(directory, service);
  const inputs = { name: "Shop", __provider: PROVIDER_TEXT };
  const outputs = { ...inputs, __organization: ORGANIZATION };
  await stack.importFile(
    { resources: [{ type: PROJECT, name: "the shop", id: SHOP, inputs, outputs }] },
    { protect: false },
  );
  const { resources = [] } = stack.exportState().deployment;
  const file = join(directory, "import.json");
  const args = ["application", "web", WEB, "--out", file];
  const { stdout } = await run("import", args, withStubbedCli(service, resources));
  expect(stdout).toContain("projectId: theShop.id");
  writeProgram(directory, program + stdout);
  await stack.importFile(importFileAt(file));
  await stack.preview({ expectNoChanges: true });
});

testOnShell(
  "a name that another resource of the stack has is rejected, unless it has another parent",
  async (service) => {
    const team = resource("acme:index:Team", "team");
    const below = { ...resource(PROJECT, "market", { id: FOREIGN }), parent: team.urn };
    // A resource that only reads an object does not have it.
    const read = resource(PROJECT, "read", { id: MARKET, external: true });
    const environment = withStubbedCli(service, [stack, shop, team, below, read]);
    const importNamed = async (...args: string[]) => await run("import", [...args, ...out()], environment);
    expect(await importNamed("project", "the shop", MARKET)).toEqual(
      failedWith(`The stack already has a project with the name the shop: ${shop.urn}. Choose another name.`),
    );
    expect(await importNamed("project", "market", MARKET, "--parent", "team")).toMatchObject({
      code: 1,
      stderr: `error: The stack already has a project with the name market: ${below.urn}. Choose another name.\n`,
    });
    expect(service.requests).toEqual([]);
    expect(await importNamed("project", "market", MARKET)).toMatchObject({ code: 0 });
    expect(await importNamed("project", "the shop", MARKET, "--parent", "team")).toMatchObject({ code: 0 });
    expect(await importNamed("application", "the shop", WEB)).toMatchObject({ code: 0 });
  },
);

describe("an object is imported with the provider that its parent passes on", () => {
  testOnShell("if it has none of its own", async (service) => {
    const parent = resource(PROJECT, "parent", { id: MARKET, provider: `${EU}::eu-id` });
    const environment = withStubbedCli(service, [stack, providerIn(service, "eu", OTHER_KEY), parent]);
    const file = join(newDirectory(), "import.json");
    const args = ["project", "elsewhere", FOREIGN, "--parent", "parent", "--out", file];
    const { code, stdout } = await run("import", args, environment);
    expect([code, stdout]).toEqual([0, expect.stringContaining("    parent: parent,\n    provider: eu,\n")]);
    expect(stdout).toContain('\n//   parent: Project "parent"\n//   eu: Provider "eu"\n\n');
    expect(importFileAt(file)).toMatchObject({
      nameTable: { eu: EU },
      resources: [{ name: "elsewhere", parent: "parent", provider: "eu" }],
    });
  });

  testOnShell("unless it has one of its own", async (service) => {
    const parent = resource(PROJECT, "parent", { id: FOREIGN, provider: `${EU}::eu-id` });
    const environment = withStubbedCli(service, [
      stack,
      providerIn(service, "eu", OTHER_KEY),
      providerIn(service, "us", KEY),
      parent,
    ]);
    const args = ["project", "shop", SHOP, "--parent", "parent", "--provider", "us", ...out()];
    expect(await run("import", args, environment)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("    parent: parent,\n    provider: us,\n    protect: true,\n"),
    });
  });

  testOnShell("also if the parent is in the same list", async (service) => {
    const list = fileWith(
      `type,name,uuid,parent,provider\ncustomDomain,links,${DOMAIN},shop,\nproject,shop,${SHOP},,us\n`,
      "list.csv",
    );
    const environment = {
      ...withStubbedCli(service, [stack, providerIn(service, "us", KEY)]),
      DYNAMICLINK_API_KEY: OTHER_KEY,
    };
    expect(await run("import", ["--file", list, ...out()], environment)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("    parent: shop,\n    provider: us,\n    protect: true,\n"),
    });
  });
});
