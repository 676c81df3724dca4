/** The command `import`: what it reads and rejects, what it writes, and how a stack imports it. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { code as sourceText } from "../../../cli/program/programSource";
import type { Emulator } from "../../../testing/emulator";
import { KEY, ORGANIZATION, OTHER_KEY } from "../../support/values/organizations";
import { enter, fileWith, newDirectory } from "../directories";
import { declared, importFileAt, writeProgram } from "../generatedProgram";
import { ABSENT, DOMAIN, FOREIGN, IOS, SHOP, SHOP_PROJECT, seedOfTwo } from "../objects";
import { programStacks } from "../programStacks";
import { pulumiIn, withCli, withStubbedCli } from "../pulumiClis";
import { failedWith, run } from "../run";
import { requestCounts, testsWith } from "../testsWith";

const stackOf = programStacks();

const BROKEN = "0d0d0d0d-0000-4000-8000-000000000003";
const FAILED = "0e0e0e0e-0000-4000-8000-000000000002";
const DELETING = "0e0e0e0e-0000-4000-8000-000000000003";
const TEAM = "urn:pulumi:test::shops::acme:index:Team::my-team";
const EU = "urn:pulumi:test::shops::pulumi:providers:pulumi-nodejs::eu";
const TYPE = "pulumi-nodejs:dynamic/dynamiclink:Project";
/** A secret in a state. */
const ENCRYPTED = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ciphertext: "AAAB",
};

const IOS_INPUTS = {
  appType: "IOS",
  appleInfo: { appName: "Shop", appScheme: "shop", bundleId: "example.shop" },
} as const;

const SEED = seedOfTwo(
  [
    {
      ...SHOP_PROJECT,
      applications: [
        { id: IOS, ...IOS_INPUTS },
        { id: BROKEN, appType: "ANDROID", androidInfo: { appName: "Shop" } },
      ],
      customDomains: [
        { id: DOMAIN, hostname: "Links.Shop.example" },
        { id: FAILED, hostname: "failed.shop.example", lifecycleStatus: "FAILED" },
        { id: DELETING, hostname: "deleting.shop.example", lifecycleStatus: "DELETING" },
      ],
    },
  ],
  ["projects:read", "applications:read", "domains:read"],
);

const { test, testOnShell, testOnCli } = testsWith(SEED);

const WHOLE_LIST = `type,name,uuid\ncustomDomain,links,${DOMAIN}\nproject,shop,${SHOP}\napplication,shop-ios,${IOS.toUpperCase()}\n`;

const WHOLE_PROGRAM = [
  'import { Application, CustomDomain, Project } from "pulumi-dynamiclink";\n',
  declared("project", "shop", { name: "Shop" }, { variable: "shop" }),
  declared("application", "shop-ios", { projectId: sourceText("shop.id"), ...IOS_INPUTS }),
  declared("customDomain", "links", { projectId: sourceText("shop.id"), hostname: "links.shop.example" }),
].join("\n");

function importInto(service: Emulator, out: string, ...args: string[]) {
  return run("import", [...args, "--out", out, "--api-url", service.url]);
}

test("a list leads to an import file and a program that match, with read scopes only", async (service) => {
  const directory = newDirectory();
  writeFileSync(join(directory, "list.csv"), WHOLE_LIST);
  const out = join(directory, "import.json");
  const { code, stdout, stderr } = await importInto(service, out, "--file", join(directory, "list.csv"));
  expect(code).toBe(0);
  expect(stdout).toBe(WHOLE_PROGRAM);
  expect(stderr).toContain(
    `The import file is ${out}. Import it with: pulumi import --file ${out} --generate-code=false --protect=true`,
  );
  expect(stderr).toContain("Run it before you destroy anything");
  expect(requestCounts(service)).toEqual({
    getCurrentApiCredential: 1,
    getProject: 1,
    getApplication: 1,
    getCustomDomain: 1,
  });

  writeProgram(directory, stdout);
  const stack = stackOf(directory, service);
  expect((await stack.importFile(importFileAt(out))).changes).toEqual({ create: 1, import: 3 });
  await stack.preview({ expectNoChanges: true });
  await stack.refresh({ expectNoChanges: true });
});

test("a single object is imported under a parent and a provider that are given by URN", async (service) => {
  const out = join(newDirectory(), "import.json");
  const { code, stdout } = await importInto(
    service,
    out,
    ...["project", "shop", SHOP, "--parent", TEAM, "--provider", EU, "--no-protect"],
  );
  expect(code).toBe(0);
  expect(
    stdout,
  ).toBe(`// The code uses these resources of your program. Assign them to variables with these names, or use yours:
//   myTeam: Team "my-team"
//   eu: Provider "eu"

import { Project } from "pulumi-dynamiclink";

${declared("project", "shop", { name: "Shop" }, { options: { parent: sourceText("myTeam"), provider: sourceText("eu") } })}`);
  expect(importFileAt(out)).toMatchObject({
    nameTable: { "my-team": TEAM, eu: EU },
    resources: [{ type: TYPE, name: "shop", id: SHOP, parent: "my-team", provider: "eu" }],
  });
});

const KEPT_ELSEWHERE =
  "Provider eu is not in the stack yet and has its API key as an argument, which must not be written to a file. Deploy the provider first, or use apiKeyEnvVar.";
test.each<[string, object, string, string?]>([
  ["an encrypted key", { "dynamiclink:apiKey": ENCRYPTED }, KEPT_ELSEWHERE],
  ["a key in plain text", { "dynamiclink:apiKey": OTHER_KEY }, KEPT_ELSEWHERE],
  ["a key in plain text, of native resources", { apiKey: OTHER_KEY }, KEPT_ELSEWHERE, "dynamiclink"],
  [
    "another encrypted setting",
    { "dynamiclink:apiUrl": ENCRYPTED },
    "apiUrl of provider eu is encrypted and cannot be read here. Deploy the provider first.",
  ],
])(
  "a preview file's provider with %s is rejected, without a fallback",
  async (service, _, inputs, message, plugin = "pulumi-nodejs") => {
    const eu = { type: `pulumi:providers:${plugin}`, name: "eu", inputs };
    const type = plugin === "pulumi-nodejs" ? TYPE : "dynamiclink:index:Project";
    const shop = { type, name: "shop", id: SHOP, provider: "eu" };
    const file = fileWith({ resources: [eu, shop] });
    expect(await importInto(service, join(newDirectory(), "import.json"), "--from-preview", file)).toEqual(
      failedWith(message),
    );
    expect(service.requests).toEqual([]);
  },
);

test("a domain that is FAILED is imported with a warning", async (service) => {
  const { code, stderr } = await importInto(
    service,
    join(newDirectory(), "x.json"),
    "customDomain",
    "failed",
    FAILED,
  );
  expect(code).toBe(2);
  expect(stderr).toContain(
    `warning: custom domain ${FAILED} is FAILED: it is declared, but serves no links.`,
  );
});

describe("import fails with one line for each problem and writes nothing for", () => {
  test.each([
    ["a slug", ["project", "shop", "my-shop"], "project shop: uuid must be a UUID.", 0],
    [
      "an unknown UUID",
      ["project", "shop", ABSENT],
      new RegExp(`^error: There is no project ${ABSENT} in organization ${ORGANIZATION}\\. `),
      3,
    ],
    [
      "an application that cannot be declared",
      ["application", "broken", BROKEN],
      /^error: application \S+ cannot be imported: androidInfo\.appPackageName is required: .*; androidInfo\.appScheme is required: /,
      2,
    ],
    [
      "a domain that is being deleted",
      ["customDomain", "x", DELETING],
      /^error: custom domain \S+ cannot be imported: it is being deleted\.\n/,
      2,
    ],
    ["no UUID", ["project", "shop"], /^error: The UUID is missing: import project <name> <uuid>\./, 0],
    [
      "two sources",
      ["project", "shop", SHOP, "--file", "x.csv"],
      /^error: Specify what to import in exactly one way/,
      0,
    ],
    [
      "two providers of a list",
      ["project", "shop", SHOP, "--provider", "eu", "--provider", "us"],
      "Specify --provider once. A list with objects of several providers needs a column provider.",
      0,
    ],
    [
      "a parent of the components of a preview",
      ["--from-preview", "a.json", "--from-terraform", "b", "--parent", "c"],
      "The preview's file already has parents and providers: omit --parent and --provider.",
      0,
    ],
    ["a missing file", ["--file", "/absent/x.csv"], /^error: There is no file \/absent\/x\.csv\./, 0],
    [
      "the name of a parent without a stack",
      ["project", "shop", SHOP, "--parent", "team"],
      /^error: Without a stack, the parent team cannot be looked up/,
      0,
    ],
    [
      "the name of the resource itself as its provider",
      ["project", "shop", SHOP, "--native", "--provider", "shop"],
      "Without a stack, the provider shop cannot be looked up: give its URN, or select the stack.",
      0,
    ],
    [
      "a dynamic provider for a native resource",
      ["project", "shop", SHOP, "--native", "--provider", EU],
      "project shop cannot use eu, which has the type pulumi:providers:pulumi-nodejs. Resources of type dynamiclink:index:Project need a provider of type pulumi:providers:dynamiclink.",
      0,
    ],
    [
      "a native provider for a dynamic resource",
      ["project", "shop", SHOP, "--no-native", "--provider", EU.replace("pulumi-nodejs", "dynamiclink")],
      `project shop cannot use eu, which has the type pulumi:providers:dynamiclink. Resources of type ${TYPE} need a provider of type pulumi:providers:pulumi-nodejs.`,
      0,
    ],
    [
      "a provider that is none",
      ["project", "shop", SHOP, "--native", "--provider", TEAM],
      "project shop cannot use my-team, which has the type acme:index:Team. Resources of type dynamiclink:index:Project need a provider of type pulumi:providers:dynamiclink.",
      0,
    ],
  ])("%s", async (service, _, args, message, requests) => {
    const directory = newDirectory();
    const ended = await importInto(service, join(directory, "import.json"), ...args);
    expect(ended).toEqual(failedWith(message));
    expect(ended.stderr.trim().split("\n")).toHaveLength(1);
    expect(service.requests).toHaveLength(requests);
    expect(readdirSync(directory)).toEqual(["node_modules"]);
  });

  test("a list that is wrong in every way: all problems come at once, with their lines", async (service) => {
    const directory = newDirectory();
    const list = join(directory, "list.csv");
    const lines = [
      "type,name,uuid,parent",
      `project,shop,${SHOP},`,
      `project,again,${SHOP},`,
      `customDomain,shop,${DOMAIN},`,
      `customDomain,shop,${FAILED},`,
      "project,slug,my-shop,",
      `project,absent,${ABSENT},`,
      `application,web,${IOS},team`,
      `application,self,${IOS},self`,
      `customDomain,deleting,${DELETING},`,
    ];
    writeFileSync(list, lines.join("\n"));
    const out = join(directory, "import.json");
    const { code, stdout, stderr } = await importInto(service, out, "--file", list);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.replaceAll(list, "list.csv").trim().split("\n")).toEqual([
      "error: list.csv, line 6: uuid must be a UUID.",
      `error: Project ${SHOP} is specified more than once: list.csv, line 2 and list.csv, line 3. Import each UUID as one resource only.`,
      `error: Application ${IOS} is specified more than once: list.csv, line 8 and list.csv, line 9. Import each UUID as one resource only.`,
      "error: The name shop of a custom domain is specified more than once: list.csv, line 4 and list.csv, line 5. Give each resource a unique name.",
      "error: list.csv, line 8: Without a stack, the parent team cannot be looked up: give its URN, or select the stack.",
      "error: list.csv, line 9: self cannot be its own parent. Give the URN of the parent.",
      `error: list.csv, line 7: There is no project ${ABSENT} in organization ${ORGANIZATION}. Check that this is the UUID of a project, and that the API key and apiUrl are those of the organization that owns it.`,
      `error: list.csv, line 10: custom domain ${DELETING} cannot be imported: it is being deleted.`,
    ]);
    expect(existsSync(out)).toBe(false);
    expect(requestCounts(service)).toEqual({
      getCurrentApiCredential: 1,
      getProject: 3,
      // A 404 alone does not show that there is no such project.
      listProjects: 1,
      getCustomDomain: 3,
    });
  });

  test("a key without the scope", async (service) => {
    service.setScopes(KEY, ["projects:read"]);
    const out = join(newDirectory(), "x.json");
    expect(await importInto(service, out, "customDomain", "links", DOMAIN)).toEqual(
      failedWith(
        /^error: The API key canary… lacks the scope domains:read, which reading a custom domain needs\..*\n$/,
      ),
    );
  });
});

test("without a CLI, the import file is written to the current directory and the command is printed", async (service) => {
  enter(newDirectory());
  const { code, stdout, stderr } = await run("import", ["project", "shop", SHOP, "--api-url", service.url]);
  expect(code).toBe(2);
  expect(stdout).toContain(declared("project", "shop", { name: "Shop" }));
  expect(stderr).toContain("warning: There is no Pulumi CLI on PATH, so nothing was imported.");
  expect(stderr).toMatch(
    /The import file is dynamiclink-import\.json\. Import it with: pulumi import --file \S+\/dynamiclink-import\.json --generate-code=false/,
  );
  expect(importFileAt("dynamiclink-import.json").resources).toHaveLength(1);
  expect(await run("import", ["project", "shop", SHOP, "--api-url", service.url])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^error: .*dynamiclink-import\.json already exists.*\n$/m),
  });
});

testOnShell.each([
  [
    "yes",
    "Reading the state of stack test failed: it has more than 256 MiB, the limit of this command. Run it without the stack, with --api-url.",
  ],
  [
    "echo '{\"apiKey\": canary'",
    "The output of reading the state of stack test is not JSON: Unexpected token 'c'.",
  ],
])("a state that is %s fails with one line that shows none of it", async (service, exported, message) => {
  const environment = withStubbedCli(service, [], { cases: [`"stack export"*) ${exported};;`] });
  const out = join(newDirectory(), "import.json");
  expect(await run("import", ["project", "shop", SHOP, "--out", out], environment)).toEqual(
    failedWith(message),
  );
  expect(service.requests).toEqual([]);
});

testOnShell("with a CLI that is too old, the required version is reported", async (service) => {
  enter(newDirectory());
  const environment = withStubbedCli(service, [], { cases: ["version) echo v3.253.9;;"] });
  const args = ["project", "shop", SHOP, "--api-url", service.url];
  const { code, stderr } = await run("import", args, environment);
  expect(code).toBe(2);
  expect(stderr).toContain(
    "The Pulumi CLI on PATH is 3.253.9, and importing dynamic resources needs 3.254.0 or newer",
  );
});

testOnShell("without a stack, or with one that the CLI does not have, nothing is sent", async (service) => {
  const cases = ['"stack --show-name"*) echo "error: no stack" >&2; exit 1;;'];
  const environment = withStubbedCli(service, [], { cases });
  const args = ["project", "shop", SHOP];
  expect(await run("import", args, environment)).toEqual(
    failedWith("There is no stack to import into: no stack. To write only the import file, use --out."),
  );
  expect(await run("import", [...args, "--stack", "absent"], environment)).toEqual(
    failedWith("Stack absent cannot be used: no stack."),
  );
  expect(service.requests).toEqual([]);
});

/** What `pulumi import` prints for a dynamic resource. */
const DOCUMENTED_ERROR = "code must be a string, not undefined";

test("the documents say what to use instead of `pulumi import`", async () => {
  for (const name of ["importing.md", "errors.md"]) {
    const text = readFileSync(join(__dirname, "..", "..", "..", "docs", name), "utf8");
    expect([name, text]).toEqual([name, expect.stringContaining(DOCUMENTED_ERROR)]);
  }
});

describe("on a real CLI", () => {
  const PROGRAM = `
import * as pulumi from "@pulumi/pulumi";
import { Application, Project, Provider } from "pulumi-dynamiclink";
class Team extends pulumi.ComponentResource {
  constructor(name: string) {
    super("acme:index:Team", name);
  }
}
const team = new Team("team");
const apiUrl = new pulumi.Config("dynamiclink").require("apiUrl");
const other = new Provider("other", { apiKeyEnvVar: "OTHER_KEY", apiUrl });
`;

  testOnCli(
    "imports under a parent and another organization's provider, rejects imported objects, and reads a preview file",
    async (service) => {
      const directory = newDirectory();
      const environment = { ...withCli(newDirectory()), OTHER_KEY, DYNAMICLINK_READ_ONLY: "1" };
      const pulumi = (args: string[]) => pulumiIn(directory, environment, args);
      const dynamiclink = (...args: string[]) =>
        run("import", [...args, "--stack", "test", "--cwd", directory, "--yes"], environment);
      const program = (source: string) => writeProgram(directory, PROGRAM + source);
      program("");
      await pulumi(["stack", "init", "test"]);
      await pulumi(["config", "set", "dynamiclink:apiUrl", service.url]);
      await pulumi(["up", "--yes", "--skip-preview"]);

      const inTeam = { options: { parent: sourceText("team"), protect: true } };
      expect(await dynamiclink("project", "shop", SHOP, "--parent", "team")).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(declared("project", "shop", { name: "Shop" }, inTeam)),
        stderr: expect.stringContaining("1 imported"),
      });
      const elsewhere = declared(
        "project",
        "elsewhere",
        { name: "Elsewhere" },
        { options: { provider: sourceText("other") } },
      );
      expect(
        await dynamiclink("project", "elsewhere", FOREIGN, "--provider", "other", "--no-protect"),
      ).toMatchObject({ code: 0, stdout: expect.stringContaining(elsewhere) });
      const imported = `const shop = ${declared("project", "shop", { name: "Shop" }, inTeam)}${elsewhere}`;
      program(imported);
      await pulumi(["preview", "--expect-no-changes"]);

      expect(await dynamiclink("project", "again", SHOP)).toMatchObject(
        failedWith(
          new RegExp(
            `^error: project ${SHOP} is already in the stack: urn:pulumi:test::shops::acme:index:Team\\$${TYPE}::shop\\.\n$`,
          ),
        ),
      );

      // The program declares it already, so its preview lists what is missing.
      const ios = { projectId: sourceText("shop.id"), ...IOS_INPUTS };
      program(
        [
          imported,
          declared("application", "ios", ios, { options: { parent: sourceText("shop") } }),
          declared("project", "later", { name: "Later" }, { options: {} }),
        ].join(""),
      );
      const file = join(directory, "preview.json");
      await pulumi(["preview", "--import-file", file]);
      const preview = importFileAt(file);
      const resources = preview.resources.map((entry) =>
        entry.type.endsWith(":Application") ? { ...entry, id: IOS } : entry,
      );
      writeFileSync(file, JSON.stringify({ ...preview, resources }));
      expect(await dynamiclink("--from-preview", file)).toMatchObject({ code: 2, stdout: "" });
      expect(await pulumi(["preview"])).toMatch(/\+ 1 to create\n\s+6 unchanged/);
    },
  );

  testOnCli("`pulumi import` by type and UUID fails with the error that the documents show", async () => {
    const directory = newDirectory();
    const environment = withCli(newDirectory());
    writeProgram(directory, "");
    await pulumiIn(directory, environment, ["stack", "init", "test"]);
    await expect(pulumiIn(directory, environment, ["import", TYPE, "shop", SHOP, "--yes"])).rejects.toThrow(
      DOCUMENTED_ERROR,
    );
  });
});
