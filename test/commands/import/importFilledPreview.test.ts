/** `import --from-preview --from-terraform`: the UUIDs of a converted program, from the state of the configuration. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ImportEntry } from "../../../provider/hosts/importFileFormat";
import type { Emulator, Seed } from "../../../testing/emulator";
import { newDirectory } from "../directories";
import { withStubbedCli } from "../pulumiClis";
import { type Ended, linesOf, run } from "../run";
import { providerOf } from "../states";
import { testsWith } from "../testsWith";

const FIXTURES = join(__dirname, "..", "..", "fixtures", "terraform");
const SEED = JSON.parse(readFileSync(join(FIXTURES, "seed.json"), "utf8")) as Seed;
const { test, testOnShell } = testsWith(SEED);
const STATE = readFileSync(join(FIXTURES, "terraform.tfstate"), "utf8");
/** The sample, as `pulumi preview --import-file` writes it for the converted program with a provider for its alias. */
const PREVIEW = readFileSync(join(FIXTURES, "preview.json"), "utf8");
const KEYS = { DYNAMICLINK_API_KEY: "terraform-key-1", EUROPE_KEY: "terraform-key-eu" };

/** The UUIDs in the state, by the names that the converter gives to their addresses. */
const UUIDS = {
  shop: "edb4ad73-6c5e-48bd-a436-5686cf169371",
  shop_ios: "fdf1da5c-4f43-4136-a015-a602389ee53b",
  "web-0": "9fd560b3-d38b-4ab6-ad35-51e8df8a0c4a",
  "web-1": "e7d4182c-88f7-4862-a038-fabc3d8e0d9b",
  links: "ab001c34-8725-46b6-a2cd-fd4d7069d837",
  "campaign-Summer / 2026": "7dc9dc3c-d9de-429e-a64b-45de5f149f3b",
  "campaign-winter": "dcb9f5e8-d764-4267-af5b-5a3c71e3abef",
  "campaign-쇼핑": "854aebee-527b-4000-a61a-ccd119f748cb",
  eu: "4feeada7-e44d-4760-a21b-12150d91ce81",
  "brand-north-this": "df3d6f3b-e617-4de7-a74a-65c1e170f779",
  "brand-north-android": "58d05016-22be-4bd8-aa60-5118dcd037e5",
  "brand-north-thisCustomDomain": "7af43727-7821-4b19-a83b-d709c0bfff99",
  "brand-south-this": "04e1f8aa-a92e-4939-a34a-609cde9cb254",
  "brand-south-android": "2285a50a-6ce8-4e74-a8ad-3ebac5512ab5",
  "brand-south-thisCustomDomain": "118f6efb-feff-4735-ad76-bf73ca8a786c",
};
/** The lines about the sample that need no review. */
const OTHER = "Not imported: 1 resource of other providers (terraform_data.other).";

type Change<Value> = (value: Value) => unknown;
type Entry = { -readonly [Key in keyof ImportEntry]: ImportEntry[Key] };

/** The result of an import, and the entries that it wrote. */
interface Filled extends Ended {
  readonly entries: readonly Entry[] | undefined;
}

/** Fills the preview of the sample, both changed, into an import file. */
async function filled(
  service: Emulator,
  {
    preview = () => {},
    state = () => {},
    stateText,
    args = [],
    stack = [],
  }: {
    readonly preview?: Change<Entry[]>;
    readonly state?: Change<Record<string, unknown>[]>;
    readonly stateText?: string;
    readonly args?: readonly string[];
    readonly stack?: readonly object[];
  } = {},
): Promise<Filled> {
  const directory = newDirectory();
  const [previewFile, stateFile, out] = ["preview.json", "terraform.tfstate", "import.json"].map((name) =>
    join(directory, name),
  ) as [string, string, string];
  const file = JSON.parse(PREVIEW.replace("https://replaced.example", service.url));
  preview(file.resources);
  writeFileSync(previewFile, JSON.stringify(file));
  const content = JSON.parse(STATE);
  state(content.resources);
  writeFileSync(stateFile, stateText ?? JSON.stringify(content));
  const environment = { ...withStubbedCli(service, stack), ...KEYS };
  const options = ["--from-preview", previewFile, "--from-terraform", stateFile, "--out", out, ...args];
  const ended = await run("import", options, environment);
  const stderr = ended.stderr.replaceAll(`${directory}/`, "");
  const entries = existsSync(out) ? JSON.parse(readFileSync(out, "utf8")).resources : undefined;
  return { ...ended, stderr, entries };
}

/** The UUIDs that were filled in, by name. */
function uuidsOf({ entries = [] }: Filled): Record<string, string> {
  return Object.fromEntries(entries.flatMap(({ name, id }) => (id === undefined ? [] : [[name, id]])));
}

function named<Item extends { readonly name?: unknown }>(items: readonly Item[], name: string): Item {
  const item = items.find((each) => each.name === name);
  if (item === undefined) throw new Error(`The sample has no ${name}.`);
  return item;
}

function without<Item extends { readonly name?: unknown }>(items: Item[], name: string): void {
  items.splice(items.indexOf(named(items, name)), 1);
}

/** Expects an import that wrote nothing. Returns its errors. */
function refused(ended: Filled): string[] {
  expect({ code: ended.code, entries: ended.entries }).toEqual({ code: 1, entries: undefined });
  return linesOf(ended, "error");
}

testOnShell(
  "every resource gets the UUID of its address, with its component and its provider",
  async (service) => {
    const ended = await filled(service);
    expect(linesOf(ended, "error")).toEqual([]);
    expect(linesOf(ended, "warning")).toEqual([]);
    expect(uuidsOf(ended)).toEqual(UUIDS);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toBe("");
    expect(ended.stderr).toContain(OTHER);
    expect(ended.stderr).toContain(`'module.brand["north"].dynamiclink_custom_domain.this'`);
    const { entries = [] } = ended;
    expect(named(entries, "brand-north-thisCustomDomain")).toEqual({
      type: "dynamiclink:index:CustomDomain",
      name: "brand-north-thisCustomDomain",
      logicalName: "brand-north-this",
      id: UUIDS["brand-north-thisCustomDomain"],
      parent: "brand-north",
    });
    expect(named(entries, "eu")).toMatchObject({ id: UUIDS.eu, provider: "europe" });
    expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  },
);

describe("a provider alias that the program does not declare", () => {
  const dropped = (entries: Entry[]) => {
    delete named(entries, "eu").provider;
  };

  testOnShell("needs a choice", async (service) => {
    expect(refused(await filled(service, { preview: dropped }))).toEqual([
      expect.stringMatching(
        /^error: terraform\.tfstate has objects of the provider alias europe \(1 object\).*--provider europe=<name>$/,
      ),
      expect.stringContaining(`eu: There is no project ${UUIDS.eu} in organization `),
    ]);
  });

  testOnShell(
    "is refused if the state does not show it: the object is in another organization",
    async (service) => {
      const stateText = readFileSync(join(FIXTURES, "show.json"), "utf8");
      expect(refused(await filled(service, { preview: dropped, stateText }))).toEqual([
        expect.stringContaining(`eu: There is no project ${UUIDS.eu} in organization `),
        expect.stringContaining("terraform.tfstate does not have the provider aliases of the objects"),
      ]);
    },
  );

  testOnShell("is refused with a provider of another organization", async (service) => {
    const preview = (entries: Entry[]) => {
      dropped(entries);
      Object.assign(named(entries, "europe").inputs as object, { apiKeyEnvVar: "DYNAMICLINK_API_KEY" });
    };
    const ended = await filled(service, { preview, args: ["--provider", "europe=europe"] });
    expect(refused(ended)).toEqual([
      expect.stringContaining(`There is no project ${UUIDS.eu} in organization `),
    ]);
  });

  testOnShell.each([
    ["that the preview creates", "europe"],
    ["in the stack", "eu-provider"],
  ])("is imported with a provider %s, and reported", async (service, _place, provider) => {
    const stack = [providerOf("native", "eu-provider", { apiKeyEnvVar: "EUROPE_KEY", apiUrl: service.url })];
    const ended = await filled(service, {
      preview: dropped,
      args: ["--provider", `europe=${provider}`],
      stack,
    });
    expect(linesOf(ended, "error")).toEqual([]);
    expect(linesOf(ended, "warning")).toEqual([
      `warning: The program declares no provider for eu (${provider}): set the option provider of these resources. Otherwise the next preview uses the settings of the stack for them.`,
    ]);
    expect(named(ended.entries ?? [], "eu")).toMatchObject({ id: UUIDS.eu, provider });
    expect(ended.code).toBe(2);
  });
});

testOnShell(
  "data sources of the state are not missing: the converted program reads them",
  async (service) => {
    const ended = await filled(service, {
      state: (resources) => resources.push({ ...named(resources, "shop"), mode: "data", name: "read" }),
    });
    expect([ended.code, uuidsOf(ended)]).toEqual([0, UUIDS]);
    expect(ended.stderr).not.toContain("data source");
  },
);

testOnShell(
  "what has no counterpart is reported on both sides, and the rest is imported",
  async (service) => {
    const ended = await filled(service, {
      preview(entries) {
        named(entries, "links").name = "links2";
      },
      state: (resources) => without(resources, "shop_ios"),
    });
    expect(linesOf(ended, "warning")).toEqual([
      "warning: Not imported: 1 object of terraform.tfstate for which preview.json has no resource with the name that `pulumi convert` gives it (dynamiclink_custom_domain.links).",
      "warning: links2 (dynamiclink:index:CustomDomain) has no UUID yet, so it is not imported: the next `pulumi up` would create it.",
      "warning: shop_ios (dynamiclink:index:Application) has no UUID yet, so it is not imported: the next `pulumi up` would create it.",
    ]);
    const { shop_ios: _ios, links: _links, ...others } = UUIDS;
    expect(uuidsOf(ended)).toEqual(others);
    expect(ended.code).toBe(2);
    expect(ended.stderr).not.toContain("'dynamiclink_custom_domain.links'");
  },
);

testOnShell("a UUID that is in the preview's file stays", async (service) => {
  const ended = await filled(service, {
    preview(entries) {
      named(entries, "web-0").id = UUIDS["web-1"];
      without(entries, "web-1");
    },
  });
  expect(uuidsOf(ended)).toMatchObject({ "web-0": UUIDS["web-1"] });
  expect(linesOf(ended, "warning")).toEqual([
    expect.stringContaining("Not imported: 2 objects of terraform.tfstate"),
  ]);
});

testOnShell(
  "a component with the suffix that the converter adds for a name in use is found",
  async (service) => {
    const ended = await filled(service, {
      preview(entries) {
        const text = JSON.stringify(entries).replaceAll("brand-", "brandComponent-");
        entries.splice(0, entries.length, ...(JSON.parse(text) as Entry[]));
      },
    });
    expect(linesOf(ended, "warning")).toEqual([]);
    expect(uuidsOf(ended)).toMatchObject({ "brandComponent-north-this": UUIDS["brand-north-this"] });
  },
);

testOnShell("a resource in another component than its address is not matched", async (service) => {
  const ended = await filled(service, {
    preview(entries) {
      named(entries, "brand-north-this").parent = "brand-south";
    },
  });
  expect(uuidsOf(ended)).not.toHaveProperty("brand-north-this");
  expect(linesOf(ended, "warning")).toHaveLength(2);
});

testOnShell.each<[string, NonNullable<Parameters<typeof filled>[1]>, string]>([
  [
    "two addresses to which the converter gives one name",
    { state: (resources) => resources.push({ ...named(resources, "shop"), name: "campaign-winter" }) },
    'preview.json: project campaign-winter can be any of dynamiclink_project.campaign["winter"], dynamiclink_project.campaign-winter, because `pulumi convert` gives them the same name. Fill in the UUID manually.',
  ],
  [
    "two resources of one name in components of different types",
    {
      preview(entries) {
        const other = { name: "otherThis", logicalName: "brand-north-this", parent: "other" };
        entries.push(
          { type: "components:index:Other", name: "other", logicalName: "brand-north", component: true },
          { ...named(entries, "brand-north-this"), ...other },
        );
      },
    },
    'preview.json: project brand-north-this, otherThis can be any of module.brand["north"].dynamiclink_project.this, because `pulumi convert` gives them the same name. Fill in the UUIDs manually.',
  ],
  [
    "a state of another configuration",
    {
      state(resources) {
        const [north] = resources.filter(({ module }) => module === 'module.brand["north"]');
        resources.splice(0, resources.length, { ...north, module: 'module.my_brand["north"]' });
      },
    },
    'terraform.tfstate does not belong to preview.json: for none of its objects does the preview create a resource with the name that `pulumi convert` gives it, such as the application myBrand-north-android in the component myBrand-north for module.my_brand["north"].dynamiclink_application.android. Check that both are of the same configuration and workspace.',
  ],
  [
    "a provider other than the one that the program declares",
    { args: ["--provider", "europe=other"] },
    "preview.json, eu: the program declares the provider europe, and --provider says other for dynamiclink_project.eu. Use the same one in both.",
  ],
  [
    "a state without objects",
    { stateText: JSON.stringify({ version: 4, resources: [] }) },
    "terraform.tfstate has nothing to import: no dynamiclink_project,",
  ],
])("%s is refused", async (service, _, changes, error) => {
  expect(refused(await filled(service, changes))).toEqual([expect.stringContaining(`error: ${error}`)]);
});

test("the components of a preview have their parents", async () => {
  const ended = await run("import", ["--from-preview", "a.json", "--from-terraform", "b", "--parent", "c"]);
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining("omit --parent") });
});
