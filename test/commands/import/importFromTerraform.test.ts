/** `import --from-terraform`: from a state of Terraform or OpenTofu to a program that changes nothing. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator, Seed } from "../../../testing/emulator";
import { enter, newDirectory } from "../directories";
import { importFileAt, writeProgram } from "../generatedProgram";
import { programStacks } from "../programStacks";
import { withStubbedCli } from "../pulumiClis";
import { type Ended, failedWith, linesOf, run } from "../run";
import { providerOf } from "../states";
import { requestCounts, testsWith, withService } from "../testsWith";

const stackOf = programStacks();

const FIXTURES = join(__dirname, "..", "..", "fixtures", "terraform");
const STATE = join(FIXTURES, "terraform.tfstate");
const SHOWN = join(FIXTURES, "show.json");
const SEED = JSON.parse(readFileSync(join(FIXTURES, "seed.json"), "utf8")) as Seed;
const { test, testOnShell } = testsWith(SEED);
/** What an import of the sample prints and writes. */
const CODE = readFileSync(join(FIXTURES, "imported.ts.txt"), "utf8");
const NAMES = readFileSync(join(FIXTURES, "import.names.csv"), "utf8");
/** An import of the sample, or of a state in standard input. */
const FROM_FILE = ["--from-terraform", STATE, "--provider", "europe=eu"];
const FROM_TEXT = ["--from-terraform", "-", "--provider", "europe=eu"];
/** The keys of the two organizations. They are test data, not real keys. */
const KEYS = { DYNAMICLINK_API_KEY: "terraform-key-1", EUROPE_KEY: "terraform-key-eu" };
const READ_ONLY = { ...KEYS, DYNAMICLINK_READ_ONLY: "1" };

/** The requests of an import of the sample. */
const REQUESTS = { getCurrentApiCredential: 2, getProject: 7, getApplication: 5, getCustomDomain: 3 };

const PROVIDER = `import * as pulumi from "@pulumi/pulumi";
import { Provider } from "pulumi-dynamiclink";

const apiUrl = new pulumi.Config("dynamiclink").require("apiUrl");
const eu = new Provider("eu", { apiKeyEnvVar: "EUROPE_KEY", apiUrl });
`;

/** A directory with a program that declares only the provider for the second organization. */
function newProgram(): { readonly directory: string; declare(code: string): void } {
  const directory = newDirectory();
  const declare = (code: string) => writeProgram(directory, `${PROVIDER}\n${code}`);
  declare("");
  return { directory, declare };
}

/** The provider of the second organization, in the state of a stack. */
function euProvider({ url }: Emulator) {
  return providerOf("dynamic", "eu", { apiKeyEnvVar: "EUROPE_KEY", apiUrl: url });
}

/** The state of the sample, changed. */
function changedState(change: (resources: TerraformResource[]) => void): string {
  const state = JSON.parse(readFileSync(STATE, "utf8")) as { resources: TerraformResource[] };
  change(state.resources);
  return JSON.stringify(state);
}

type TerraformResource = Record<"mode" | "type" | "name" | "provider", string> &
  Record<"instances", Record<string, unknown>[]>;

function instanceOf(resources: readonly TerraformResource[], name: string): Record<string, unknown> {
  return resources.find((one) => one.name === name)?.instances[0] ?? {};
}

/** Imports into a stack that has the provider `eu`, or these resources. A text is standard input. */
async function importInto(
  service: Emulator,
  args: readonly string[],
  {
    text,
    resources = [euProvider(service)],
    directory = newDirectory(),
  }: { readonly text?: string; readonly resources?: readonly object[]; readonly directory?: string } = {},
): Promise<Ended & { readonly directory: string; readonly out: string }> {
  const environment = { ...withStubbedCli(service, resources), ...KEYS };
  const out = join(directory, "import.json");
  return { directory, out, ...(await run("import", [...args, "--out", out], environment, text)) };
}

testOnShell("a state becomes a program that matches, in both organizations", async (service) => {
  const { directory, declare } = newProgram();
  const stack = stackOf(directory, service, { environment: READ_ONLY });
  await stack.up();
  const { resources } = stack.exportState({ showSecrets: true }).deployment;
  service.clearRequests();
  const { out, code, stdout, stderr } = await importInto(service, FROM_FILE, {
    directory,
    resources: resources ?? [],
  });
  expect({ code, stdout }).toEqual({ code: 0, stdout: CODE });
  expect(requestCounts(service)).toEqual(REQUESTS);
  expect(readFileSync(join(directory, "import.names.csv"), "utf8")).toBe(NAMES);
  const lines = stderr.split("\n");
  expect(lines.slice(0, 4)).toEqual([
    "Not imported: 1 resource of other providers (terraform_data.other).",
    `Names in the program, also in ${join(directory, "import.names.csv")}, which --file reads after you have edited it:`,
    "  dynamiclink_application.shop_ios -> application shop-ios",
    "  dynamiclink_application.web[0] -> application web-0",
  ]);
  expect(lines).toContain("  dynamiclink_project.eu -> project eu (provider eu)");
  const last = lines.slice(lines.findIndex((line) => line.startsWith("The Terraform state")));
  expect(last.slice(0, 3)).toEqual([
    "The Terraform state was not changed. Once the objects are in the stack, remove them from it; this does not destroy them:",
    "  terraform state rm \\",
    "    'dynamiclink_application.shop_ios' \\",
  ]);
  expect(last.at(-2)).toMatch(/^With OpenTofu, run tofu instead of terraform\. Then remove their resource/);

  declare(stdout);
  expect((await stack.importFile(importFileAt(out))).changes).toEqual({ same: 2, import: 15 });
  await stack.preview({ expectNoChanges: true });
  await stack.refresh({ expectNoChanges: true });
});

test("the output of `show -json` has no aliases, so an object of another organization is not found", async (service) => {
  const directory = newDirectory();
  const args = ["--from-terraform", SHOWN, "--out", join(directory, "import.json"), "--api-url", service.url];
  const ended = await run("import", args, { PATH: "/nonexistent", ...KEYS });
  expect({ ...ended, stderr: linesOf(ended, "error") }).toEqual({
    code: 1,
    stdout: "",
    stderr: [
      expect.stringMatching(
        /^error: dynamiclink_project\.eu: There is no project 4feeada7-\S+ in organization /,
      ),
      `error: ${SHOWN} does not have the provider aliases of the objects, so objects of an alias are not found in the organization of the others. Use the state itself (\`terraform state pull\`), or specify the provider for each of these addresses: --provider '<address>=<name>'`,
    ],
  });
  expect(readdirSync(directory)).toEqual(["node_modules"]);
});

testOnShell("the table of names can be edited and imported", async (service) => {
  const directory = newDirectory();
  const list = join(directory, "names.csv");
  writeFileSync(list, NAMES.replace("project,eu,", "project,europe-shop,"));
  const { code, stdout, stderr } = await importInto(service, ["--file", list], { directory });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: CODE.replace('Project(\n  "eu"', 'Project(\n  "europe-shop"'),
  });
  expect(stderr).toContain("    'dynamiclink_project.eu' \\\n");
  expect(existsSync(join(directory, "import.names.csv"))).toBe(false);
});

testOnShell(
  "what differs from the service is reported by name, and the service's value is imported",
  async (service) => {
    const text = changedState((resources) => {
      Object.assign(instanceOf(resources, "shop").attributes as object, {
        name: "SECRET-old name",
        default_hookup_msg: null,
      });
      const { apple_info: info } = instanceOf(resources, "shop_ios").attributes as { apple_info: object };
      Object.assign(info, { bundle_id: "SECRET.example", app_store_id: "SECRET", team: "SECRET" });
      Object.assign(instanceOf(resources, "links").attributes as object, {
        hostname: "LINKS.shop.example.",
        cname_target: "SECRET.edge.example",
      });
    });
    const ended = await importInto(service, FROM_TEXT, { text });
    expect(ended).toMatchObject({ code: 2, stdout: CODE });
    expect(linesOf(ended, "warning")).toEqual([
      "warning: dynamiclink_application.shop_ios: the service and the Terraform state have different values of appleInfo.appStoreId and appleInfo.bundleId. The values of the service are imported.",
      "warning: dynamiclink_custom_domain.links: the service and the Terraform state have different values of cnameTarget. The values of the service are imported.",
      "warning: dynamiclink_project.shop: the service and the Terraform state have different values of defaultHookupMsg and name. The values of the service are imported.",
    ]);
    expect(ended.stderr).not.toContain("SECRET");
  },
);

testOnShell("what is not imported is reported in groups", async (service) => {
  const text = changedState((resources) => {
    instanceOf(resources, "shop_ios").status = "tainted";
    resources
      .find(({ name }) => name === "web")
      ?.instances.push({ ...instanceOf(resources, "web"), deposed: "0a1b2c3d" });
    const [resource] = resources;
    if (resource === undefined) throw new Error("The sample has no resource.");
    for (let number = 0; number < 7; number += 1) {
      resources.push({ ...resource, type: "acme_bucket", name: `bucket_${number}` });
    }
    resources.push({ ...resource, type: "dynamiclink_link", name: "sale", instances: [{}] });
    resources.push({ ...resource, type: "acme_bucket", name: "logs", mode: "data" });
    resources.push({ ...resource, type: "dynamiclink_project", name: "other", mode: "data" });
  });
  const ended = await importInto(service, FROM_TEXT, { text });
  expect({ code: ended.code, errors: linesOf(ended, "error") }).toEqual({ code: 2, errors: [] });
  expect(ended.stderr.split("\n").filter((line) => line.includes("Not imported"))).toEqual([
    "Not imported: 1 data source (data.dynamiclink_project.other). In a program, call functions such as `getProject` instead.",
    "Not imported: 1 data source of other providers (data.acme_bucket.logs).",
    "Not imported: 8 resources of other providers (terraform_data.other, acme_bucket.bucket_0, acme_bucket.bucket_1, acme_bucket.bucket_2, acme_bucket.bucket_3, 3 more).",
    "warning: Not imported: 1 tainted object (dynamiclink_application.shop_ios). Terraform would replace them. To import one, first run `terraform untaint` with its address.",
    "warning: Not imported: 1 deposed object (dynamiclink_application.web[0]). They remain from replacements, and `terraform apply` would delete them.",
    "warning: Not imported: 1 object of a type that this package does not have (dynamiclink_link.sale).",
  ]);
  expect(ended.stdout).not.toContain("shop-ios");
  expect(ended.stderr).not.toContain("'dynamiclink_application.shop_ios'");
});

testOnShell(
  "all aliases without a provider and all wrong choices are reported at once, before anything is sent",
  async (service) => {
    const text = changedState((resources) => {
      for (const [name, alias] of [
        ["campaign", ".asia"],
        ["links", ".europe"],
      ] as const) {
        const resource = resources.find((one) => one.name === name);
        if (resource !== undefined) resource.provider += alias;
      }
      instanceOf(resources, "shop").attributes = { id: "SECRET" };
    });
    const choices = ["africa=eu", "dynamiclink_project.absent=eu", "nobody"];
    const args = choices.flatMap((choice) => ["--provider", choice]);
    const ended = await importInto(service, ["--from-terraform", "-", ...args], { text });
    expect({ ...ended, stderr: linesOf(ended, "error") }).toMatchObject({
      code: 1,
      stdout: "",
      stderr: [
        "error: Standard input has objects of the provider aliases asia (3 objects) and europe (2 objects). An alias can have another organization, so specify the provider in the stack that stands for it: --provider asia=<name> --provider europe=<name>",
        "error: --provider africa: Standard input has no object of this alias or address. Its aliases are asia and europe.",
        "error: --provider dynamiclink_project.absent: Standard input has no object of this alias or address. Its aliases are asia and europe.",
        "error: dynamiclink_project.shop: uuid must be a UUID.",
        ...Array.from({ length: 9 }, () =>
          expect.stringMatching(/^error: \S+: The stack has no provider nobody\. /),
        ),
      ],
    });
    expect(service.requests).toEqual([]);
  },
);

testOnShell("after an import that failed, the same table of names is not in the way", async (service) => {
  const directory = newDirectory();
  enter(directory);
  // Its `pulumi import` fails.
  const environment = { ...withStubbedCli(service, [euProvider(service)]), ...KEYS };
  const args = ["--from-terraform", STATE, "--provider", "europe=eu", "--yes"];
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const ended = await run("import", args, environment);
    expect({ ...ended, stderr: linesOf(ended, "error") }).toEqual({
      code: 1,
      stdout: "",
      stderr: [
        "error: pulumi import failed with exit code 1. See its output above. If it has imported some of the objects, import the others with --file dynamiclink-import.names.csv --skip-existing.",
      ],
    });
  }
  expect(readdirSync(directory)).toEqual(["dynamiclink-import.names.csv", "node_modules"]);
  expect(readFileSync("dynamiclink-import.names.csv", "utf8")).toBe(NAMES);
});

testOnShell.each([
  [
    "without a terminal",
    ["project", "shop", "0c0c0c0c-0000-4000-8000-000000000001"],
    "Add --yes: this is not a terminal, so Pulumi cannot ask for confirmation. To look at the import first, use --out.",
  ],
  ["without a valid UUID", ["project", "shop", "shop"], "project shop: uuid must be a UUID."],
  ["for a state in standard input", FROM_TEXT, /\nerror: Add --yes: standard input is the state, .*\n$/],
])("%s, the error is reported before anything is read", async (service, _, args, message) => {
  const environment = { ...withStubbedCli(service, [euProvider(service)]), ...KEYS };
  const ended = await run("import", args, environment, readFileSync(STATE, "utf8"));
  expect(ended).toEqual(failedWith(message));
  expect(service.requests).toEqual([]);
});

test.each([
  ["nothing", "\n", "Standard input is empty, so it is not a state."],
  [
    "a module without a type in it",
    '{"format_version":"1.0","values":{"root_module":{"child_modules":[{"resources":[{"mode":"managed","SECRET":1}]}]}}}',
    "Standard input is not a complete state: child_modules[0].resources[0].type cannot be read.",
  ],
  [
    "an address that is none",
    '{"version":4,"resources":[{"module":"SECRET","mode":"managed"}]}',
    "Standard input is not a complete state: resources[0].module cannot be read.",
  ],
  ["a state that is cut off", readFileSync(STATE, "utf8").slice(0, 3000), "Standard input is not JSON: "],
  ["a list", '["SECRET"]', "Standard input is not a state of Terraform or OpenTofu."],
  ["a preview file", '{"resources":[]}', "Standard input is not a state of Terraform or OpenTofu."],
  ["format 3", '{"version":3,"modules":["SECRET"]}', "Standard input has format 3 of Terraform states,"],
  [
    "an encrypted state",
    '{"serial":1,"lineage":"x","encrypted_data":"SECRET","encryption_version":"v0"}',
    "Standard input is encrypted. Write the state without encryption, with `tofu state pull`.",
  ],
  ["a plan", '{"format_version":"1.2","planned_values":{}}', "Standard input is a plan, not a state."],
  [
    "an empty state",
    '{"version":4,"resources":[]}',
    "Standard input has nothing to import: no dynamiclink_project,",
  ],
  ["an empty state that is shown", '{"format_version":"1.0"}', "Standard input has nothing to import: "],
  [
    "a resource without a type",
    '{"version":4,"resources":[{"SECRET":1}]}',
    "Standard input is not a complete state: resources[0].mode cannot be read.",
  ],
  ["more than 32 MiB", "x".repeat(32 * 1024 * 1024 + 1), "Standard input is larger than 32 MiB, "],
])("%s is rejected with one error, and nothing is written", async (_service, _, text, message) => {
  const directory = newDirectory();
  const out = join(directory, "import.json");
  const args = ["--from-terraform", "-", "--out", out, "--api-url", "http://127.0.0.1:1"];
  const { code, stdout, stderr } = await run("import", args, { PATH: "/nonexistent", ...KEYS }, text);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^error: .*\n$/);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain("SECRET");
  expect(readdirSync(directory)).toEqual(["node_modules"]);
});

testOnShell("hostile keys are safe in names, code, messages, tables and commands", async () => {
  const keys = [
    "a\nb",
    'it\'s "quoted" $(id) `id`',
    "$" + "{x} %{y}",
    "\u202eabc",
    "__proto__",
    "k".repeat(10_000),
    "/",
    "##vso[x]",
  ];
  const projects = keys.map((key, index) => ({
    key,
    id: `0c0c0c0c-0000-4000-8000-${String(index).padStart(12, "0")}`,
  }));
  const seed: Seed = {
    organizations: [
      { keys: [{ key: KEYS.DYNAMICLINK_API_KEY }], projects: projects.map(({ id }) => ({ id, name: "P" })) },
    ],
  };
  const state = {
    version: 4,
    resources: [
      {
        mode: "managed",
        type: "dynamiclink_project",
        name: "x",
        provider: 'provider["registry.example/platform/dynamiclink"]',
        instances: projects.map(({ key, id }) => ({ index_key: key, attributes: { id, name: "P" } })),
      },
    ],
  };
  await withService(seed, async (service) => {
    const directory = newDirectory();
    const environment = { ...withStubbedCli(service, []), ...KEYS };
    const out = join(directory, "import.json");
    const ended = await run(
      "import",
      ["--from-terraform", "-", "--out", out],
      environment,
      JSON.stringify(state),
    );
    expect(ended.code).toBe(0);
    const { resources } = importFileAt(out);
    expect(resources.map(({ name }) => name)).toEqual([
      "x-a-b",
      "x-it-s-quoted-id-id",
      "x-x-y",
      "x-abc",
      "x-proto",
      `x-${"k".repeat(40)}`,
      "x",
      "x-vso-x",
    ]);
    // Everything that is printed is visible, and no command of a CI system.
    expect(ended.stderr).not.toMatch(/[^\P{C}\n]|##vso/u);
    expect(ended.stderr).toContain(
      `\nAlso remove 2 objects whose addresses cannot be shown here. They are in ${join(directory, "import.names.csv")}.\n`,
    );
    const command = /^ {2}terraform state rm(?: \\\n {4}'.*?(?=(?: \\)?\n))+/m.exec(ended.stderr)?.[0];
    const shown = execFileSync("/bin/sh", ["-c", `terraform() { printf '%s\\n' "$@"; }\n${command}`]);
    expect(shown.toString().split("\n")).toEqual([
      "state",
      "rm",
      'dynamiclink_project.x["a\\nb"]',
      'dynamiclink_project.x["it\'s \\"quoted\\" $(id) `id`"]',
      'dynamiclink_project.x["$${x} %%{y}"]',
      'dynamiclink_project.x["\\u202eabc"]',
      'dynamiclink_project.x["__proto__"]',
      'dynamiclink_project.x["/"]',
      "",
    ]);
    const list = join(directory, "import.names.csv");
    const again = await run("import", ["--file", list, "--out", out, "--force"], environment);
    expect(again).toMatchObject({ code: 0, stdout: ended.stdout });
  });
});
