/** `compare`: the command, its output and its exit codes. */
import type { Emulator, FaultEffect } from "../../../testing/emulator";
import { KEY, ORGANIZATION, OTHER_ORGANIZATION, seedWith } from "../../support/values/organizations";
import { requestCounts } from "../../support/values/requestCounts";
import { fileWith } from "../directories";
import { DOMAIN, FULL_SHOP, IOS, MARKET, NONE, requestsFor, SHOP, WEB } from "../objects";
import { withStubbedCli } from "../pulumiClis";
import { type Ended, failedWith, run, WITHOUT_CLI } from "../run";
import { CANARY, type StateEntry, stateOf, urnOf } from "../states";
import { testsWith } from "../testsWith";

const SEED = seedWith([
  {
    ...FULL_SHOP,
    name: "쇼핑몰",
    applications: [
      { id: WEB, appType: "WEB", createdAt: "2024-01-01T00:00:00.000Z" },
      { id: IOS, appType: "IOS", appleInfo: { appName: "Shop" }, createdAt: "2024-01-02T00:00:00.000Z" },
    ],
  },
  { id: MARKET, name: "Market", createdAt: "2024-01-02T00:00:00.000Z" },
]);

const { test, testOnShell } = testsWith(SEED);

const shop: StateEntry = { kind: "project", uuid: SHOP, name: "shop" };
const market: StateEntry = { kind: "project", uuid: MARKET, name: "market", native: true };
const web: StateEntry = { kind: "application", uuid: WEB, name: "web" };
const ios: StateEntry = { kind: "application", uuid: IOS, name: "ios" };
const domain: StateEntry = { kind: "customDomain", uuid: DOMAIN, name: "links" };
const gone: StateEntry = { kind: "customDomain", uuid: NONE, name: "gone" };

/** Runs the command. Nothing in a state but types, URNs and UUIDs may be printed. */
async function compare(service: Emulator, args: readonly string[], input?: string): Promise<Ended> {
  const ended = await run("compare", [...args, "--api-url", service.url], WITHOUT_CLI, input);
  expect(ended.stdout + ended.stderr).not.toContain(CANARY);
  return ended;
}

const nativeShop = { ...shop, native: true };
const foreign = { ...market, uuid: NONE, organizationId: OTHER_ORGANIZATION };

/** Files with the states of two stacks. */
function twoStates(): readonly string[] {
  return [fileWith(stateOf("dev", [shop, web, gone])), fileWith(stateOf("prod", [nativeShop, foreign]))];
}

test("it prints what no stack manages, what several manage, and what is missing", async (service) => {
  expect(await compare(service, ["--state", ...twoStates()])).toEqual({
    code: 0,
    stdout: `Organization ${ORGANIZATION}: 5 objects compared with 2 stacks: 3 unmanaged, 1 managed more than once, 1 missing, 1 of other organizations not compared.

Unmanaged: in the service, and in no stack. \`npx pulumi-dynamiclink discover <uuid>\` writes their code, in YAML, Python and Go with --native.
  TYPE           NAME                UUID                                  PROJECT
  project        Market              ${MARKET}
  application    IOS Shop            ${IOS}  쇼핑몰
  custom domain  links.shop.example  ${DOMAIN}  쇼핑몰

Managed more than once: whichever resource is destroyed first deletes the object.
  TYPE     NAME    UUID                                  URN
  project  쇼핑몰  ${SHOP}  ${urnOf("dev", shop)}
  project  쇼핑몰  ${SHOP}  ${urnOf("prod", nativeShop)}

Missing: in a stack, and not in the service.
  TYPE           URN                                                                           UUID
  custom domain  ${urnOf("dev", gone)}  ${NONE}
`,
    stderr: "",
  });
  expect(requestCounts(service)).toEqual({ ...requestsFor(2), getCustomDomain: 1 });
});

test("--json prints the same for scripts", async (service) => {
  const { stdout } = await compare(service, ["--json", "--state", ...twoStates()]);
  const inShop = { projectId: SHOP, projectName: "쇼핑몰" };
  expect(JSON.parse(stdout)).toEqual({
    organizationId: ORGANIZATION,
    stacks: ["estate/dev", "estate/prod"],
    counts: {
      ...{ objects: 5, unmanaged: 3, managedMoreThanOnce: 1 },
      ...{ missing: 1, notCompared: 0, inOtherOrganizations: 1 },
    },
    unmanaged: [
      { kind: "project", name: "Market", uuid: MARKET },
      { kind: "application", name: "IOS Shop", uuid: IOS, ...inShop },
      { kind: "customDomain", name: "links.shop.example", uuid: DOMAIN, ...inShop },
    ],
    managedMoreThanOnce: [
      { kind: "project", name: "쇼핑몰", uuid: SHOP, urns: [urnOf("dev", shop), urnOf("prod", nativeShop)] },
    ],
    missing: [{ kind: "customDomain", uuid: NONE, urn: urnOf("dev", gone) }],
    notCompared: [],
  });
});

const EVERYTHING = [shop, market, web, ios, domain];

test("--check succeeds when stacks manage exactly the organization, and says so in one line", async (service) => {
  const state = JSON.stringify(stateOf("dev", EVERYTHING));
  const other = fileWith(stateOf("other", [foreign]));
  const args = ["--check", "--state", "-", "--state", other];
  expect(await compare(service, args, state)).toEqual({
    code: 0,
    stdout: `Organization ${ORGANIZATION}: 5 objects compared with 2 stacks: 0 unmanaged, 0 managed more than once, 0 missing, 1 of other organizations not compared.\n`,
    stderr: "",
  });
  expect(requestCounts(service)).toEqual(requestsFor(2));
});

test.each([
  [["--check"], 2, 1],
  [[], 0, 1],
  [["--check", "--ignore", DOMAIN.toUpperCase()], 0, 0],
])("with an unmanaged object, %j exits with %d", async (service, options, code, unmanaged) => {
  const state = fileWith(stateOf("dev", [shop, market, web, ios]));
  const stdout = expect.stringContaining(`${unmanaged} unmanaged, 0 managed more than once, 0 missing.`);
  expect(await compare(service, [...options, "--state", state])).toEqual({ code, stdout, stderr: "" });
});

describe("what could not be read is not missing, and the exit code is 2:", () => {
  test("an object that is new, and that the service does not show", async (service) => {
    const young = { ...gone, created: service.clock.now().toISOString() };
    const states = ["--state", fileWith(stateOf("dev", [...EVERYTHING, young]))];
    const { code, stdout, stderr } = await compare(service, ["--check", ...states]);
    expect([code, stdout]).toEqual([2, expect.stringContaining("0 missing, 1 not compared.")]);
    expect(stderr).toContain(`does not show custom domain ${NONE}, which was created a moment ago.`);
    service.clock.advance(60_000);
    expect(await compare(service, states)).toMatchObject({ stdout: expect.stringContaining("1 missing.") });
  });

  test("a kind for which the key has no scope", async (service) => {
    service.setScopes(KEY, ["projects:read", "applications:read"]);
    const states = ["--state", fileWith(stateOf("dev", EVERYTHING))];
    for (const options of [[], ["--check"]]) {
      const { code, stdout, stderr } = await compare(service, [...options, ...states]);
      expect(code).toBe(2);
      expect(stdout).toContain("0 unmanaged, 0 managed more than once, 0 missing, 1 not compared.");
      expect(stdout).toContain(`  custom domain  ${urnOf("dev", domain)}  ${DOMAIN}\n`);
      expect(stderr).toMatch(/^warning: No custom domains were read\. The API key canary… lacks .*\n$/);
    }
  });

  const LATE = { delayMs: 1 };
  const noDomains = { body: { custom_domains: [] } };
  test.each<[string, FaultEffect, FaultEffect, number, string]>([
    ["the content of a project, if forbidden", { status: 403 }, LATE, 2, "0 missing, 1 not compared."],
    ["a project that is deleted meanwhile", { status: 404 }, LATE, 2, "0 missing, 4 not compared."],
    ["an object that a list lacks, on a proxy's 404", noDomains, { foreign: 404 }, 2, "1 not compared.\n"],
    ["nor is one that exists, and then the exit code is 0", noDomains, LATE, 0, "5 objects .* 0 missing.\n"],
  ])("%s", async (service, _, listed, read, code, counts) => {
    service.inject({
      operation: "listCustomDomains",
      match: ({ path }) => path.includes(SHOP),
      effect: listed,
    });
    service.inject({ operation: "getCustomDomain", effect: read });
    const args = ["--check", "--state", fileWith(stateOf("dev", EVERYTHING))];
    expect(await compare(service, args)).toMatchObject({ code, stdout: expect.stringMatching(counts) });
  });
});

testOnShell("by default, the selected stack is compared and has the settings", async (service) => {
  const selected = stateOf("selected", [shop, market]);
  const environment = withStubbedCli(service, selected.deployment.resources);
  const { code, stdout } = await run("compare", ["--check", "--json"], environment);
  const compared = { stacks: ["estate/selected"], counts: { objects: 5, unmanaged: 3 } };
  expect([code, JSON.parse(stdout)]).toMatchObject([2, compared]);
  expect(stdout).not.toContain(CANARY);

  // With a file, the selected stack has only the settings.
  const args = ["--check", "--json", "--state", fileWith(stateOf("dev", EVERYTHING))];
  const other = await run("compare", args, environment);
  const equal = { stacks: ["estate/dev"], counts: { objects: 5, unmanaged: 0 } };
  expect([other.code, JSON.parse(other.stdout)]).toMatchObject([0, equal]);
});

testOnShell("the settings are those of the first stack that has some here, in any order", async (service) => {
  const environment = withStubbedCli(service, []);
  for (const stacks of [["other", "test"], ["test", "other"], ["other"]])
    expect(await run("compare", ["--stack", ...stacks], environment)).toEqual(
      stacks.length > 1
        ? { code: 0, stdout: expect.stringContaining("compared with 2 stacks"), stderr: "" }
        : failedWith(
            "apiUrl is not set to the URL of the service. Run `pulumi config set dynamiclink:apiUrl https://… --stack other`, or this in the directory of the stack's project.",
          ),
    );
});

describe("it fails with one line, and reads no objects, for", () => {
  test.each<[readonly string[], string | RegExp, string?]>([
    [
      ["--check"],
      "There is nothing to compare with: with --api-url no stack is used. Specify stacks with --stack, or files with the output of `pulumi stack export` with --state.",
    ],
    [["--ignore", "links"], /^error: --ignore 1: .*UUID/],
    [["--check", "--state", "absent.json"], "There is no file absent.json."],
    [["--check", "--state", "-"], /^error: Standard input is not JSON: [^"]*\.\n$/, `{"${CANARY}": `],
    [
      ["--check", "--state", "-"],
      "Standard input is not the state of a stack. Write it with `pulumi stack export --file <file>`.",
      JSON.stringify({ resources: [CANARY] }),
    ],
    [["--stack", "dev"], /^error: --api-url is for use without a stack, and cannot be used with --stack\. /],
    [["--provider", "eu"], /^error: --api-url .* cannot be used with --provider\. /],
    [["--config-file", "ci.yaml"], /^error: --api-url .* cannot be used with --config-file\. /],
  ])("%j: %s", async (service, args, message, ...[input = ""]) => {
    const ended = await compare(service, args, input);
    expect(ended).toEqual(failedWith(message));
    expect(ended.stderr).toMatch(/^error: [^\n]*\n$/);
    expect(requestCounts(service).listProjects).toBeUndefined();
  });

  const NO_CLI = "there is no Pulumi CLI on PATH.";
  test.each([
    ["--stack", `Stack dev cannot be used: ${NO_CLI}`],
    ["--config-file", `--config-file needs its stack: ${NO_CLI} Select it with --stack.`],
  ])("%s, without a CLI", async (_service, option, message) => {
    expect(await run("compare", ["--check", option, "dev"])).toEqual(failedWith(message));
  });
});
