/** The command `whoami`. */
import { KEY, ORGANIZATION, seedWith } from "../support/values/organizations";
import { requestCounts } from "../support/values/requestCounts";
import { fileWith } from "./directories";
import { withStubbedCli } from "./pulumiClis";
import { failedWith, run, WITHOUT_CLI } from "./run";
import { providerOf, resourceOf } from "./states";
import { testsWith } from "./testsWith";

const READ_ONLY_KEY = "canary-read-key-of-whoami";
const [first, ...others] = seedWith().organizations;
const KEYS = [{ key: KEY }, { key: READ_ONLY_KEY, scopes: ["projects:read" as const] }];
const { test, testOnShell } = testsWith({ organizations: [{ ...first, keys: KEYS }, ...others] });

test("shows organization, key prefix, scopes and the sources of settings, with one request", async (service) => {
  const { code, stdout, stderr } = await run("whoami", ["--api-url", service.url]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(ORGANIZATION);
  expect(stdout).toContain(`key ${KEY.slice(0, 6)}…, from the environment variable DYNAMICLINK_API_KEY`);
  expect(stdout).toContain(`${service.url}, from --api-url`);
  expect(stdout).toMatch(/^ {2}project +yes +yes$/m);
  expect(requestCounts(service)).toEqual({ getCurrentApiCredential: 1 });
});

test("lists what a key cannot do, and exits with 0", async (service) => {
  const environment = { ...WITHOUT_CLI, DYNAMICLINK_API_KEY: READ_ONLY_KEY, DYNAMICLINK_READ_ONLY: "1" };
  const { code, stdout } = await run("whoami", ["--api-url", service.url, "--json"], environment);
  expect(stdout).not.toContain(READ_ONLY_KEY);
  expect({ code, ...JSON.parse(stdout) }).toEqual({
    code: 0,
    organizationId: ORGANIZATION,
    credentialId: expect.any(String),
    keyPrefix: READ_ONLY_KEY.slice(0, 6),
    scopes: ["projects:read"],
    settings: {
      apiUrl: { value: service.url, from: "--api-url" },
      apiKey: { from: "the environment variable DYNAMICLINK_API_KEY" },
      readOnly: { value: true, from: "the environment variable DYNAMICLINK_READ_ONLY" },
    },
    access: expect.arrayContaining([
      {
        ...{ kind: "project", missingToRead: [], missingToWrite: ["projects:write"] },
        missingToSeeContents: ["applications:read", "domains:read", "links:read"],
      },
      {
        ...{ kind: "application", missingToRead: ["applications:read"], missingToSeeContents: [] },
        missingToWrite: ["applications:read", "applications:write"],
      },
    ]),
  });
});

testOnShell("the settings of a stack or of a provider in it are used and named", async (service) => {
  const provider = providerOf("native", "team", { apiKeyEnvVar: "TEAM_KEY", apiUrl: service.url });
  const stub = withStubbedCli(service, [provider], { apiKeyEnvVar: "TEAM_KEY" });
  const inStack = expect.stringMatching(/^the configuration of stack /);
  for (const [args, from, variable] of [
    [[], inStack, "TEAM_KEY"],
    [["--config-file", "Pulumi.ci.yaml"], inStack, "FILE_KEY"],
    [["--provider", "team"], "provider team", "TEAM_KEY"],
  ] as const) {
    const { stdout } = await run("whoami", ["--json", ...args], { ...stub, [variable]: KEY });
    expect(JSON.parse(stdout).settings).toMatchObject({
      apiUrl: { value: service.url, from },
      apiKey: { from: `the environment variable ${variable}` },
      readOnly: { value: false, from: "the default" },
    });
  }
  expect(await run("whoami", ["--provider", "other"], stub)).toEqual(
    failedWith(
      "Stack test has no provider other of this package. Until it is deployed, set DYNAMICLINK_API_KEY to its key, and use --api-url with its URL in place of --provider.",
    ),
  );
});

const EACH = ["whoami", "discover", "compare", "domains"] as const;

testOnShell.each<[string, readonly object[], settings: object, key: string, message: string]>([
  [
    "without a key, names the providers of the stack",
    [
      providerOf("native", "default_0_4_0", {}),
      providerOf("dynamic", "default", {}),
      resourceOf("pulumi:providers:pulumi-nodejs", "of-others", { inputs: { "other:setting": "" } }),
      { ...providerOf("native", "old", { apiUrl: "" }), delete: true },
      providerOf("native", "europe", { apiKeyEnvVar: "EUROPE_KEY" }),
      providerOf("dynamic", "asia", { apiKeyEnvVar: "ASIA_KEY" }),
    ],
    {},
    "",
    "No API key: the environment variable DYNAMICLINK_API_KEY is blank. Stack test has the providers asia and europe: add --provider <name>.",
  ],
  [
    "without a URL, names the provider of the stack",
    [providerOf("dynamic", "asia", { apiKeyEnvVar: "ASIA_KEY" })],
    { apiUrl: null },
    KEY,
    "apiUrl is not set to the URL of the service. Stack test has the provider asia: add --provider asia.",
  ],
  [
    "without a key, in a stack without providers, does not advise to write the key anywhere",
    [],
    {},
    "",
    "No API key: the environment variable DYNAMICLINK_API_KEY is blank. Set it to an organization API key.",
  ],
])("each command, %s", async (service, _, resources, settings, key, message) => {
  const environment = { ...withStubbedCli(service, resources, settings), DYNAMICLINK_API_KEY: key };
  for (const command of EACH) expect(await run(command, [], environment)).toEqual(failedWith(message));
  expect(service.requests).toEqual([]);
});

test("each command names the scope that it lacks, and nothing that a program may need", async (service) => {
  const environment = { ...WITHOUT_CLI, DYNAMICLINK_API_KEY: READ_ONLY_KEY };
  for (const command of ["discover", "compare", "domains"] as const) {
    const state = command === "compare" ? ["--state", fileWith({ deployment: null })] : [];
    const { stderr } = await run(command, ["--api-url", service.url, ...state], environment);
    expect(stderr).toMatch(/lacks the scope \S+, which [^.]* needs\. Use a key that has it: scopes are /);
    expect(stderr).not.toMatch(/program|may need/);
  }
});

testOnShell("settings of the stack that Pulumi would refuse are errors", async (service) => {
  const settings = { redOnly: true, apiKey: { value: KEY, secret: false } };
  const environment = withStubbedCli(service, [], settings);
  const { code, stderr } = await run("whoami", [], environment);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^error: redOnly is not a setting .* did you mean readOnly\?.*contains dynamiclink:apiKey in plain text/s,
  );
  expect(stderr).not.toContain(KEY);
  expect(service.requests).toEqual([]);
});

test.each([
  ["a key that the service does not know", "canary-of-nobody", 401, "Set a valid key"],
  ["what the service objects to", KEY, 400, "Run this again"],
])("%s is an error with its request id and advice", async (service, _, key, status, advice) => {
  if (key === KEY) service.inject({ operation: "getCurrentApiCredential", effect: { status } });
  const environment = { ...WITHOUT_CLI, DYNAMICLINK_API_KEY: key };
  const { code, stdout, stderr } = await run("whoami", ["--api-url", service.url], environment);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(new RegExp(`${status} .*${service.requests[0]?.requestId}.*${advice}`, "s"));
  expect(stderr).not.toContain("whoami");
});
