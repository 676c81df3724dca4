/** `discover --terraform-state`: the objects in a state, their names, and what is left out. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TerraformObject, terraformObjects } from "../../../cli/discover/terraformState";
import type { Seed } from "../../../testing/emulator";
import { ROOT } from "../../release/package/programs";
import { programStack } from "../../support/stacks/programStack";
import { OTHER_ORGANIZATION } from "../../support/values/organizations";
import { requestCounts } from "../../support/values/requestCounts";
import { fileWith, newDirectory } from "../directories";
import { NONE, SHOP, WEB } from "../objects";
import { withStubbedCli } from "../pulumiClis";
import { failedWith, run, WITHOUT_CLI } from "../run";
import { stateOf } from "../states";
import { testsWith } from "../testsWith";

const FIXTURES = join(ROOT, "test", "fixtures", "terraform");
const STATE = join(FIXTURES, "terraform.tfstate");
const SHOWN = join(FIXTURES, "show.json");
const seed = JSON.parse(readFileSync(join(FIXTURES, "seed.json"), "utf8")) as Seed;
const environment = { ...WITHOUT_CLI, DYNAMICLINK_API_KEY: "terraform-key-1" };
const { test: testOnService, testOnShell } = testsWith(seed);

type Resource = Partial<Record<"module" | "mode" | "type" | "provider", string>> & {
  readonly instance?: object;
};

/** A state of format 4 with one resource. */
function stateWith({ instance = {}, ...resource }: Resource): string {
  const common = { mode: "managed", type: "dynamiclink_project", name: "shop", provider: 'provider["a/b"]' };
  const instances = [{ attributes: { id: SHOP }, ...instance }];
  return JSON.stringify({ version: 4, resources: [{ ...common, ...resource, instances }] });
}

const DEFAULTS = { name: "shop", alias: "" };
test.each<[string, Resource, Partial<TerraformObject>]>([
  ["a resource", {}, { address: "dynamiclink_project.shop", ...DEFAULTS, kind: "project", uuid: SHOP }],
  ["count", { instance: { index_key: 0 } }, { address: "dynamiclink_project.shop[0]", name: "shop-0" }],
  [
    "for_each with quotes and a template",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of Terraform.
    { instance: { index_key: 'a "b" ${c}' } },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the same.
    { address: 'dynamiclink_project.shop["a \\"b\\" $${c}"]', name: 'shop-a "b" ${c}' },
  ],
  [
    "modules",
    { module: 'module.my_brand["north.1"].module.eu[2]' },
    {
      address: 'module.my_brand["north.1"].module.eu[2].dynamiclink_project.shop',
      name: "myBrand-north.1-eu-2-shop",
    },
  ],
  [
    "for_each with control characters and a backslash",
    { instance: { index_key: "new\nline\b\\t\u{e0041}\u200b" } },
    {
      address: 'dynamiclink_project.shop["new\\nline\\u0008\\\\t\\U000e0041\\u200b"]',
      name: "shop-new\nline\b\\t\u{e0041}\u200b",
    },
  ],
  ["a module with quotes in its key", { module: 'module.brand["a \\"b\\""]' }, { name: 'brand-a "b"-shop' }],
  ["a module whose name has other underscores", { module: "module.Big__Name_2" }, { name: "bigName2-shop" }],
  ["a provider alias", { provider: 'provider["registry.example/a/b"].europe' }, { alias: "europe" }],
  ["an alias in a module", { provider: 'module.x.provider["registry.example/b"].eu' }, { alias: "eu" }],
  ["an upper-case UUID", { instance: { attributes: { id: WEB.toUpperCase() } } }, { uuid: WEB }],
  ["a tainted object", { instance: { status: "tainted" } }, { problem: expect.stringMatching(/^tainted/) }],
  ["a deposed object", { instance: { deposed: "abcd1234" } }, { problem: expect.stringMatching(/^deposed/) }],
  ["an id that is not a UUID", { instance: { attributes: null } }, { problem: "its id is not a UUID" }],
  [
    "a resource that this package does not have",
    { type: "dynamiclink_link" },
    { kind: undefined, problem: "this package has no such resource" },
  ],
])("%s", (_, resource, expected) => {
  expect(terraformObjects(stateWith(resource), "state.json")).toEqual([expect.objectContaining(expected)]);
});

test.each([
  ["a data source", { mode: "data" }],
  ["a resource of another provider without an id", { type: "other_project", instance: { attributes: {} } }],
])("%s is ignored", (_, resource) => {
  expect(terraformObjects(stateWith(resource), "state.json")).toEqual([]);
});

function shownWith(members: object): string {
  return JSON.stringify({ format_version: "1.2", ...members });
}

test.each([
  ["an empty state", '{ "version": 4, "resources": [] }'],
  ["a state that was never written", shownWith({})],
  ["a shown state without resources", shownWith({ values: { root_module: {} } })],
])("%s is empty", (_, text) => expect(terraformObjects(text, "state.json")).toEqual([]));

test.each([
  ["a text", "canary", "JSON:"],
  ["an older format", '{ "version": 3, "modules": [] }', "a state of format 4."],
  ["a plan", shownWith({ planned_values: {}, prior_state: { values: {} } }), "a state of format 4."],
  ["values without a module", shownWith({ values: { outputs: {} } }), "a state of format 4."],
  ["a state without resources", '{ "version": 4 }', "a state of format 4."],
  ["an incomplete resource", stateWith({ provider: null as never }), "a state of format 4."],
])("%s is rejected without being shown", (_, text, expected) => {
  expect(() => terraformObjects(text, "state.json")).toThrow(new RegExp(`^state\\.json is not ${expected} `));
});

test("both formats have the same objects, apart from the alias", () => {
  const [state, shown] = [STATE, SHOWN].map((file) =>
    terraformObjects(readFileSync(file, "utf8"), file).map(({ alias: _, ...rest }) => JSON.stringify(rest)),
  );
  expect(shown?.toSorted()).toEqual(state?.toSorted());
  expect(state).toHaveLength(15);
});

const LEFT_OUT =
  /^Left out, because organization \S+ has no object of their provider alias: 1 object\. Run this with the key of their organization as well:\n {2}project dynamiclink_project\.eu \(provider alias europe\) \(4feeada7-\S+\)\n/;

testOnService("a state with modules is adopted, without what the key does not find", async (service) => {
  const out = join(newDirectory(), "adopted");
  const args = ["--terraform-state", STATE, "--api-url", service.url, "--out", out];
  const { code, stderr } = await run("discover", args, environment);
  expect([code, stderr]).toEqual([0, expect.stringMatching(LEFT_OUT)]);
  expect(stderr).toContain("\n  terraform state rm 'dynamiclink_project.campaign[\"Summer / 2026\"]'\n");
  expect(stderr).not.toContain("rm dynamiclink_project.eu");
  const requests = { getCurrentApiCredential: 1, getProject: 7, getApplication: 5, getCustomDomain: 3 };
  expect(requestCounts(service)).toEqual(requests);
  await using stack = programStack({
    service,
    program: out,
    environment: { ...environment, DYNAMICLINK_READ_ONLY: "1" },
  });
  const { resources } = await stack.up();
  const names = resources.map(({ type, name }) => `${type.replace(/^.*:/, "")} ${name}`);
  expect(names).toEqual(
    expect.arrayContaining([
      ...["Project shop", "Project campaign-Summer / 2026", "Application shop_ios", "Application web-0"],
      ...["Project brand-north-this", "CustomDomain brand-north-this"],
    ]),
  );
  await stack.preview({ expectNoChanges: true });
  const native = await run("discover", [...args.slice(0, 4), "--native"], environment);
  const converted = "  # If `pulumi convert` has written the program, use --import-file instead.\n";
  expect(native.stderr).toContain(converted);
});

testOnService("a state with a duplicate lists it once", async (service) => {
  const [first] = JSON.parse(stateWith({})).resources;
  const twice = { version: 4, resources: [first, { ...first, name: "again" }] };
  const args = ["--terraform-state", fileWith(twice), "--json", "--api-url", service.url];
  const { code, stdout } = await run("discover", args, environment);
  expect([code, JSON.parse(stdout).leftOut]).toMatchObject([
    2,
    [
      { name: "dynamiclink_project.again", reason: "it is the same object as dynamiclink_project.shop" },
      {
        name: "dynamiclink_project.shop",
        reason: expect.stringMatching(/has no such object; if it was not deleted, use the key of its/),
      },
    ],
  ]);
});

const SEEDED = String(seed.organizations[0]?.projects?.[0]?.id);
const IN_EUROPE = { provider: 'provider["a/b"].europe' };

testOnShell.each<[string, Resource, string, code: number, leftOut: readonly string[], elsewhere: number]>([
  ["of a provider alias of which none is found belongs to another key", IN_EUROPE, SHOP, 0, [], 1],
  ["of a provider alias of which one is found is missing", {}, SHOP, 2, ["dynamiclink_project.shop"], 0],
  ["that the stack manages with another key is not left out", {}, NONE, 0, [], 0],
])("an object %s", async (service, _, resource, id, code, leftOut, elsewhere) => {
  const states = [
    stateWith({ instance: { attributes: { id: SEEDED } } }),
    stateWith({ ...resource, instance: { attributes: { id } } }),
  ];
  const resources = states.flatMap((state) => JSON.parse(state).resources);
  const file = fileWith({ version: 4, resources });
  const foreign = { kind: "project", uuid: NONE, organizationId: OTHER_ORGANIZATION } as const;
  const { deployment } = stateOf("test", [foreign]);
  const stub = { ...withStubbedCli(service, deployment.resources), DYNAMICLINK_API_KEY: "terraform-key-1" };
  const ended = await run("discover", ["--terraform-state", file, "--json"], stub);
  const values = JSON.parse(ended.stdout);
  const names = values.leftOut.map(({ name }: { name: string }) => name);
  expect([ended.code, names, values.elsewhere.length]).toEqual([code, leftOut, elsewhere]);
});

type Entry = Readonly<Record<string, string>>;
const ENTRY = { type: "dynamiclink:index:Project", name: "shop", id: "<PLACEHOLDER>" };
const LISTED = { ...ENTRY, id: SEEDED };
const OTHER = { ...ENTRY, name: "b" };
const NAMED = { ...ENTRY, name: "a", logicalName: "shop", parent: "brand" };
const OF_OTHERS = { type: "other:index:Thing", name: "c" };
const REMOVAL = "  terraform state rm dynamiclink_project.shop\n";
const IMPORTED = `  pulumi preview
  pulumi up
  pulumi preview --refresh --expect-no-changes
  # Then remove the objects from the Terraform state, with tofu for OpenTofu. This does not destroy them:
`;

testOnShell.each<[string, readonly Entry[], readonly Entry[] | undefined, code: number, printed: string]>([
  ["a resource of that name", [ENTRY], [LISTED], 0, `${IMPORTED}${REMOVAL}`],
  ["a logical name", [NAMED, OF_OTHERS], [{ ...NAMED, id: SEEDED }, OF_OTHERS], 0, REMOVAL],
  ["the UUID under another name", [{ ...LISTED, name: "b" }], undefined, 0, REMOVAL],
  ["the UUID under another name, too", [{ ...LISTED, name: "b" }, ENTRY], undefined, 2, ":\n  shop\n"],
  ["another resource, too", [ENTRY, OTHER], [LISTED, OTHER], 2, ":\n  b\n"],
  ["another type", [{ ...ENTRY, type: "dynamiclink:index:Application" }], undefined, 2, "no resource shop"],
  ["the name twice", [ENTRY, ENTRY], undefined, 2, "several resources of the import file have the name shop"],
  ["another UUID", [{ ...ENTRY, id: WEB }], undefined, 2, "the import file has another UUID for shop"],
])(
  "a list with %s gets the UUIDs of the state, and is left as it is otherwise",
  async (service, _, resources, expected = resources, code, printed) => {
    const list = { nameTable: { brand: "urn" }, resources };
    const [state] = [stateWith({ instance: { attributes: { id: SEEDED } } })];
    const [stateFile, file] = [fileWith(state), fileWith(list, "import.json")];
    const args = ["--terraform-state", stateFile, "--import-file", file, "--api-url", service.url];
    const ended = await run("discover", args, environment);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ ...list, resources: expected });
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(printed)]);
    // What lacks a UUID would be created.
    expect([ended.stderr.includes(REMOVAL), ended.stderr.includes("pulumi import")]).toEqual(
      Array(2).fill(code === 0),
    );
  },
);

testOnService("an object is written into a list once, and removed under each address", async (service) => {
  const instance = { attributes: { id: SEEDED } };
  const again = JSON.parse(stateWith({ module: "module.again", instance })).resources;
  const tainted = { ...instance, status: "tainted" };
  // As the converter names a module that has the name of a variable.
  const inModule = { ...ENTRY, name: "againComponent-shop" };
  for (const [first, expected, code] of [
    [{ instance }, [LISTED, inModule], 2],
    [{ instance: tainted }, [ENTRY, { ...LISTED, name: inModule.name }], 2],
  ] as const) {
    const resources = [...JSON.parse(stateWith(first)).resources, ...again];
    const file = fileWith({ resources: [ENTRY, inModule] }, "import.json");
    const args = ["--terraform-state", fileWith({ version: 4, resources }), "--import-file", file];
    const runOnce = () => run("discover", [...args, "--api-url", service.url], environment);
    const ended = await runOnce();
    expect([ended.code, JSON.parse(readFileSync(file, "utf8"))]).toEqual([code, { resources: expected }]);
    // The program cannot declare it twice.
    writeFileSync(file, JSON.stringify({ resources: expected.filter(({ id }) => id === SEEDED) }));
    expect((await runOnce()).stderr).toContain(
      `${REMOVAL}  terraform state rm module.again.dynamiclink_project.shop\n`,
    );
  }
});

testOnService("objects of one name are not written into a list, whichever the key finds", async (service) => {
  const inModule = { module: 'module.a["b"]', instance: { attributes: { id: SEEDED } } };
  const other = { module: "module.a-b", instance: { attributes: { id: NONE } } };
  const resources = [inModule, other].flatMap((one) => JSON.parse(stateWith(one)).resources);
  const list = { resources: [{ ...ENTRY, name: "a-b-shop" }] };
  const file = fileWith(list, "import.json");
  const args = ["--terraform-state", fileWith({ version: 4, resources }), "--import-file", file, "--json"];
  const { code, stdout } = await run("discover", [...args, "--api-url", service.url], environment);
  expect([code, JSON.parse(readFileSync(file, "utf8"))]).toEqual([2, list]);
  const names = JSON.parse(stdout).leftOut.map(({ name }: { name: string }) => name);
  expect(names).toEqual(["module.a-b.dynamiclink_project.shop", 'module.a["b"].dynamiclink_project.shop']);
});

test.each([
  ["without a state", ["--import-file", "import.json"], "--import-file needs --terraform-state"],
  ["that is no list", ["--terraform-state", STATE, "--import-file", STATE], "is not a list of resources"],
])("an import file %s is refused", async (_, args, message) => {
  expect(await run("discover", args, environment)).toEqual(failedWith(new RegExp(message)));
});
