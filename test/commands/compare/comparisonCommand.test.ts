/** `compare`: the command, its output and its exit codes. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../../testing/emulator";
import { KEY, ORGANIZATION, OTHER_ORGANIZATION, seedWith } from "../../support/values/organizations";
import { fileWith, newDirectory } from "../directories";
import { requestsFor } from "../kinds";
import { ABSENT, DOMAIN, IOS, MARKET, SHOP, SHOP_PROJECT, WEB } from "../objects";
import { withStubbedCli } from "../pulumiClis";
import { type Ended, failedWith, run, WITHOUT_CLI } from "../run";
import { CANARY, type StateEntry, stateOf, urnOf } from "../states";
import { requestCounts, testsWith } from "../testsWith";

const SEED = seedWith([
  {
    ...SHOP_PROJECT,
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
const gone: StateEntry = { kind: "customDomain", uuid: ABSENT, name: "gone" };

/** Runs the command. Nothing in a state but types, URNs and UUIDs may be printed. */
async function compare(service: Emulator, args: readonly string[], input?: string): Promise<Ended> {
  const ended = await run("compare", [...args, "--api-url", service.url], WITHOUT_CLI, input);
  expect(ended.stdout + ended.stderr).not.toContain(CANARY);
  return ended;
}

const nativeShop = { ...shop, native: true };
const foreign = { ...market, uuid: ABSENT, organizationId: OTHER_ORGANIZATION };

/** Files with the states of two stacks. */
function twoStates(): readonly string[] {
  return [fileWith(stateOf("dev", [shop, web, gone])), fileWith(stateOf("prod", [nativeShop, foreign]))];
}

test("it prints what no stack manages, what several manage, and what is missing", async (service) => {
  expect(await compare(service, ["--state", ...twoStates()])).toEqual({
    code: 0,
    stdout: `Organization ${ORGANIZATION}: 5 objects compared with 2 stacks: 2 managed (40%), 3 unmanaged, 1 managed more than once, 1 missing.
1 managed object of other organizations not compared.

Unmanaged: in the service, and in no stack.
  TYPE           NAME                UUID                                  PROJECT
  project        Market              ${MARKET}
  application    IOS Shop            ${IOS}  쇼핑몰
  custom domain  links.shop.example  ${DOMAIN}  쇼핑몰

Managed more than once: whichever resource is destroyed first deletes the object.
  TYPE     NAME    UUID                                  URN
  project  쇼핑몰  ${SHOP}  ${urnOf("dev", shop)}
                                                         ${urnOf("prod", nativeShop)}

Missing: in a stack, and not in the service.
  TYPE           URN                                                                           UUID
  custom domain  ${urnOf("dev", gone)}  ${ABSENT}
`,
    stderr: expect.stringMatching(
      /^warning: 1 application cannot be imported\. .*:\n {2}IOS Shop in project 쇼핑몰 \(\S+\): appleInfo\.appScheme is required.*\n$/,
    ),
  });
  expect(requestCounts(service)).toEqual(requestsFor(2));
});

test("--json prints the same for scripts", async (service) => {
  const { stdout } = await compare(service, ["--json", "--state", ...twoStates()]);
  const inShop = { projectId: SHOP, projectName: "쇼핑몰" };
  const problem = expect.stringMatching(/^application \S+ cannot be imported/);
  expect(JSON.parse(stdout)).toEqual({
    organizationId: ORGANIZATION,
    stacks: ["estate/dev", "estate/prod"],
    counts: {
      objects: 5,
      managed: 2,
      managedPercent: 40,
      unmanaged: 3,
      managedMoreThanOnce: 1,
      missing: 1,
      notCompared: 0,
      inOtherOrganizations: 1,
    },
    unmanaged: [
      { kind: "project", name: "Market", uuid: MARKET },
      { kind: "application", name: "IOS Shop", uuid: IOS, ...inShop, problem },
      { kind: "customDomain", name: "links.shop.example", uuid: DOMAIN, ...inShop },
    ],
    managedMoreThanOnce: [
      {
        kind: "project",
        name: "쇼핑몰",
        uuid: SHOP,
        urns: [urnOf("dev", shop), urnOf("prod", nativeShop)],
      },
    ],
    missing: [{ kind: "customDomain", uuid: ABSENT, urn: urnOf("dev", gone) }],
    notCompared: [],
    problems: [
      {
        kind: "application",
        uuid: IOS,
        object: {
          name: "IOS Shop",
          projectName: "쇼핑몰",
          reason: "undeclarable",
          detail: expect.stringMatching(/^appleInfo\.appScheme is required/),
        },
        message: problem,
      },
    ],
  });
});

const EVERYTHING = [shop, market, web, ios, domain];

test("--check succeeds when stacks manage exactly the organization, and says so in one line", async (service) => {
  const state = JSON.stringify(stateOf("dev", EVERYTHING));
  const foreign = { ...shop, uuid: ABSENT, organizationId: OTHER_ORGANIZATION };
  const other = fileWith(stateOf("other", [foreign, foreign]));
  // The same stack from standard input and from a file is one stack.
  const args = ["--check", "--state", "-", "--state", fileWith(state), other];
  expect(await compare(service, args, state)).toEqual({
    code: 0,
    stdout: `Organization ${ORGANIZATION}: 5 objects compared with 2 stacks: 5 managed (100%), 0 unmanaged, 0 managed more than once, 0 missing.\n1 managed object of other organizations not compared.\n`,
    stderr: "",
  });
});

test("--check exits with 2 if there is a difference; without it, the exit code is 0", async (service) => {
  const state = fileWith(stateOf("dev", [shop, market, web, ios]));
  for (const [options, code] of [
    [["--check"], 2],
    [[], 0],
  ] as const) {
    const stdout = expect.stringContaining("1 unmanaged, 0 managed more than once, 0 missing.");
    expect(await compare(service, [...options, "--state", state])).toEqual({ code, stdout, stderr: "" });
  }
});

test.each([
  ["--unmanaged", "--unmanaged and --state", "compare"],
  ["--check", "--state and --check", "compare --check"],
])("discover %s is the same as compare, and says so once", async (service, option, options, command) => {
  const args = ["--state", fileWith(stateOf("dev", [shop])), "--api-url", service.url];
  const compared = await run("compare", [...command.split(" ").slice(1), ...args]);
  expect(await run("discover", [option, ...args])).toEqual({
    ...compared,
    stderr: `${options}: comparing with stacks is the command \`pulumi-dynamiclink ${command}\` now. It has the same other options.\n${compared.stderr}`,
  });
});

describe("what could not be read is not missing, and the exit code is 2:", () => {
  test("a kind for which the key has no scope", async (service) => {
    service.setScopes(KEY, ["projects:read", "applications:read"]);
    for (const options of [[], ["--check"]]) {
      const { code, stdout, stderr } = await compare(service, [
        ...options,
        "--state",
        fileWith(stateOf("dev", EVERYTHING)),
      ]);
      expect(code).toBe(2);
      expect(stdout).toContain("0 unmanaged, 0 managed more than once, 0 missing, 1 not compared.");
      expect(stdout).toContain(`  custom domain  ${urnOf("dev", domain)}  ${DOMAIN}\n`);
      expect(stderr).toMatch(/^warning: No custom domains were read\. The API key canary… lacks .*\n$/);
    }
  });

  test.each([
    ["whose content the service forbids", 403, "0 missing, 1 not compared."],
    ["that is deleted meanwhile", 404, "0 missing, 4 not compared."],
  ])("a project %s", async (service, _, status, counts) => {
    service.inject({ operation: "listCustomDomains", match: SHOP, effect: { status } });
    const { code, stdout } = await compare(service, [
      "--check",
      "--state",
      fileWith(stateOf("dev", EVERYTHING)),
    ]);
    expect([code, stdout]).toEqual([2, expect.stringContaining(counts)]);
  });
});

testOnShell(
  "without --stack and --state, the selected stack is compared and has the settings",
  async (service) => {
    const selected = stateOf("selected", [shop, market]) as { deployment: { resources: object[] } };
    const environment = withStubbedCli(service, selected.deployment.resources);
    const { code, stdout } = await run("compare", ["--check", "--json"], environment);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      2,
      { stacks: ["estate/selected"], counts: { objects: 5, managed: 2 } },
    ]);
    expect(stdout).not.toContain(CANARY);

    // With a file, the selected stack has only the settings.
    const args = ["--check", "--json", "--state", fileWith(stateOf("dev", EVERYTHING))];
    const other = await run("compare", args, environment);
    expect([other.code, JSON.parse(other.stdout)]).toMatchObject([
      0,
      { stacks: ["estate/dev"], counts: { objects: 5, managed: 5 } },
    ]);
  },
);

testOnShell("the host of the project does not matter, and is not mentioned", async (service) => {
  const directory = newDirectory();
  writeFileSync(join(directory, "Pulumi.yaml"), "name: estate\nruntime: python\n");
  const args = ["--check", "--cwd", directory, "--state", fileWith(stateOf("dev", EVERYTHING))];
  const ended = await run("compare", args, withStubbedCli(service, []));
  expect([ended.code, ended.stderr]).toEqual([0, ""]);
});

test("--project compares only these projects", async (service) => {
  const args = ["--check", "--project", MARKET, "--state", fileWith(stateOf("dev", [market, gone]))];
  expect(await compare(service, args)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 object compared with 1 stack: 1 managed (100%)"),
  });
});

testsWith(seedWith([])).test("an organization without objects has no percentage", async (service) => {
  expect(await compare(service, ["--check", "--state", fileWith(stateOf("dev", []))])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("0 objects compared with 1 stack: 0 managed, 0 unmanaged"),
  });
});

describe("it fails with one line, without a request, for", () => {
  const state = JSON.stringify(stateOf("dev", EVERYTHING));
  test.each<[readonly string[], string | RegExp, string?]>([
    [
      ["--reference", "dev=shop", "--state", "-"],
      "--reference is for a program: specify its directory with --out or --split.",
    ],
    [
      ["--out", "x", "--split", "x"],
      "--out writes one program and --split one for each project. Use one of them.",
    ],
    // It would be the current directory.
    [["--out", "", "--force"], "The directory is empty. To write to the current one, specify a dot."],
    [["--split", "", "--force"], "The directory is empty. To write to the current one, specify a dot."],
    [
      ["--check"],
      "There is no stack to compare with: there is no Pulumi CLI on PATH. Specify stacks with --stack, or files with the output of `pulumi stack export` with --state.",
    ],
    [["--check", "--state", "absent.json"], "There is no file absent.json."],
    [
      ["--check", "--state", "-", "--state", "-"],
      "--state - is given twice, but standard input can be read only once.",
    ],
    [["--check", "--state", "-"], /^error: Standard input is not JSON: [^"]*\.\n$/, state.slice(0, -20)],
    [
      ["--check", "--state", "-"],
      "Standard input is not the state of a stack. Write it with `pulumi stack export --file <file>`.",
      JSON.stringify({ resources: [CANARY] }),
    ],
  ])("%j: %s", async (service, args, message, ...[input = state]) => {
    const ended = await compare(service, args, input);
    expect(ended).toEqual(failedWith(message));
    expect(ended.stderr).toMatch(/^error: [^\n]*\n$/);
    expect(service.requests).toEqual([]);
    expect(existsSync("x")).toBe(false);
  });

  test("a stack, without a CLI", async () => {
    expect(await run("compare", ["--check", "--stack", "dev"])).toEqual(
      failedWith(
        "Stack dev cannot be read: there is no Pulumi CLI on PATH. Specify a file with the output of `pulumi stack export` with --state instead.",
      ),
    );
  });
});

testsWith(seedWith([{ id: SHOP, name: KEY }])).test(
  "names and URNs that contain the key are not printed",
  async (service) => {
    const entries = [{ ...gone, name: KEY }];
    for (const more of [[], ["--json"]]) {
      // The output is searched for the key where the command runs.
      const { stdout } = await compare(service, [
        "--check",
        "--state",
        fileWith(stateOf("dev", entries)),
        ...more,
      ]);
      expect(stdout.match(/\*\*\*/g)).toHaveLength(2);
    }
  },
);
