/** `discover` for several organizations: one directory each, with keys from variables or from providers of the stack. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Emulator, Seed } from "../../../testing/emulator";
import { KEY, ORGANIZATION, OTHER_KEY, OTHER_ORGANIZATION } from "../../support/values/organizations";
import { fileWith, newDirectory } from "../directories";
import { filesIn, importFileIn, writeProgram } from "../generatedProgram";
import { requestsFor } from "../kinds";
import { FOREIGN, SHOP, WEB } from "../objects";
import { callsOf, pulumiIn, withCli, withStubbedCli } from "../pulumiClis";
import { failedWith, run, WITHOUT_CLI } from "../run";
import { providerOf, stateOf } from "../states";
import { requestCounts, testsWith } from "../testsWith";

const THIRD_KEY = "third-key-of-the-first-organization";

const SEED: Seed = {
  organizations: [
    {
      id: ORGANIZATION,
      keys: [{ key: KEY }, { key: THIRD_KEY }],
      projects: [{ id: SHOP, name: "Shop", applications: [{ id: WEB, appType: "WEB" }] }],
    },
    { id: OTHER_ORGANIZATION, keys: [{ key: OTHER_KEY }], projects: [{ id: FOREIGN, name: "쇼핑몰" }] },
  ],
};

const { test, testOnShell, testOnCli } = testsWith(SEED);

const KEYS = {
  ...WITHOUT_CLI,
  DYNAMICLINK_API_KEY: undefined,
  EUROPE_KEY: KEY,
  ASIA_KEY: OTHER_KEY,
  SAME_KEY: THIRD_KEY,
  BAD_KEY: "unknown-key",
};

function discover(service: Emulator, ...args: string[]) {
  return run("discover", [...args, "--api-url", service.url], KEYS);
}

/** Writes programs for the organizations of these keys into a new directory. */
async function discoverKeys(service: Emulator, ...names: string[]) {
  const out = join(newDirectory(), "estate");
  return { out, ...(await discover(service, "--out", out, "--api-key-env-var", ...names)) };
}

test("each variable leads to a directory with a program that reads the key from it", async (service) => {
  const { out, code, stdout, stderr } = await discoverKeys(service, "EUROPE_KEY", "ASIA_KEY");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain(`Organization ${ORGANIZATION} (EUROPE_KEY): 1 project, 1 application`);
  expect(stdout).toContain(`5 files written to ${join(out, "EUROPE_KEY")}.\n`);
  expect(stdout).toContain(`\nOrganization ${OTHER_ORGANIZATION} (ASIA_KEY): 1 project, 0 applications`);
  expect(stdout).toContain(`  cd ${join(out, "ASIA_KEY")} && npm install`);
  expect(readdirSync(out).sort()).toEqual(["ASIA_KEY", "EUROPE_KEY"]);
  // Each organization has one project.
  const twice = Object.entries(requestsFor(1)).map(([operation, count]) => [operation, 2 * count]);
  expect(requestCounts(service)).toEqual(Object.fromEntries(twice));
  for (const [name, uuids] of [
    ["EUROPE_KEY", [SHOP, WEB]],
    ["ASIA_KEY", [FOREIGN]],
  ] as const) {
    const directory = join(out, name);
    expect(importFileIn(directory).resources.map(({ id }) => id)).toEqual(uuids);
    expect(parse(filesIn(directory)["Pulumi.yaml"] ?? "").config).toEqual({
      "dynamiclink:apiKeyEnvVar": { value: name },
      "dynamiclink:apiUrl": { value: service.url },
    });
  }
});

test("--json is a list that says which organization is where, also of one", async (service) => {
  const out = join(newDirectory(), "estate");
  const args = ["--out", out, "--json", "--api-key-env-var"];
  const { stdout } = await discover(service, ...args, "EUROPE_KEY", "--api-key-env-var", "ASIA_KEY");
  const organization = (source: string, organizationId: string, ...uuids: string[]) => ({
    source,
    organizationId,
    directory: join(out, source),
    objects: uuids.map((uuid) => ({ uuid })),
  });
  const europe = organization("EUROPE_KEY", ORGANIZATION, SHOP, WEB);
  const asia = organization("ASIA_KEY", OTHER_ORGANIZATION, FOREIGN);
  expect(JSON.parse(stdout)).toMatchObject({ organizations: [europe, asia] });
  const one = await discover(service, ...args, "EUROPE_KEY", "--force");
  expect(JSON.parse(one.stdout)).toMatchObject({ organizations: [europe] });
});

test("each organization is compared with the stacks, and the exit code is the worst", async (service) => {
  const entries = [
    { kind: "project", uuid: SHOP },
    { kind: "application", uuid: WEB },
    { kind: "project", uuid: FOREIGN, organizationId: OTHER_ORGANIZATION },
  ] as const;
  const keys = ["--api-key-env-var", "EUROPE_KEY", "ASIA_KEY"];
  const args = ["--check", ...keys, "--api-url", service.url, "--state"];
  const all = await run("compare", [...args, fileWith(stateOf("both", entries))], KEYS);
  expect([all.code, all.stdout.replaceAll(/: \d+ objects? compared.*$/gm, "").split("\n")]).toEqual([
    0,
    [
      `Organization ${ORGANIZATION} (EUROPE_KEY)`,
      "1 managed object of other organizations not compared.",
      "",
      `Organization ${OTHER_ORGANIZATION} (ASIA_KEY)`,
      "2 managed objects of other organizations not compared.",
      "",
    ],
  ]);
  const fewer = fileWith(stateOf("both", entries.slice(1)));
  const { code, stdout } = await run("compare", [...args, fewer, "--json"], KEYS);
  expect([code, JSON.parse(stdout)]).toMatchObject([
    2,
    {
      organizations: [
        { source: "EUROPE_KEY", organizationId: ORGANIZATION, counts: { unmanaged: 1 } },
        { source: "ASIA_KEY", organizationId: OTHER_ORGANIZATION, counts: { unmanaged: 0 } },
      ],
    },
  ]);
});

testOnShell(
  "keys of variables are used in place of the key of the stack, which is read once however many they are",
  async (service) => {
    const environment = { ...KEYS, ...withStubbedCli(service, [], { settings: { apiKey: KEY } }) };
    const args = ["--out", join(newDirectory(), "estate"), "--api-key-env-var", "EUROPE_KEY", "ASIA_KEY"];
    expect(await run("discover", args, environment)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Organization ${OTHER_ORGANIZATION} (ASIA_KEY)`),
    });
    expect(callsOf(environment)).toEqual(["version", "stack", "stack export", "config"]);
  },
);

describe("it writes nothing for", () => {
  test("two keys of one organization", async (service) => {
    const { out, ...ended } = await discoverKeys(service, "EUROPE_KEY", "SAME_KEY", "ASIA_KEY");
    expect(ended).toEqual(
      failedWith(
        `EUROPE_KEY and SAME_KEY belong to the same organization, ${ORGANIZATION}. Specify one of them.`,
      ),
    );
    expect(existsSync(out)).toBe(false);
  });

  test("keys that are not set or not valid, which are reported together and not shown", async (service) => {
    const keys = ["EUROPE_KEY", "NO_KEY", "BAD_KEY", KEY];
    const { out, code, stderr } = await discoverKeys(service, ...keys);
    expect(code).toBe(1);
    expect(stderr.trimEnd().split("\n")).toEqual([
      "error: NO_KEY: No API key: the environment variable NO_KEY is not set. Set it to an organization API key, or set apiKey.",
      expect.stringMatching(/^error: BAD_KEY: Reading the API credential failed: 401 Unauthorized/),
      expect.stringMatching(/^error: --api-key-env-var: apiKeyEnvVar must be the name of an environment/),
    ]);
    expect(existsSync(out)).toBe(false);
  });

  test("an organization that fails after another was read", async (service) => {
    service.inject({
      operation: "listApplications",
      match: FOREIGN,
      effect: { status: 500 },
      count: Number.POSITIVE_INFINITY,
    });
    const { out, code } = await discoverKeys(service, "EUROPE_KEY", "ASIA_KEY");
    expect([code, existsSync(out)]).toEqual([1, false]);
  });

  test("a provider without a stack", async (service) => {
    expect(await discover(service, "--out", "x", "--provider", "europe")).toEqual(
      failedWith(
        "--provider needs the stack that has the provider, but there is no Pulumi CLI on PATH. Select it with --stack.",
      ),
    );
    expect(existsSync("x")).toBe(false);
  });
});

describe("with providers of the stack", () => {
  testOnShell("each provider's settings are used, by name or URN", async (service) => {
    const apiUrl = service.url;
    const asia = providerOf("native", "asia\u009b/1", { apiKeyEnvVar: "ASIA_KEY", apiUrl });
    const environment = {
      ...withStubbedCli(service, [
        providerOf("dynamic", "europe", { apiKeyEnvVar: "EUROPE_KEY", apiUrl }),
        asia,
      ]),
      ...{ EUROPE_KEY: KEY, ASIA_KEY: OTHER_KEY, DYNAMICLINK_API_KEY: undefined },
    };
    const out = join(newDirectory(), "estate");
    const args = ["--out", out, "--provider", "europe", asia.urn];
    const { code, stdout, stderr } = await run("discover", args, environment);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`Organization ${ORGANIZATION} (europe): 1 project`);
    expect(stdout).toContain(`Organization ${OTHER_ORGANIZATION} (asia /1): 1 project`);
    expect(readdirSync(out).sort()).toEqual(["asia-1", "europe"]);
    expect(parse(filesIn(join(out, "asia-1"))["Pulumi.yaml"] ?? "")).toMatchObject({
      name: "asia-1",
      config: { "dynamiclink:apiKeyEnvVar": { value: "ASIA_KEY" } },
    });
    const again = await run("discover", [...args, "--json", "--force"], environment);
    expect(JSON.parse(again.stdout).organizations[1].source).toBe("asia /1");
  });

  testOnShell("a key that is an argument of the provider is used, and not written", async (service) => {
    const apiKey = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      plaintext: JSON.stringify(OTHER_KEY),
    };
    const asia = providerOf("dynamic", "asia", { apiKey, apiUrl: service.url });
    const out = join(newDirectory(), "estate");
    const { code } = await run(
      "discover",
      ["--out", out, "--provider", "asia"],
      withStubbedCli(service, [asia]),
    );
    expect(code).toBe(0);
    for (const text of Object.values(filesIn(join(out, "asia")))) expect(text).not.toContain(OTHER_KEY);
    expect(parse(filesIn(join(out, "asia"))["Pulumi.yaml"] ?? "").config).toEqual({
      "dynamiclink:apiUrl": { value: service.url },
    });
  });

  testOnCli("of a real CLI, with a variable or an encrypted key", async (service) => {
    const directory = newDirectory();
    const source = `import { Provider } from "pulumi-dynamiclink";
new Provider("europe", { apiKeyEnvVar: "EUROPE_KEY", apiUrl: "${service.url}" });
new Provider("asia", { apiKey: process.env.ASIA_KEY, apiUrl: "${service.url}" });
`;
    writeProgram(directory, source);
    const environment = { ...withCli(newDirectory()), EUROPE_KEY: KEY, ASIA_KEY: OTHER_KEY };
    await pulumiIn(directory, environment, ["stack", "init", "test"]);
    await pulumiIn(directory, environment, ["up", "--yes", "--skip-preview"]);
    const out = join(directory, "estate");
    const args = ["--out", out, "--cwd", directory, "--json", "--provider", "europe", "asia"];
    const { code, stdout, stderr } = await run("discover", args, environment);
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({
      organizations: [
        { source: "europe", organizationId: ORGANIZATION, directory: join(out, "europe") },
        { source: "asia", organizationId: OTHER_ORGANIZATION, directory: join(out, "asia") },
      ],
    });
    for (const text of Object.values(filesIn(join(out, "asia")))) expect(text).not.toContain(OTHER_KEY);
  });

  testOnShell(
    "an import file from which Pulumi generates the program names the provider",
    async (service) => {
      const asia = providerOf("native", "asia", { apiKeyEnvVar: "ASIA_KEY", apiUrl: service.url });
      const directory = newDirectory();
      writeFileSync(join(directory, "Pulumi.yaml"), "name: shops\nruntime: yaml\n");
      const environment = { ...withStubbedCli(service, [asia]), ASIA_KEY: OTHER_KEY };
      const out = join(directory, "estate");
      const { code } = await run(
        "discover",
        ["--out", out, "--cwd", directory, "--provider", "asia"],
        environment,
      );
      expect(code).toBe(0);
      expect(importFileIn(join(out, "asia"))).toEqual({
        nameTable: { asia: asia.urn },
        resources: [
          {
            type: "dynamiclink:index:Project",
            name: "쇼핑몰",
            id: FOREIGN,
            provider: "asia",
          },
        ],
      });
    },
  );

  testOnShell("a provider of another package fails", async (service) => {
    const urn = "urn:pulumi:dev::shops::pulumi:providers:aws::europe";
    const ended = await run("discover", ["--out", "x", "--provider", urn], withStubbedCli(service, []));
    const message = `europe: ${urn} is not a provider of this package. Its type must be`;
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});
