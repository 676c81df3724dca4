/**
 * The command `discover`: its program and import file match, and it changes nothing else. It is slow because generated
 * programs are compiled.
 */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { code as sourceText } from "../../../cli/program/programSource";
import { version } from "../../../package.json";
import type { Scope, Seed } from "../../../testing/emulator";
import { KEY, ORGANIZATION, OTHER_ORGANIZATION, seedWith } from "../../support/values/organizations";
import { enter, newDirectory } from "../directories";
import { declared, FILE_NAMES, filesIn, importFileIn } from "../generatedProgram";
import { requestsFor } from "../kinds";
import { ABSENT, DOMAIN, MARKET, SHOP, SHOP_PROJECT, WEB } from "../objects";
import { pulumiIn, withCli, withStubbedCli } from "../pulumiClis";
import { discover, discoverFirst, failedWith, run } from "../run";
import { DYNAMIC, providerOf, resourceOf } from "../states";
import { requestCounts, testsWith, withService } from "../testsWith";

const SEED = seedWith([
  { ...SHOP_PROJECT, links: [{ name: "one", url: "https://shop.example/1" }] },
  { id: MARKET, name: "Market", createdAt: "2024-01-02T00:00:00.000Z" },
]);

const { test, testOnCli, testOnShell } = testsWith(SEED);

test("a small organization leads to one program file, and the settings that it was read with", async (service) => {
  const { out, stdout, code } = await discoverFirst(service);
  expect(code).toBe(0);
  expect(stdout).toContain("pulumi import --file import.json --generate-code=false");
  const files = filesIn(out);
  expect(Object.keys(files)).toEqual(FILE_NAMES.toSorted());
  const projectId = sourceText("shop.id");
  const program = [
    `// The objects of organization ${ORGANIZATION} in dynamiclink.\n`,
    'import { Application, CustomDomain, Project } from "pulumi-dynamiclink";\n',
    declared("project", "shop", { name: "Shop" }, { variable: "shop" }),
    declared("application", "shop-web", { projectId, appType: "WEB" }),
    declared("customDomain", "links-shop-example", { projectId, hostname: "links.shop.example" }),
    declared("project", "market", { name: "Market" }, { variable: "market" }),
  ];
  expect(files["index.ts"]).toBe(program.join("\n"));
  expect(files["Pulumi.yaml"]).toContain(`dynamiclink:apiUrl:\n    value: ${service.url}`);
  expect(JSON.parse(files["package.json"] ?? "").dependencies).toEqual({
    "@pulumi/pulumi": expect.any(String),
    "pulumi-dynamiclink": expect.any(String),
  });
});

test.each([
  ["file:../pulumi-dynamiclink-0.4.0.tgz", "file:../../pulumi-dynamiclink-0.4.0.tgz"],
  ["link:vendor/package", "file:../vendor/package"],
  ["https://packages.example/pulumi-dynamiclink.tgz", "https://packages.example/pulumi-dynamiclink.tgz"],
  ["git+ssh://git@git.example/package.git", "git+ssh://git@git.example/package.git"],
  ["npm:@mirror/pulumi-dynamiclink@^0.4.0", "npm:@mirror/pulumi-dynamiclink@^0.4.0"],
  ["^0.3.0", `^${version}`],
  ["workspace:*", `^${version}`],
])("where the package is installed as %s, the program has %s", async (service, installed, written) => {
  const directory = newDirectory();
  const inside = join(directory, "inside");
  mkdirSync(inside);
  writeFileSync(
    join(directory, "package.json"),
    JSON.stringify({ devDependencies: { "pulumi-dynamiclink": installed } }),
  );
  writeFileSync(join(inside, "package.json"), "{}");
  enter(inside);
  const out = join(directory, "estate");
  await discover(service, out);
  const { dependencies } = JSON.parse(filesIn(out)["package.json"] ?? "");
  expect(dependencies["pulumi-dynamiclink"]).toBe(written);
});

test("the same organization leads to the same files, in whatever order it is listed", async () => {
  const listed = async (seed: Seed) => {
    const out = join(newDirectory(), "estate");
    await withService(seed, async (service) => {
      await discover(service, out);
    });
    return Object.fromEntries(
      Object.entries(filesIn(out)).map(([name, text]) => [name, text.replace(/127\.0\.0\.1:\d+/, "service")]),
    );
  };
  const seed = (projects: string[]) =>
    seedWith(
      projects.map((id) => ({
        id,
        name: "Shop",
        createdAt: "2024-01-01T00:00:00.000Z",
        applications: (id < MARKET ? ["1", "2"] : ["4", "3"]).map((last) => ({
          id: WEB.replace(/1$/, last),
          appType: "WEB" as const,
          createdAt: "2024-01-01T00:00:00.000Z",
        })),
      })),
    );
  const files = await listed(seed([SHOP, MARKET]));
  expect(await listed(seed([SHOP, MARKET]))).toEqual(files);
  expect(await listed(seed([MARKET, SHOP]))).toEqual(files);
});

test("--json prints names, UUIDs, links and files", async (service) => {
  const { out, stdout, code } = await discoverFirst(service, "--json", "--links");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    organizationId: ORGANIZATION,
    host: "dynamic",
    directory: out,
    files: FILE_NAMES,
    objects: [
      { kind: "project", name: "shop", uuid: SHOP, links: 1 },
      { kind: "project", name: "market", uuid: MARKET, links: 0 },
      { kind: "application", name: "shop-web", uuid: WEB },
      { kind: "customDomain", name: "links-shop-example", uuid: DOMAIN },
    ],
    problems: [],
  });
  expect(requestCounts(service)).toMatchObject({ listProjectLinks: 2 });
});

const ADVICE = "With such a key, set DYNAMICLINK_READ_ONLY=1 for pulumi import and pulumi preview.";
test.each<[readonly Scope[], string[], string | undefined]>([
  [[], [], `The API key lacks projects:write, applications:write and domains:write. ${ADVICE}`],
  [["projects:write", "applications:write"], [], `The API key lacks domains:write. ${ADVICE}`],
  // Everything that is declared can be written.
  [["projects:write"], ["--type", "project"], undefined],
])("with the write scopes %j only, %j says how to use the key", async (service, scopes, args, advice) => {
  service.setScopes(KEY, ["projects:read", "applications:read", "domains:read", ...scopes]);
  const { code, stdout } = await discoverFirst(service, ...args);
  expect([code, stdout.split("\n").find((line) => line.includes("READ_ONLY"))]).toEqual([0, advice]);
});

test("--dry-run reports files and names, and writes nothing", async (service) => {
  const parent = newDirectory();
  const out = join(parent, "estate");
  const { code, stdout, stderr } = await discover(service, out, "--dry-run");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toBe(`Organization ${ORGANIZATION}: 2 projects, 1 application, 1 custom domain.
Dry run: nothing was written. 5 files would be written to ${out}:
  Pulumi.yaml
  package.json
  tsconfig.json
  index.ts
  import.json

4 objects would be declared:
  TYPE           LOGICAL NAME        NAME                UUID
  project        shop                Shop                ${SHOP}
  project        market              Market              ${MARKET}
  application    shop-web            WEB                 ${WEB}
  custom domain  links-shop-example  links.shop.example  ${DOMAIN}
`);
  expect(JSON.parse((await discover(service, out, "--dry-run", "--json")).stdout)).toMatchObject({
    dryRun: true,
    files: FILE_NAMES,
  });
  expect((await run("discover", ["--split", out, "--api-url", service.url, "--dry-run"])).stdout).toContain(`
4 objects would be declared:
  TYPE           PROGRAM  LOGICAL NAME        NAME                UUID
  project        shop     shop                Shop                ${SHOP}
`);
  expect(readdirSync(parent)).toEqual(["node_modules"]);

  await discover(service, out);
  expect(await discover(service, out, "--dry-run")).toEqual(
    failedWith(
      `${out} already has 5 files with the same names, so nothing was written: Pulumi.yaml, package.json, tsconfig.json, index.ts and import.json. Replace them with --force, or choose another directory.`,
    ),
  );
});

test("--project reads only the given projects", async (service) => {
  const { stdout } = await discoverFirst(service, "--json", "--project", MARKET.toUpperCase());
  expect(JSON.parse(stdout).objects).toEqual([{ kind: "project", name: "market", uuid: MARKET }]);
  expect(requestCounts(service)).toEqual(requestsFor(1));
});

describe("discover exports the rest, and reports", () => {
  testsWith(seedWith([SHOP_PROJECT])).test(
    "an application of a type that the service has added since",
    async (service) => {
      const add = (operation: "listApplications" | "listCustomDomains", from: string, to: string) =>
        service.inject({
          operation,
          effect: { body: (body: unknown) => JSON.parse(JSON.stringify(body).replaceAll(from, to)) },
        });
      add("listApplications", '"WEB"', '"TV"');
      add("listCustomDomains", '"ACTIVE"', '"PARKED"');
      const { code, stdout, stderr } = await discoverFirst(service, "--json");
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `warning: 1 application has a value that this version does not know, and is not declared. Use a newer version of this package:\n  TV in project Shop (${WEB}): appType must be one of "IOS", "ANDROID", "WEB"\n`,
      });
      expect(JSON.parse(stdout)).toMatchObject({
        objects: [{ kind: "project" }, { kind: "customDomain" }],
        problems: [
          {
            object: { reason: "unknownValue" },
            message: `application ${WEB} cannot be imported: appType must be one of "IOS", "ANDROID", "WEB". This version does not know the value: use a newer version of this package.`,
          },
        ],
      });
    },
  );

  testsWith(
    seedWith([
      {
        id: SHOP,
        name: "Shop",
        applications: [{ id: WEB, appType: "IOS", appleInfo: { appName: "Shop" } }, { appType: "WEB" }],
        customDomains: [
          { hostname: "deleting.example", lifecycleStatus: "DELETING" },
          { hostname: "failed.example", lifecycleStatus: "FAILED" },
          { hostname: "failed-2.example", lifecycleStatus: "FAILED" },
          { hostname: "expired.example", lifecycleStatus: "EXPIRED" },
          // Their names are empty in canonical form.
          { hostname: "." },
          { hostname: ".." },
        ],
      },
      // The text that Pulumi uses for a value that is not known yet.
      { id: MARKET, name: "04da6b54-80e4-46f7-96ec-b56ff0331ba9", applications: [{ appType: "WEB" }] },
    ]),
  ).test(
    "domains by their status, applications with missing fields, and unsupported names",
    async (service) => {
      const directory = newDirectory();
      const { stderr, stdout, code } = await discover(service, directory);
      expect(code).toBe(2);
      expect(stdout).toContain("1 project, 2 applications, 3 custom domains");
      const uuid = "[0-9a-f-]{36}";
      expect(stderr.split(/^(?=warning)/m).sort()).toEqual(
        [
          `1 application cannot be imported. Correct it in the service first:\n  IOS Shop in project Shop \\(${WEB}\\): appleInfo.appScheme is required: .*; appleInfo.bundleId is required: .*`,
          `1 custom domain is EXPIRED: declared, but serves no links:\n  expired.example in project Shop \\(${uuid}\\)`,
          `1 custom domain is being deleted, and not declared:\n  deleting.example in project Shop \\(${uuid}\\)`,
          `1 project cannot be imported. Correct it in the service first:\n  \\S+ \\(${MARKET}\\): name is the text that Pulumi uses for an unknown value`,
          `2 custom domains are FAILED: declared, but serve no links:\n(  failed-?2?.example in project Shop \\(${uuid}\\)\n){2}`,
          `2 custom domains cannot be imported. Correct them in the service first:\n(  \\S* ?in project Shop \\(${uuid}\\): hostname .*\n){2}`,
        ].map((text) => expect.stringMatching(new RegExp(`^warning: ${text}\n?$`))),
      );
      expect(filesIn(directory)["index.ts"]).toContain(`projectId: "${MARKET}"`);
    },
  );

  const customDomains = (["FAILED", "EXPIRED", "ACTIVE"] as const).map((lifecycleStatus) => ({
    hostname: `${lifecycleStatus.toLowerCase()}.example`,
    lifecycleStatus,
  }));
  testsWith(seedWith([{ id: SHOP, name: "Shop", customDomains }])).test(
    "domains that have failed or expired, which alone are no reason for another exit code",
    async (service) => {
      const { out, code, stderr } = await discoverFirst(service);
      expect([code, stderr.match(/^warning: /gm)]).toEqual([0, ["warning: ", "warning: "]]);
      expect(importFileIn(out).resources).toHaveLength(4);
    },
  );

  test("a kind for which the key has no scope", async (service) => {
    service.setScopes(KEY, ["projects:read", "applications:read"]);
    const { stderr, stdout, code } = await discoverFirst(service, "--links");
    expect(code).toBe(2);
    expect(stdout).toContain("2 projects, 1 application, 0 custom domains");
    expect(stderr).toContain("No custom domains were read. The API key canary… lacks the scope domains:read");
    expect(stderr).toContain("No links were read.");
    expect(requestCounts(service)).not.toHaveProperty("listCustomDomains");
  });

  test("a kind that the service forbids in one project", async (service) => {
    service.inject({
      operation: "listCustomDomains",
      match: SHOP,
      effect: { status: 403, message: "Not yours." },
    });
    const { stderr, code } = await discoverFirst(service);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^warning: Listing the custom domains of project \S+ failed: 403 Forbidden, "Not yours\." \(request \S+\)\.\n$/,
    );
  });

  test("a project that is deleted while it is read", async (service) => {
    service.inject({ operation: "listCustomDomains", match: SHOP, effect: { status: 404 } });
    const { out, stderr, code } = await discoverFirst(service);
    expect(code).toBe(2);
    expect(stderr).toBe(`warning: Project ${SHOP} was deleted while it was being read, so it was omitted.\n`);
    expect(importFileIn(out).resources?.map(({ id }) => id)).toEqual([MARKET]);
  });
});

test("discover tries a service again that is not available at first, with a line for each wait", async (service) => {
  service.inject({ operation: "getCurrentApiCredential", effect: { status: 503 } });
  const { code, stderr } = await discoverFirst(service);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^Reading the API credential: 503 .*\. Trying again in \d\.\d s\n$/);
});

test("a chosen project that the list lacks is read, so that a late list does not deny it", async (service) => {
  service.inject({ operation: "listProjects", effect: { body: { projects: [] } } });
  const { stdout } = await discoverFirst(service, "--json", "--project", SHOP);
  expect(stdout).toContain(SHOP);
  expect(service.requests.map(({ operationId }) => operationId)).toContain("getProject");
});

testOnCli("discover uses the configuration of the selected stack", async (service) => {
  const directory = newDirectory();
  writeFileSync(join(directory, "Pulumi.yaml"), "name: settings\nruntime: nodejs\n");
  const environment = { ...withCli(newDirectory()), DYNAMICLINK_API_KEY: undefined };
  const pulumi = (args: string[], input?: string) => pulumiIn(directory, environment, args, input);
  await pulumi(["stack", "init", "test"]);
  await pulumi(["config", "set", "dynamiclink:apiUrl", service.url]);
  await pulumi(["config", "set", "--secret", "dynamiclink:apiKey"], KEY);
  const out = join(directory, "estate");
  expect(await run("discover", ["--out", out, "--cwd", directory], environment)).toMatchObject({
    code: 0,
    stderr: "",
  });
  for (const text of Object.values(filesIn(out))) expect(text).not.toContain(KEY);
});

testOnShell("the state of another organization is rejected", async (service) => {
  const { urn } = providerOf("dynamic", "default", {});
  const fields = { id: SHOP, outputs: { __organization: OTHER_ORGANIZATION }, provider: `${urn}::an-id` };
  const environment = withStubbedCli(service, [resourceOf(`${DYNAMIC}Project`, "shop", fields)]);
  expect(await run("discover", ["--out", join(newDirectory(), "estate")], environment)).toEqual(
    failedWith(
      `The stack has shop of organization ${OTHER_ORGANIZATION}, but the API key belongs to organization ${ORGANIZATION}. Use a key of organization ${OTHER_ORGANIZATION}, or specify the provider of organization ${ORGANIZATION} with --provider.`,
    ),
  );
});

const WITH_KEY = [{ name: KEY, links: [{ name: "one", url: "https://shop.example/1" }] }];
testsWith(seedWith(WITH_KEY)).test(
  "names that contain the key are not printed, and are unchanged in the program",
  async (service) => {
    const { out, code, stdout } = await discoverFirst(service, "--links");
    expect(code).toBe(0);
    expect(stdout).toContain("\n  ***: 1 link\n");
    expect(filesIn(out)["index.ts"]).toContain(`name: "${KEY}"`);
  },
);

test.each<[string, string[], string | RegExp]>([
  ["no directory", [], "Specify the directory to write to with --out or --split."],
  [
    "a stack and a URL",
    ["--out", "x", "--stack", "test", "--api-url", "https://links.example"],
    "--api-url cannot be used with --stack. Set it in the configuration of stack test: pulumi config set dynamiclink:apiUrl <url> --stack test",
  ],
  [
    "two stacks",
    ["--out", "x", "--stack", "a", "b"],
    "--stack takes one name here. To compare the organization with several stacks, use `pulumi-dynamiclink compare`.",
  ],
  [
    "a slug for a project",
    ["--out", "x", "--project", "my-shop"],
    /^error: --project my-shop: must be a UUID/,
  ],
  [
    "a missing project",
    ["--out", "x", "--project", ABSENT, "--api-url", "<service>"],
    new RegExp(`^error: There is no project ${ABSENT} in organization ${ORGANIZATION}.*\n$`),
  ],
  [
    "neither a stack nor a URL",
    ["--out", "x"],
    "apiUrl is not set, and there is no stack to read it from: there is no Pulumi CLI on PATH. Add --api-url <url>. Or run this in the directory of a Pulumi project, select a stack, and run `pulumi config set dynamiclink:apiUrl https://…`.",
  ],
])("discover fails with one line and writes nothing with %s", async (service, _, args, message) => {
  const directory = newDirectory();
  enter(directory);
  const given = args.map((arg) => arg.replace("<service>", service.url));
  expect(await run("discover", given)).toEqual(failedWith(message));
  expect(readdirSync(directory)).toEqual(["node_modules"]);
});
