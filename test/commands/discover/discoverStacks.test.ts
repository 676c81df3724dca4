/** What `discover` writes is imported into stacks, and then previewed without changes. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { androidInfoShape, appleInfoShape } from "../../../provider/client/model";
import type { Behaviour, Emulator, NewApplication, Seed, SeedProject } from "../../../testing/emulator";
import type { TestStack } from "../../../testing/engine";
import { seedWith } from "../../support/values/organizations";
import { valid } from "../../support/values/shapeValues";
import { unicodeText } from "../../support/values/text";
import { fileWith, newDirectory } from "../directories";
import { filesIn, importFileIn, typeCheck } from "../generatedProgram";
import { requestsFor } from "../kinds";
import { HOSTILE_NAMES, largeSeed } from "../largeSeed";
import { MARKET, SHOP, SHOP_PROJECT, seedOfTwo } from "../objects";
import { programStacks } from "../programStacks";
import { pulumiIn, withCli } from "../pulumiClis";
import { compareFirst, discover, discoverFirst, run, WITHOUT_CLI } from "../run";
import { type StateEntry, stateOf } from "../states";
import { requestCounts, testsWith, withService } from "../testsWith";

const stackOf = programStacks();

const SEED = seedOfTwo([SHOP_PROJECT, { id: MARKET, name: "Market" }]);
const { test } = testsWith(SEED);

/** What a stack manages of it. */
const IN_STACK: StateEntry = { kind: "project", uuid: SHOP };

/** The ids of the protected objects, sorted. */
function protectedIn(stack: TestStack): (string | undefined)[] {
  const resources = stack.exportState().deployment.resources ?? [];
  return resources
    .filter(({ protect }) => protect)
    .map(({ id }) => id)
    .sort();
}

describe("40 projects, 120 applications and 30 domains with hostile names", () => {
  const large = testsWith(largeSeed());
  const directory = newDirectory();

  large.test(
    "are discovered with two requests per project, imported, and previewed and refreshed without changes",
    async (service) => {
      const { code, stdout, stderr } = await discover(service, directory);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain("40 projects, 120 applications, 30 custom domains");
      expect(requestCounts(service)).toEqual(requestsFor(40));

      const stack = stackOf(directory, service);
      expect((await stack.importFile(importFileIn(directory))).changes).toEqual({
        create: 1,
        import: 190,
      });
      const imported = stack
        .exportState()
        .deployment.resources?.map(({ inputs, outputs }) => ({ inputs, outputs }));
      expect((await stack.preview({ expectNoChanges: true })).changes).toEqual({ same: 191 });
      await stack.refresh({ expectNoChanges: true });
      // The imported state is exactly what the provider reads.
      expect(
        stack.exportState().deployment.resources?.map(({ inputs, outputs }) => ({ inputs, outputs })),
      ).toEqual(imported);
      expect((await stack.up({ expectNoChanges: true })).changes).toEqual({ same: 191 });
      expect(protectedIn(stack)).toHaveLength(190);
    },
  );

  test("lead to a program that compiles, as do programs with references to other stacks", async (service) => {
    for (const [index, output] of [SHOP, { "the shop": SHOP }, [MARKET, SHOP]].entries()) {
      const state = fileWith(stateOf("production", [IN_STACK], { shop: output }));
      const args = ["--state", state, "--reference", "production=shop"];
      const { out, code, stderr } = await compareFirst(service, ...args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      writeFileSync(join(directory, `program${index}.ts`), filesIn(out)["index.ts"] ?? "");
    }
    typeCheck(directory);
  });

  large.testOnCli("are imported, previewed and refreshed without changes on a real CLI", async (service) => {
    const { out } = await discoverFirst(service);
    const environment = { ...withCli(newDirectory()), DYNAMICLINK_READ_ONLY: "1" };
    const pulumi = (...args: string[]) => pulumiIn(out, environment, args);
    await pulumi("stack", "init", "test");
    await pulumi("import", "--file", "import.json", "--generate-code=false", "--yes");
    expect(await pulumi("preview", "--expect-no-changes", "--diff")).not.toContain("protect");
    await pulumi("refresh", "--yes", "--expect-no-changes");
    expect(await pulumi("preview", "--expect-no-changes")).toContain("191 unchanged");
  });
});

test.each([
  ["their UUID", []],
  ["an output of their stack", ["--reference", "production=shop"]],
])(
  "a program for what is unmanaged, which refers to managed projects by %s, is imported, and previewed without changes",
  async (service, _, args) => {
    const state = fileWith(stateOf("production", [IN_STACK], { shop: SHOP }));
    const { out } = await compareFirst(service, "--state", state, ...args);
    // Only a reference to a stack needs the engine's answer.
    const newResource = ({ id = "", inputs }: { readonly id?: string; readonly inputs: object }) => ({
      id,
      state: { ...inputs, outputs: { shop: SHOP } },
    });
    const stack = stackOf(out, service, args.length === 0 ? {} : { mocks: { newResource } });
    await stack.importFile(importFileIn(out));
    expect((await stack.preview({ expectNoChanges: true })).changes).toEqual({ same: 4 });
  },
);

test.each([
  [[], ["shop", "market", "shop-web", "links-shop-example"], ""],
  [["--protect", "projects"], ["shop", "market"], ""],
  [["--no-protect"], [], " --protect=false"],
])("with %j, the program protects %j", async (service, args, names, importOption) => {
  const { out, code, stdout } = await discoverFirst(service, ...args);
  expect(code).toBe(0);
  expect(stdout).toContain(`\n  pulumi import --file import.json --generate-code=false${importOption}\n`);
  const stack = stackOf(out, service);
  const { resources } = importFileIn(out);
  await stack.importFile(importFileIn(out), { protect: importOption === "" });
  expect((await stack.up({ expectNoChanges: true })).changes).toEqual({ same: 5 });
  expect(protectedIn(stack)).toEqual(
    resources
      .filter(({ name }) => names.includes(name))
      .map(({ id }) => id)
      .sort(),
  );
});

const EXAMPLE = resolve(__dirname, "../../../examples/existing-estate");
const EXAMPLE_SEED = JSON.parse(readFileSync(join(EXAMPLE, "seed.json"), "utf8")) as Seed;
testsWith(EXAMPLE_SEED).test(
  "the example with an existing estate matches what discover writes, has no changes, and keeps protected objects",
  async (service) => {
    const key = EXAMPLE_SEED.organizations[0]?.keys?.[0]?.key;
    const out = join(newDirectory(), "estate");
    await run("discover", ["--out", out, "--api-url", service.url], {
      ...WITHOUT_CLI,
      DYNAMICLINK_API_KEY: key,
    });
    expect(importFileIn(EXAMPLE)).toEqual(importFileIn(out));
    const stack = stackOf(EXAMPLE, service, { environment: { DYNAMICLINK_API_KEY: key } });
    await stack.importFile(importFileIn(EXAMPLE));
    await stack.up({ expectNoChanges: true });
    await stack.preview({ expectNoChanges: true });
    expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    // Everything is protected, so a destroy deletes nothing.
    await expect(stack.destroy()).rejects.toThrow(/protect/);
  },
);

/** Each run starts the engine, with many objects. */
const RUNS = 2;

function anyText(maxLength: number) {
  return (
    fc
      .oneof(
        fc.string({ unit: "grapheme", minLength: 1, maxLength }),
        unicodeText({ minLength: 1, maxLength }),
        fc.constantFrom(...HOSTILE_NAMES),
      )
      // JSON over HTTP has no lone surrogates.
      .map((text) => [...text.toWellFormed()].slice(0, maxLength).join(""))
  );
}

function optional<Value>(value: fc.Arbitrary<Value>) {
  return fc.option(value, { nil: null });
}

const createdAt = fc
  .date({ min: new Date("2020-01-01"), max: new Date("2025-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());

const application = fc.record({
  appType: fc.constantFrom("IOS", "ANDROID", "WEB"),
  appleInfo: optional(valid(appleInfoShape, "some")),
  androidInfo: optional(valid(androidInfoShape, "some")),
  createdAt,
}) as fc.Arbitrary<NewApplication>;
const customDomain = fc.record({
  hostname: anyText(20).map((text) => `${text.replace(/[\s/:?#@]/g, "-")}.example`),
  lifecycleStatus: fc.constantFrom("ACTIVE", "PENDING_DNS", "FAILED", "EXPIRED", "DELETING"),
  createdAt,
});
const project: fc.Arbitrary<SeedProject> = fc.record({
  name: anyText(100),
  defaultHookupMsg: optional(anyText(200)),
  createdAt,
  applications: fc.array(application, { maxLength: 4 }),
  customDomains: fc.array(customDomain, { maxLength: 2 }),
});
const behaviour: fc.Arbitrary<Partial<Behaviour>> = fc.record({
  absentInfoField: fc.constantFrom("null", "omit"),
  deriveAppId: fc.boolean(),
  storedForm: fc.constantFrom("asGiven", "normalized"),
});

/** What `discover` leaves out of an organization is reported; everything else is imported. */
async function roundTrip(service: Emulator): Promise<void> {
  const out = newDirectory();
  const { code, stdout, stderr } = await discover(service, out, "--json");
  expect([0, 2]).toContain(code);
  expect(stderr.split("\n").filter((line) => !/^(warning: .*| {2}.*)?$/.test(line))).toEqual([]);
  const file = importFileIn(out);
  const { problems } = JSON.parse(stdout) as { problems: { object?: { reason: string } }[] };
  const left = problems.filter(({ object }) =>
    ["DELETING", "undeclarable"].includes(object?.reason ?? ""),
  ).length;
  const { projects, applications, customDomains } = service.state;
  expect(file.resources).toHaveLength(projects.length + applications.length + customDomains.length - left);

  const stack = stackOf(out, service);
  await stack.importFile(file);
  await stack.preview({ expectNoChanges: true });
  await stack.refresh({ expectNoChanges: true });
}

test("any organization is discovered, imported, and previewed and refreshed without changes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(project, { minLength: 15, maxLength: 30 }),
      behaviour,
      async (projects, answers) => await withService(seedWith(projects), roundTrip, answers),
    ),
    // A failure shows its whole input; shrinking it would take many runs of the engine.
    { numRuns: RUNS, endOnFailure: true },
  );
});
