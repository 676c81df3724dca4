/** The command `discover`: what it writes, what it leaves out, and how it fails. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { code as sourceText } from "../../../cli/program/programSource";
import { version } from "../../../package.json";
import type { FaultEffect, OperationId, Scope, Seed } from "../../../testing/emulator";
import { KEY, ORGANIZATION, seedWith } from "../../support/values/organizations";
import { requestCounts } from "../../support/values/requestCounts";
import { fileWith, newDirectory } from "../directories";
import { declared, FILE_NAMES, filesIn } from "../generatedProgram";
import { DOMAIN, FOREIGN, FULL_SHOP, IOS, MARKET, NONE, requestsFor, SHOP, seedOfTwo, WEB } from "../objects";
import { withStubbedCli } from "../pulumiClis";
import { discover, discoverFirst, type Environment, failedWith, run } from "../run";
import { DYNAMIC, NATIVE, providerOf, resourceOf } from "../states";
import { testsWith } from "../testsWith";

const MARKET_PROJECT = { id: MARKET, name: "Market", createdAt: "2024-01-02T00:00:00.000Z" };
// The older project is listed last.
const { test, testOnShell } = testsWith(seedOfTwo([MARKET_PROJECT, FULL_SHOP]));

const NO_STACK = "It is unknown what is managed already: with --api-url no stack is used.";
const ADD = [
  "# Add the code to your program, with the import of pulumi-dynamiclink that it has. In YAML, Python and Go, use --native instead.",
  "pulumi preview",
  "pulumi up",
  "pulumi preview --expect-no-changes",
];

/** The notes of a command that has printed something, with the commands that follow. */
function notes(...steps: readonly string[]): string {
  return `${NO_STACK}\nNext:\n${steps.map((step) => `  ${step}\n`).join("")}`;
}

const projectId = sourceText("shop.id");
const SHOP_CODE = [
  declared("project", "shop", SHOP, { variable: "shop", name: "Shop" }),
  declared("application", "shop-web", WEB, { projectId, appType: "WEB" }),
  declared("customDomain", "links-shop-example", DOMAIN, { projectId, hostname: "links.shop.example" }),
];
const MARKET_CODE = declared("project", "market", MARKET, { variable: "market", name: "Market" });
const IMPORT = 'import { Application, CustomDomain, Project } from "pulumi-dynamiclink";\n';

test("without arguments, it prints a program for the whole organization, and the commands that follow", async (service) => {
  expect(await discover(service)).toEqual({
    code: 0,
    stdout: [IMPORT, ...SHOP_CODE, MARKET_CODE].join("\n"),
    stderr: notes(...ADD),
  });
  expect(requestCounts(service)).toEqual(requestsFor(2));
});

test.each<[string, readonly string[], readonly string[], Record<string, number>]>([
  ["a project is written with what is in it", [SHOP], [IMPORT, ...SHOP_CODE], { getProject: 1 }],
  [
    "a single object has the UUID of its project",
    [WEB.toUpperCase(), WEB],
    [
      'import { Application } from "pulumi-dynamiclink";\n',
      declared("application", "application-web", WEB, { projectId: SHOP, appType: "WEB" }),
    ],
    { getProject: 1, getApplication: 1 },
  ],
  [
    "an object of a selected project is written once",
    [DOMAIN, SHOP],
    [IMPORT, ...SHOP_CODE],
    { getProject: 2, getApplication: 1, getCustomDomain: 1, listApplications: 1, listCustomDomains: 1 },
  ],
])("%s", async (service, _, uuids, program, requests) => {
  expect(await discover(service, ...uuids)).toMatchObject({ code: 0, stdout: program.join("\n") });
  expect(requestCounts(service)).toMatchObject(requests);
});

test.each([
  ["an object that no organization has", NONE],
  ["an object of another organization", FOREIGN],
])("%s is an error, and nothing is printed", async (service, _, uuid) => {
  expect(await discover(service, SHOP, uuid)).toEqual(
    failedWith(
      `Organization ${ORGANIZATION} has no object with the UUID ${uuid}. If a Provider of the stack has another key, name it with --provider. If it was created a moment ago, run this again in a minute.`,
    ),
  );
});

test("--out writes a project, with the settings that it was read with", async (service) => {
  const { out, code, stdout, stderr } = await discoverFirst(service, "--json");
  const steps = [`cd ${out}`, "npm install", "pulumi stack select --create <name>", ...ADD.slice(1)];
  expect({ code, stderr }).toEqual({ code: 0, stderr: notes(...steps) });
  expect(JSON.parse(stdout)).toEqual({
    ...{ organizationId: ORGANIZATION, stack: null, managed: 0, leftOut: [], elsewhere: [], notRead: [] },
    objects: [
      { kind: "project", name: "shop", uuid: SHOP },
      { kind: "project", name: "market", uuid: MARKET },
      { kind: "application", name: "shop-web", uuid: WEB },
      { kind: "customDomain", name: "links-shop-example", uuid: DOMAIN },
    ],
    ...{ directory: out, files: FILE_NAMES },
  });
  const files = filesIn(out);
  expect(Object.keys(files)).toEqual(FILE_NAMES.toSorted());
  const comment = `// Objects of organization ${ORGANIZATION}.\n`;
  expect(files["index.ts"]).toBe([comment, IMPORT, ...SHOP_CODE, MARKET_CODE].join("\n"));
  expect(files["Pulumi.yaml"]).toContain(`dynamiclink:apiUrl:\n    value: ${service.url}`);
});

testsWith(seedOfTwo([{ ...FULL_SHOP, name: "1st" }, MARKET_PROJECT])).test(
  "--native writes an import file, in which the names of variables differ among all kinds",
  async (service) => {
    const { code, stdout, stderr } = await discover(service, SHOP, MARKET, "--native");
    const project = "dynamiclink:index:Project";
    expect({ code, resources: JSON.parse(stdout).resources }).toEqual({
      code: 0,
      resources: [
        { type: project, name: "project1st", logicalName: "1st", id: SHOP },
        { type: project, name: "market", id: MARKET },
        { type: "dynamiclink:index:Application", name: "project1stWeb", logicalName: "1st-web", id: WEB },
        {
          ...{ type: "dynamiclink:index:CustomDomain", id: DOMAIN },
          ...{ name: "linksShopExample", logicalName: "links-shop-example" },
        },
      ],
    });
    expect(stderr).toBe(
      notes(
        "# Save the output as import.json.",
        "pulumi import --file ./import.json --out imported.txt",
        "# Move the code from imported.txt to your program.",
        ...["pulumi preview", "pulumi up", "pulumi preview --expect-no-changes"],
      ),
    );
    const { out } = await discoverFirst(service, "--native");
    expect(readdirSync(out)).toEqual(["import.json"]);
  },
);

/** A stack that has the project Shop under another name, and reads the other project. */
const IN_STACK = [
  resourceOf(`${NATIVE}Project`, "market", { id: SHOP }),
  resourceOf(`${DYNAMIC}Application`, "read", { id: WEB, external: true }),
];

testOnShell("what the stack manages is left out and counted; its names are not reused", async (service) => {
  const environment = withStubbedCli(service, IN_STACK);
  const { code, stdout, stderr } = await run("discover", ["--stack", "test"], environment);
  const inShop = { projectId: SHOP };
  const program = [
    declared("project", "market-0c0c0c0c", MARKET, { variable: "market0c0c0c0c", name: "Market" }),
    declared("application", "market-web", WEB, { ...inShop, appType: "WEB" }),
    declared("customDomain", "links-shop-example", DOMAIN, { ...inShop, hostname: "links.shop.example" }),
  ];
  expect({ code, stdout }).toEqual({ code: 0, stdout: [IMPORT, ...program].join("\n") });
  expect(stderr).toMatch(
    /^Left out, because stack test manages them: 1 object\. What other stacks .*\nNext:\n/,
  );
  expect(stderr).toContain("  pulumi up --stack test\n");

  const whole = withStubbedCli(service, [resourceOf(`${NATIVE}Project`, "market", { id: MARKET })]);
  expect(await run("discover", [MARKET], whole)).toEqual({
    code: 0,
    stdout: "",
    stderr: `Left out, because stack test manages them: 1 object.\nOrganization ${ORGANIZATION}: nothing to adopt.\n`,
  });
});

testOnShell("--provider reads with the settings of a provider, which the code uses", async (service) => {
  const settings = { apiKeyEnvVar: "TEAM_KEY", apiUrl: service.url };
  const provider = providerOf("dynamic", "team-a", settings);
  const environment = { ...withStubbedCli(service, [provider]), TEAM_KEY: KEY, DYNAMICLINK_API_KEY: "wrong" };
  const { code, stdout } = await run("discover", [MARKET, "--provider", "team-a"], environment);
  expect(code).toBe(0);
  expect(stdout).toContain("// teamA is the provider with that name in your program.\n");
  expect(stdout).toContain(`{ import: "${MARKET}", provider: teamA }`);
  const native = await run("discover", [MARKET, "--native", "--provider", provider.urn], environment);
  expect(JSON.parse(native.stdout)).toMatchObject({
    nameTable: { teamA: provider.urn },
    resources: [{ name: "market", provider: "teamA" }],
  });
  // A project of its own has the settings in its configuration.
  const out = join(newDirectory(), "own");
  const own = await run("discover", [MARKET, "--provider", "team-a", "--out", out], environment);
  expect(own.stderr).not.toContain("export");
  expect(filesIn(out)["Pulumi.yaml"]).toContain("dynamiclink:apiKeyEnvVar:\n    value: TEAM_KEY");
  expect(filesIn(out)["index.ts"]).not.toContain("teamA");
  const withKey = withStubbedCli(service, [providerOf("native", "b", { apiKey: KEY, apiUrl: service.url })]);
  const other = await run("discover", ["--provider", "b", "--out", join(out, "b")], withKey);
  const keyStep = `  export DYNAMICLINK_API_KEY=…  # The key of organization ${ORGANIZATION}\n`;
  expect(other.stderr).toContain(keyStep);
});

const ODD: Seed = seedWith([
  {
    ...FULL_SHOP,
    applications: [
      { id: IOS, appType: "IOS", appleInfo: { appName: "Shop" }, createdAt: "2024-01-01T00:00:00.000Z" },
      { id: WEB, appType: "ANDROID", createdAt: "2024-01-02T00:00:00.000Z" },
    ],
    customDomains: [{ id: DOMAIN, hostname: "links.shop.example", lifecycleStatus: "DELETING" }],
  },
  { id: MARKET, name: `For ${KEY}` },
]);

const { test: testOnOdd } = testsWith(ODD);

testOnOdd("what an existing application lacks of a new one is declared as null", async (service) => {
  const { stdout } = await discover(service);
  expect(stdout).toMatch(/appleInfo: {\s+appName: "Shop",\s+appScheme: null,\s+bundleId: null,\s+},/);
  expect(stdout).toContain(`appType: "ANDROID",\n    androidInfo: null,\n`);
});

testOnOdd("what no program can declare is left out and listed with the reason", async (service) => {
  const { code, stdout, stderr } = await discover(service, "--json");
  expect([code, JSON.parse(stdout)]).toMatchObject([
    2,
    {
      objects: [{ uuid: SHOP }, { uuid: IOS }, { uuid: WEB }],
      leftOut: [
        { kind: "project", uuid: MARKET, reason: expect.stringMatching(/^it contains the API key\./) },
        { kind: "customDomain", uuid: DOMAIN, name: "links.shop.example", reason: "it is being deleted" },
      ],
    },
  ]);
  expect(stderr).toContain(
    `warning: 1 object left out, because it is being deleted:\n  custom domain links.shop.example (${DOMAIN})\n`,
  );
});

test("without scopes, what cannot be read is reported, and the exit code is 2", async (service) => {
  service.setScopes(KEY, ["projects:read"]);
  const { code, stdout, stderr } = await discover(service);
  expect([code, stdout]).toEqual([2, expect.stringContaining(MARKET_CODE)]);
  expect(stderr).toContain("warning: No applications were read. The API key canary… lacks");
});

test.each<[string, string | undefined, OperationId, FaultEffect]>([
  ["whose contents are not found yet", undefined, "listApplications", { status: 404 }],
  ["whose contents are not listed yet", undefined, "listApplications", { body: { applications: [] } }],
  ["that is listed and not found yet", "the UUID", "getProject", { status: 404 }],
])("a new project, %s, is written with a warning", async (service, _, uuid, operation, effect) => {
  const { id } = service.createProject(ORGANIZATION, { name: "New" });
  service.inject({ operation, match: ({ path }) => path.includes(id), effect });
  const { code, stdout, stderr } = await discover(service, ...(uuid === undefined ? [] : [id]));
  expect([code, stdout]).toEqual([2, expect.stringContaining(`import: "${id}"`)]);
  const warning = `^warning: Project ${id} was created a moment ago, so .*\\n${NO_STACK}\\n`;
  expect(stderr).toMatch(new RegExp(warning));
});

test.each<[readonly Scope[], string]>([
  [[], "projects:write, applications:write and domains:write"],
  [["projects:write", "applications:write"], "domains:write"],
])("with the write scopes %j only, the commands say how to use the key", async (service, scopes, missing) => {
  service.setScopes(KEY, ["projects:read", "applications:read", "domains:read", ...scopes]);
  const hint = `export DYNAMICLINK_READ_ONLY=1  # This key lacks ${missing}. Adopting only reads.`;
  const end = `${UNSET}, which needs another key`;
  expect((await discover(service)).stderr).toBe(notes(hint, ...ADD, end));
});

const UNSET = "unset DYNAMICLINK_READ_ONLY  # Before the first change";

testOnShell.each<[string, object, Environment, readonly string[], readonly string[]]>([
  [
    "read-only mode is turned off at the end, where it is turned on",
    { readOnly: true },
    {},
    [],
    ["# Before the first change, turn off readOnly of the configuration of stack test."],
  ],
  ["the variable is unset at the end", {}, { DYNAMICLINK_READ_ONLY: "1" }, [], [UNSET]],
  [
    "the settings file and the directory are those of the command",
    {},
    {},
    ["--native", "--config-file", "Pulumi.ci.yaml", "--cwd", "."],
    [
      `pulumi import --file ${resolve("import.json")} --out imported.txt --cwd . --config-file Pulumi.ci.yaml`,
      "pulumi up --cwd . --config-file Pulumi.ci.yaml",
    ],
  ],
])("in the commands that follow, %s", async (service, _, settings, more, args, expected) => {
  const { stderr } = await run("discover", args, { ...withStubbedCli(service, [], settings), ...more });
  for (const line of expected) expect(stderr).toContain(`\n  ${line}\n`);
});

testsWith(seedWith()).test("an organization without objects is a note", async (service) => {
  const { out, ...ended } = await discoverFirst(service);
  const stderr = `${NO_STACK}\nOrganization ${ORGANIZATION}: nothing to adopt.\n`;
  for (const each of [ended, await discover(service)]) expect(each).toEqual({ code: 0, stdout: "", stderr });
  expect(existsSync(out)).toBe(false);
});

test.each<[string, () => readonly string[], RegExp]>([
  ["a text that is not a UUID", () => ["shop"], /^error: UUID 1: .*UUID/],
  ["UUIDs and a state", () => [SHOP, "--terraform-state", "-"], /UUIDs or --terraform-state, not both/],
  ["a state that does not exist", () => ["--terraform-state", "absent.tfstate"], /There is no file absent/],
  ["a directory with a file", () => ["--out", dirname(fileWith(""))], /is not empty, so nothing was written/],
])("%s is refused before any request", async (service, _, argsOf, message) => {
  expect(await discover(service, ...argsOf())).toEqual(failedWith(message));
  expect(service.requests).toEqual([]);
});

const START = process.cwd();
afterEach(() => process.chdir(START));

test.each([
  ["file:../pulumi-dynamiclink-0.4.0.tgz", "file:../../pulumi-dynamiclink-0.4.0.tgz"],
  ["https://packages.example/pulumi-dynamiclink.tgz", "https://packages.example/pulumi-dynamiclink.tgz"],
  ["npm:@mirror/pulumi-dynamiclink@^0.4.0", "npm:@mirror/pulumi-dynamiclink@^0.4.0"],
  ["^0.3.0", `^${version}`],
  ["workspace:*", `^${version}`],
])("where the package is installed as %s, the program has %s", async (service, installed, written) => {
  const directory = newDirectory();
  mkdirSync(join(directory, "inside"));
  const ownPackage = { devDependencies: { "pulumi-dynamiclink": installed } };
  writeFileSync(join(directory, "package.json"), JSON.stringify(ownPackage));
  writeFileSync(join(directory, "inside", "package.json"), "{}");
  process.chdir(join(directory, "inside"));
  const out = join(directory, "organization");
  await discover(service, MARKET, "--out", out);
  const { dependencies } = JSON.parse(filesIn(out)["package.json"] ?? "");
  expect(dependencies["pulumi-dynamiclink"]).toBe(written);
});
