/** `import --from-preview --from-terraform`: the UUIDs of a converted program, from the state of the configuration. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parsePreviewFile } from "../../../cli/import/sources/previewFile";
import { filledPreview } from "../../../cli/import/sources/terraform/filledPreview";
import type { ImportEntry } from "../../../provider/hosts/importFileFormat";
import type { Emulator, Seed } from "../../../testing/emulator";
import { newDirectory } from "../directories";
import { importFileAt } from "../generatedProgram";
import { withStubbedCli } from "../pulumiClis";
import { linesOf, run } from "../run";
import { providerOf } from "../states";
import { testsWith } from "../testsWith";

const FIXTURES = join(__dirname, "..", "..", "fixtures", "terraform");
const SEED = JSON.parse(readFileSync(join(FIXTURES, "seed.json"), "utf8")) as Seed;
const { testOnShell } = testsWith(SEED);
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

type Entry = { -readonly [Key in keyof ImportEntry]: ImportEntry[Key] };

/** How the preview and the state of the sample are changed, and the values of `--provider`. */
interface Changes {
  preview?(entries: Entry[]): unknown;
  state?(resources: Record<string, unknown>[]): unknown;
  readonly stateText?: string;
  readonly providers?: readonly string[];
}

function changedPreview({ preview }: Changes): string {
  const file = JSON.parse(PREVIEW);
  preview?.(file.resources);
  return JSON.stringify(file);
}

function changedState({ state, stateText }: Changes): string {
  if (stateText !== undefined) return stateText;
  const content = JSON.parse(STATE);
  state?.(content.resources);
  return JSON.stringify(content);
}

/** What is selected: UUIDs and providers by name, and what is reported. */
function selected(changes: Changes) {
  const { providers = [] } = changes;
  const state = { file: "terraform.tfstate", content: changedState(changes), providers };
  const parsed = parsePreviewFile(changedPreview(changes), "preview.json");
  const selection = filledPreview(parsed, { file: "preview.json", state });
  return {
    ...selection,
    uuids: Object.fromEntries(selection.requests.map(({ name, uuid }) => [name, uuid])),
  };
}

function named<Item extends { readonly name?: unknown }>(items: readonly Item[], name: string): Item {
  const item = items.find((each) => each.name === name);
  if (item === undefined) throw new Error(`The sample has no ${name}.`);
  return item;
}

function without<Item extends { readonly name?: unknown }>(items: Item[], name: string): void {
  items.splice(items.indexOf(named(items, name)), 1);
}

/** A provider alias that the program does not declare. */
function undeclared(entries: Entry[]): void {
  delete named(entries, "eu").provider;
}

const { shop_ios: _ios, links: _links, ...OTHERS } = UUIDS;
const { "web-1": _web, ...WITHOUT_WEB } = UUIDS;
const { "brand-north-this": _north, ...WITHOUT_NORTH } = UUIDS;

test.each<[string, Changes, ReturnType<typeof selected>["uuids"], (readonly string[])?]>([
  ["every resource gets the UUID of its address", {}, UUIDS],
  ["a provider may be the one that the program declares", { providers: ["europe=europe"] }, UUIDS],
  [
    "also by its logical name",
    {
      preview(entries) {
        named(entries, "europe").logicalName = "eu-west";
      },
      providers: ["europe=eu-west"],
    },
    UUIDS,
  ],
  [
    "data sources of the state are not missing: the converted program reads them",
    { state: (resources) => resources.push({ ...named(resources, "shop"), mode: "data", name: "read" }) },
    UUIDS,
  ],
  [
    "what has no counterpart is reported on both sides",
    {
      preview(entries) {
        named(entries, "links").name = "links2";
      },
      state: (resources) => without(resources, "shop_ios"),
    },
    OTHERS,
    [
      "Not imported: 1 object of terraform.tfstate for which preview.json has no resource with the name that `pulumi convert` gives it (dynamiclink_custom_domain.links).",
      "links2 (dynamiclink:index:CustomDomain) has no UUID yet, so it is not imported: the next `pulumi up` would create it.",
      "shop_ios (dynamiclink:index:Application) has no UUID yet, so it is not imported: the next `pulumi up` would create it.",
    ],
  ],
  [
    "a UUID that is in the preview's file stays",
    {
      preview(entries) {
        named(entries, "web-0").id = UUIDS["web-1"];
        without(entries, "web-1");
      },
    },
    { ...WITHOUT_WEB, "web-0": UUIDS["web-1"] },
    [expect.stringContaining("Not imported: 2 objects of terraform.tfstate")],
  ],
  [
    "a component with the suffix that the converter adds for a name in use is found",
    {
      preview(entries) {
        const text = JSON.stringify(entries).replaceAll("brand-", "brandComponent-");
        entries.splice(0, entries.length, ...(JSON.parse(text) as Entry[]));
      },
    },
    Object.fromEntries(
      Object.entries(UUIDS).map(([name, uuid]) => [name.replace("brand-", "brandComponent-"), uuid]),
    ),
  ],
  [
    "a resource in another component than its address is not matched",
    {
      preview(entries) {
        named(entries, "brand-north-this").parent = "brand-south";
      },
    },
    WITHOUT_NORTH,
    [expect.stringContaining("1 object of terraform.tfstate"), expect.stringContaining("has no UUID yet")],
  ],
  ...["europe", "eu-provider"].map((provider): [string, Changes, typeof UUIDS, readonly string[]] => [
    `an alias that the program does not declare is imported with ${provider}, and reported`,
    { preview: undeclared, providers: [`europe=${provider}`] },
    UUIDS,
    [
      `The program declares no provider for eu (${provider}): set the option provider of these resources. Otherwise the next preview uses the settings of the stack for them.`,
    ],
  ]),
])("%s", (_, changes, uuids, leftOut = []) => {
  const found = selected(changes);
  expect({ uuids: found.uuids, leftOut: found.leftOut, problems: found.problems }).toEqual({
    uuids,
    leftOut,
    problems: [],
  });
  expect(found.notes).toEqual(["Not imported: 1 resource of other providers (terraform_data.other)."]);
  // What the preview creates is imported with it.
  const { provider } = named(found.requests, "eu");
  const isInStack = changes.providers?.includes("europe=eu-provider") === true;
  expect([provider, found.support.some(({ name }) => name === provider)]).toEqual(
    isInStack ? ["eu-provider", false] : ["europe", true],
  );
});

test("a state that does not show aliases has advice for an object that is not found", () => {
  const stateText = readFileSync(join(FIXTURES, "show.json"), "utf8");
  const { problems, adviceIfMissing } = selected({ preview: undeclared, stateText });
  expect([problems, adviceIfMissing]).toEqual([
    [],
    expect.stringContaining("terraform.tfstate does not have the provider aliases of the objects"),
  ]);
});

test.each<[string, Changes, string]>([
  [
    "a provider alias that the program does not declare",
    { preview: undeclared },
    "terraform.tfstate has objects of the provider alias europe (1 object). An alias can have another organization, so specify the provider in the stack that stands for it: --provider europe=<name>",
  ],
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
    { providers: ["europe=other"] },
    "preview.json, eu: the program declares the provider europe, and --provider says other for dynamiclink_project.eu. Use the same one in both.",
  ],
  [
    "a state without objects",
    { stateText: JSON.stringify({ version: 4, resources: [] }) },
    "terraform.tfstate has nothing to import: no dynamiclink_project,",
  ],
])("%s is a problem", (_, changes, problem) => {
  const { problems, leftOut } = selected(changes);
  expect(problems).toEqual([expect.stringContaining(problem)]);
  expect(leftOut.filter((line) => line.startsWith("Not imported"))).toEqual([]);
});

/** Runs the command with the sample, and returns what it wrote as well. */
async function filled(service: Emulator, changes: Changes, stack: readonly object[]) {
  const directory = newDirectory();
  const [preview = "", state = "", out = ""] = ["preview.json", "terraform.tfstate", "import.json"].map(
    (name) => join(directory, name),
  );
  writeFileSync(preview, changedPreview(changes).replace("https://replaced.example", service.url));
  writeFileSync(state, changedState(changes));
  const environment = { ...withStubbedCli(service, stack), ...KEYS };
  const providers = (changes.providers ?? []).flatMap((one) => ["--provider", one]);
  const files = ["--from-preview", preview, "--from-terraform", state, "--out", out];
  const ended = await run("import", [...files, ...providers], environment);
  return { ...ended, entries: importFileAt(out).resources };
}

testOnShell("each object is read with the key of its provider, and written with it", async (service) => {
  const ended = await filled(service, {}, []);
  expect({ code: ended.code, stdout: ended.stdout, warnings: linesOf(ended, "warning") }).toEqual({
    code: 0,
    stdout: "",
    warnings: [],
  });
  expect(ended.stderr).toContain(`'module.brand["north"].dynamiclink_custom_domain.this'`);
  expect(named(ended.entries, "eu")).toMatchObject({ id: UUIDS.eu, provider: "europe" });
  expect(named(ended.entries, "brand-north-thisCustomDomain")).toEqual({
    type: "dynamiclink:index:CustomDomain",
    name: "brand-north-thisCustomDomain",
    logicalName: "brand-north-this",
    id: UUIDS["brand-north-thisCustomDomain"],
    parent: "brand-north",
  });
});

testOnShell("a provider in the stack stands for an alias, and the exit code is 2", async (service) => {
  const provider = providerOf("native", "eu-provider", { apiKeyEnvVar: "EUROPE_KEY", apiUrl: service.url });
  const changes = { preview: undeclared, providers: ["europe=eu-provider"] };
  const ended = await filled(service, changes, [provider]);
  expect([ended.code, linesOf(ended, "warning")]).toEqual([
    2,
    [expect.stringContaining("warning: The program declares no provider for eu (eu-provider)")],
  ]);
  expect(named(ended.entries, "eu")).toMatchObject({ id: UUIDS.eu, provider: "eu-provider" });
});
