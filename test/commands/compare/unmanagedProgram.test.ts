/** `compare --out`: a program and an import file for what no stack manages. */
import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { type Code, code as sourceText } from "../../../cli/program/programSource";
import { ORGANIZATION, seedWith } from "../../support/values/organizations";
import { fileWith, newDirectory } from "../directories";
import { declared, FILE_NAMES, filesIn } from "../generatedProgram";
import { DOMAIN, IOS, MARKET, SHOP, SHOP_PROJECT, WEB } from "../objects";
import { pulumiIn, withCli } from "../pulumiClis";
import { compareFirst, failedWith, run } from "../run";
import { type StateEntry, stateOf } from "../states";
import { testsWith } from "../testsWith";

const NEW_WEB = "0d0d0d0d-0000-4000-8000-000000000003";

const appleInfo = { appName: "Shop", appScheme: "shop", bundleId: "example.shop" };

/** Of these, a stack manages the project `Shop` and its web application. */
const SEED = seedWith([
  {
    ...SHOP_PROJECT,
    applications: [...SHOP_PROJECT.applications, { id: IOS, appType: "IOS", appleInfo }],
  },
  {
    id: MARKET,
    name: "Market",
    createdAt: "2024-01-02T00:00:00.000Z",
    applications: [{ id: NEW_WEB, appType: "WEB" }],
  },
]);

const { test, testOnCli } = testsWith(SEED);

const MANAGED: readonly StateEntry[] = [
  { kind: "project", uuid: SHOP },
  { kind: "application", uuid: WEB },
];

/** A file with the state of the stack `production` that manages {@link MANAGED}. */
function managedState(outputs: object = {}, stack = "production"): string {
  return fileWith(stateOf(stack, MANAGED, outputs));
}

/** The statements of the program, without comment and imports. */
function statements(out: string): string {
  return (filesIn(out)["index.ts"] ?? "").replace(/^.*?from "pulumi-dynamiclink";\n\n/s, "");
}

const IN_MARKET = [
  declared("project", "market", { name: "Market" }, { variable: "market" }),
  declared("application", "market-web", { projectId: sourceText("market.id"), appType: "WEB" }),
].join("\n");

/** What is unmanaged, with this UUID or code for the UUID of the managed project. */
function unmanaged(projectId: string | Code): string {
  return [
    IN_MARKET,
    declared("application", "shop-ios", { projectId, appType: "IOS", appleInfo }),
    declared("customDomain", "links-shop-example", { projectId, hostname: "links.shop.example" }),
  ].join("\n");
}

test("the program has only what is unmanaged", async (service) => {
  const { out, code, stdout, stderr } = await compareFirst(service, "--state", managedState());
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("6 objects compared with 1 stack: 2 managed (33.3%), 4 unmanaged");
  expect(stdout).toContain(`\n5 files written to ${out}.\n\nNext, with a Pulumi CLI of`);
  expect(statements(out)).toBe(unmanaged(SHOP));
});

testsWith(seedWith([{ id: SHOP, name: "Shop", applications: [{ id: WEB, appType: "WEB" }] }])).test(
  "nothing is written if stacks manage everything",
  async (service) => {
    const { out, code, stdout } = await compareFirst(service, "--state", managedState());
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /: 2 managed \(100%\), .*\n\nThere is nothing to declare, so no file was written\.\n$/,
      ),
    ]);
    expect(existsSync(out)).toBe(false);
  },
);

test("--json names the files and the objects in the program besides the comparison", async (service) => {
  const { out, stdout } = await compareFirst(service, "--json", "--state", managedState());
  expect(JSON.parse(stdout)).toMatchObject({
    organizationId: ORGANIZATION,
    counts: { unmanaged: 4 },
    host: "dynamic",
    directory: out,
    files: FILE_NAMES,
    objects: [
      { kind: "project", name: "market", uuid: MARKET },
      { kind: "application", name: "shop-ios", uuid: IOS },
      { kind: "application", name: "market-web", uuid: NEW_WEB },
      { kind: "customDomain", name: "links-shop-example", uuid: DOMAIN },
    ],
    problems: [],
  });
});

test("a program is not replaced whose objects a stack manages by now, not even with --force", async (service) => {
  const { out } = await compareFirst(service, "--state", managedState());
  const before = filesIn(out);
  const imported = fileWith(stateOf("rest", [{ kind: "project", uuid: MARKET }]));
  const url = ["--api-url", service.url];
  const again = await run("compare", ["--out", out, "--force", ...url, "--state", managedState(), imported]);
  expect(again).toEqual(
    failedWith(
      `${join(out, "import.json")} has 1 object that the new program would not declare: not selected, not readable, or managed by a stack now. \`pulumi up\` would delete it. Choose another directory.`,
    ),
  );
  expect(filesIn(out)).toEqual(before);
  // As long as nothing was imported, it can be written again.
  const same = await run("compare", ["--out", out, "--force", ...url, "--state", managedState()]);
  expect(same.code).toBe(0);
});

describe("--reference refers to managed projects by an output of their stack", () => {
  test.each([
    ["with a UUID", SHOP, 'estateProductionStack.requireOutput("shop").apply((value): string => value)'],
    [
      "with an object of UUIDs",
      { "the shop": SHOP, other: MARKET },
      'estateProductionStack.requireOutput("shop").apply((value): string => value["the shop"])',
    ],
    [
      "with a list of UUIDs",
      [MARKET, SHOP],
      'estateProductionStack.requireOutput("shop").apply((value): string => value[1])',
    ],
  ])("%s", async (service, _, output, source) => {
    const state = managedState({ shop: output });
    const args = ["--state", state, "--reference", "production=shop"];
    const { out, code, stderr } = await compareFirst(service, ...args);
    expect([code, stderr]).toEqual([0, ""]);
    expect(filesIn(out)["index.ts"]).toContain(`import * as pulumi from "@pulumi/pulumi";
import { Application, CustomDomain, Project } from "pulumi-dynamiclink";

const estateProductionStack = new pulumi.StackReference(\`\${pulumi.getOrganization()}/estate/production\`);
const shopId = ${source};

${unmanaged(sourceText("shopId"))}`);
  });

  test("by a full name, if one is given", async (service) => {
    const args = ["--state", managedState({ shop: SHOP }), "--reference", "acme/estate/production=shop"];
    const { out } = await compareFirst(service, ...args);
    expect(statements(out)).toContain('new pulumi.StackReference("acme/estate/production");');
  });

  test("in one program for each project", async (service) => {
    const out = join(newDirectory(), "rest");
    const args = ["--state", managedState({ shop: SHOP }), "--reference", "production=shop"];
    const url = ["--api-url", service.url];
    const { code } = await run("compare", ["--split", out, ...args, ...url]);
    expect(code).toBe(0);
    expect(statements(join(out, "market"))).toBe(IN_MARKET);
    expect(filesIn(join(out, "market"))["index.ts"]).not.toContain("pulumi.");
    const inShop = statements(join(out, "shop"));
    expect(inShop).not.toContain("new Project(");
    expect(inShop.match(/projectId: shopId\b/g)).toHaveLength(2);
  });

  test("whose name in a state cannot become code", async (service) => {
    const name = ["a`", "{process.exit()}\\"].join("$");
    const args = ["--state", managedState({ shop: SHOP }, name), "--reference", `${name}=shop`];
    const { out } = await compareFirst(service, ...args);
    const [, text = ""] = /StackReference\(\s*(`.*`),?\s*\);/.exec(statements(out)) ?? [];
    const pulumi = { getOrganization: () => "acme" };
    expect(runInNewContext(text, { pulumi })).toBe(`acme/estate/${name}`);
  });

  const projects = [
    { id: SHOP, name: "Shop" },
    { id: MARKET, name: "Market" },
  ];
  testsWith(seedWith(projects)).test("only where the program needs it", async (service) => {
    const args = ["--state", managedState({ shop: SHOP }), "--reference", "production=shop"];
    const { out, stderr } = await compareFirst(service, ...args);
    expect(filesIn(out)["index.ts"]).not.toContain("pulumi.");
    expect(stderr).toBe(
      "--reference production=shop is not used: nothing in the program refers to a project in this output.\n",
    );
  });

  test.each([
    [
      "no output",
      "production",
      "--reference production must be the name of a stack and of one of its outputs, such as shop/production=projectId.",
    ],
    [
      "another stack",
      "staging=shop",
      "--reference staging=shop: staging is not one of the compared stacks: estate/production, estate/dev, other/dev. Add it with --stack or --state.",
    ],
    [
      "a stack of another project",
      "other/production=shop",
      "--reference other/production=shop: other/production is not one of the compared stacks: estate/production, estate/dev, other/dev. Add it with --stack or --state.",
    ],
    [
      "an output that the stack does not have",
      "production=absent",
      "--reference production=absent: stack estate/production has no output absent. Export it in its program and run `pulumi up`, or specify another one.",
    ],
    [
      "a secret output",
      "production=key",
      "--reference production=key: the output is a secret, or contains one. Export the UUID of the project as an output that is not secret; a UUID grants no access.",
    ],
    [
      "an output without the UUID of a managed project",
      "estate/production=market",
      "--reference estate/production=market: the output contains no UUID of a project that one of the stacks manages. It must be the UUID of a project, or an object or list of UUIDs.",
    ],
    [
      "the name of two stacks",
      "dev=shop",
      "--reference dev=shop: several of the compared stacks have this name: estate/dev, other/dev. Add the project, as in estate/dev.",
    ],
  ])("and not by %s", async (service, _, reference, message) => {
    const key = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      ciphertext: "v1:canary",
    };
    const other = JSON.stringify(stateOf("dev", MANAGED)).replaceAll("::estate::", "::other::");
    const states = [
      managedState({ shop: SHOP, market: MARKET, key }),
      managedState({}, "dev"),
      fileWith(other),
    ];
    const { out, ...ended } = await compareFirst(service, "--state", ...states, "--reference", reference);
    expect(ended).toEqual(failedWith(message));
    expect([existsSync(out), service.requests]).toEqual([false, []]);
  });
});

describe("with real stacks", () => {
  testOnCli(
    "the comparison is exact, and what is unmanaged is imported and previewed without changes",
    async (service) => {
      const parent = newDirectory();
      const environment = { ...withCli(newDirectory()), DYNAMICLINK_READ_ONLY: "1" };
      /** Imports what a command writes into a new stack. */
      const imported = async (command: "discover" | "compare", name: string, ...args: string[]) => {
        const out = join(parent, name);
        expect(await run(command, ["--out", out, ...args], environment)).toMatchObject({ code: 0 });
        // A plugin is looked up in the directory of its project only.
        symlinkSync(join(parent, "node_modules"), join(out, "node_modules"));
        await pulumiIn(out, environment, ["stack", "init", "dev"]);
        const importing = ["import", "--file", "import.json", "--generate-code=false", "--yes"];
        await pulumiIn(out, environment, importing);
        return out;
      };
      const url = ["--api-url", service.url];
      const one = await imported("discover", "one", "--project", SHOP, ...url);
      await imported("discover", "two", "--project", MARKET, "--native", ...url);
      await imported("discover", "three", "--project", MARKET, ...url);
      writeFileSync(
        join(one, "index.ts"),
        `${filesIn(one)["index.ts"]}\nexport const ids = { shop: shop.id };\n`,
      );
      await pulumiIn(one, environment, ["up", "--yes"]);
      const added = service.createApplication(SHOP, { appType: "WEB" });
      service.deleteApplication(NEW_WEB);
      service.clearRequests();

      const stacks = ["one", "two", "three"].map((name) => `organization/${name}/dev`);
      const args = ["--cwd", one, "--stack", ...stacks];
      const { code, stdout } = await run("compare", ["--check", "--json", ...args], environment);
      expect(code).toBe(2);
      const [three, two] = ["pulumi-nodejs:dynamic/dynamiclink:", "dynamiclink:index:"].map(
        (type, index) => `urn:pulumi:dev::${["three", "two"][index]}::${type}`,
      );
      expect(JSON.parse(stdout)).toMatchObject({
        stacks: ["one/dev", "three/dev", "two/dev"],
        counts: {
          objects: 6,
          managed: 5,
          unmanaged: 1,
          managedMoreThanOnce: 2,
          missing: 2,
          notCompared: 0,
        },
        unmanaged: [{ kind: "application", uuid: added.id, projectId: SHOP }],
        managedMoreThanOnce: [
          { kind: "project", uuid: MARKET, urns: [`${three}Project::market`, `${two}Project::market`] },
          {
            kind: "application",
            uuid: NEW_WEB,
            urns: [`${three}Application::market-web`, `${two}Application::market-web`],
          },
        ],
        missing: [
          { uuid: NEW_WEB, urn: `${three}Application::market-web` },
          { uuid: NEW_WEB, urn: `${two}Application::market-web` },
        ],
      });
      expect(service.requests).toHaveLength(6);

      const rest = await imported("compare", "rest", ...args, "--reference", "one/dev=ids");
      expect(statements(rest)).toContain('requireOutput("ids").apply((value): string => value["shop"]);');
      const preview = await pulumiIn(rest, environment, ["preview", "--expect-no-changes"]);
      expect(preview).toContain("2 unchanged");
      await pulumiIn(rest, environment, ["up", "--yes", "--expect-no-changes"]);
      const after = [...args, "organization/rest/dev", "--json"];
      const again = await run("compare", after, environment);
      expect(JSON.parse(again.stdout).counts).toMatchObject({ objects: 6, managed: 6, unmanaged: 0 });
    },
  );
});
