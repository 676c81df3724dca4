/**
 * Credentials, scopes, read-only mode, programs for several organizations, and functions. The CLI runs all sources of a
 * key, because it passes configuration and environment to the providers, and one case of each further message.
 */
import {
  failureOf,
  KEY,
  ORGANIZATION,
  OTHER_KEY,
  OTHER_ORGANIZATION,
  operationsIn,
  readsIn,
  runScenarios,
  type Scenario,
  seedWith,
  writesIn,
} from "../support/stacks/scenarios";
import { FUNCTION_EXAMPLES, FUNCTION_SEED } from "../support/values/functionExamples";

const PROGRAM = 'new Project("shop", { name: "Shop" });';
const EXISTING = "0c0c0c0c-0000-4000-8000-000000000003";

const PLAIN_KEY_WARNING =
  /The stack's configuration contains dynamiclink:apiKey in plain text\. To encrypt it, run `pulumi config set --secret dynamiclink:apiKey`\./;

/** Each source of a key: the environment, and the configuration. */
const SOURCES: [
  name: string,
  environment: Record<string, string>,
  config: Record<string, string | { secret: string }>,
][] = [
  ["the key of the default variable is used", {}, {}],
  [
    "a key in the stack's configuration takes precedence over the variable",
    { DYNAMICLINK_API_KEY: "not-a-key-1" },
    { "dynamiclink:apiKey": { secret: KEY } },
  ],
  [
    "the variable that apiKeyEnvVar names is used",
    { TEAM_KEY: KEY, DYNAMICLINK_API_KEY: "not-a-key-2" },
    { "dynamiclink:apiKeyEnvVar": "TEAM_KEY" },
  ],
];

runScenarios("moving a stack to another organization", [
  {
    name: "is refused with the page that leads to the end: destroy with the old key, then up with the new one",
    onCli: "one host",
    async run({ stack, service }) {
      await stack.deploy(PROGRAM);
      await stack.environment({ DYNAMICLINK_API_KEY: OTHER_KEY });
      const page =
        "To move the stack to another organization on purpose, see docs/errors.md of pulumi-dynamiclink.";
      expect(await failureOf(stack.up())).toContain(page);
      expect(await failureOf(stack.destroy())).toContain(page);
      await stack.environment({ DYNAMICLINK_API_KEY: KEY });
      await stack.destroy();
      await stack.environment({ DYNAMICLINK_API_KEY: OTHER_KEY });
      await stack.up();
      expect(service.state.projects).toMatchObject([{ organizationId: OTHER_ORGANIZATION, name: "Shop" }]);
      await stack.preview({ expectNoChanges: true });
    },
  },
]);

runScenarios("credentials", [
  ...SOURCES.map(
    ([name, environment, config]): Scenario => ({
      name,
      onCli: "one host",
      environment,
      async run({ stack, service }) {
        await stack.configure({ "dynamiclink:apiUrl": service.url, ...config });
        await stack.deploy(PROGRAM);
        expect(service.state.projects).toHaveLength(1);
      },
    }),
  ),
  {
    name: "a refresh with a revoked key fails and removes nothing from the state",
    onCli: "one host",
    async run({ stack, service }) {
      await stack.deploy(PROGRAM);
      service.revokeKey(KEY);
      expect(await failureOf(stack.refresh())).toContain("401 Unauthorized");
      expect(await stack.resources()).toHaveLength(1);
    },
  },
]);

runScenarios("settings in the stack's configuration", [
  {
    name: "misspelt, they fail the program before any request, and the error says how to remove them",
    onCli: "one host",
    async run({ stack, service }) {
      await stack.configure({ "dynamiclink:apiUrl": service.url, "dynamiclink:readonly": "true" });
      for (const program of [PROGRAM, `await dynamiclink.getProject({ id: "${EXISTING}" });`])
        expect(await failureOf(stack.deploy(program))).toContain("`pulumi config rm dynamiclink:readonly`");
      expect(service.requests).toEqual([]);
    },
  },
]);

runScenarios("a key in plain text in the stack's configuration", [
  {
    name: "fails the program in preview, before Pulumi stores it in the state, and is reported for an explicit provider",
    onCli: "one host",
    only: "dynamic",
    environment: { DYNAMICLINK_API_KEY: undefined },
    async run({ stack, service }) {
      await stack.configure({ "dynamiclink:apiUrl": service.url, "dynamiclink:apiKey": KEY });
      for (const program of [PROGRAM, `await dynamiclink.getProject({ id: "${EXISTING}" });`]) {
        stack.program(program);
        for (const command of [() => stack.preview(), () => stack.up()])
          expect(await failureOf(command())).not.toContain(KEY);
      }
      expect(service.requests).toEqual([]);
      const { printed } = await stack.deploy(`
        const settings = new pulumi.Config("dynamiclink");
        const ours = new Provider("ours", { apiUrl: settings.require("apiUrl"), apiKey: settings.require("apiKey") });
        new Project("shop", { name: "Shop" }, { provider: ours });
      `);
      expect(printed).toMatch(PLAIN_KEY_WARNING);
      expect(printed).not.toContain(KEY);
      expect(await stack.stateText()).not.toContain(KEY);
    },
  },
  {
    name: "is reported in preview and up, and encrypted in the state",
    onCli: "one host",
    only: "native",
    environment: { DYNAMICLINK_API_KEY: undefined },
    async run({ stack, service }) {
      await stack.configure({ "dynamiclink:apiUrl": service.url, "dynamiclink:apiKey": KEY });
      stack.program(PROGRAM);
      for (const command of [() => stack.preview(), () => stack.up()]) {
        const { printed } = await command();
        expect(printed).toMatch(PLAIN_KEY_WARNING);
        expect(printed).not.toContain(KEY);
      }
      expect(await stack.stateText()).not.toContain(KEY);
      expect(service.state.projects).toHaveLength(1);
    },
  },
]);

runScenarios("scopes", [
  {
    name: "a preview of a project without projects:write fails, reports the scope, and advises read-only mode",
    onCli: "one host",
    async run({ stack, service }) {
      service.setScopes(KEY, ["projects:read"]);
      stack.program(PROGRAM);
      const message = await failureOf(stack.preview());
      expect(message).toContain("projects:write");
      expect(message).toContain("DYNAMICLINK_READ_ONLY=1");
      expect(readsIn(service)).toEqual(["getCurrentApiCredential 200"]);
    },
  },
  {
    name: "readOnly allows previews and refreshes with read scopes, and rejects every write before it is sent",
    onCli: "one host",
    async run({ stack, service }) {
      await stack.deploy(PROGRAM);
      service.setScopes(KEY, ["projects:read"]);
      await stack.environment({ DYNAMICLINK_READ_ONLY: "1" });
      service.clearRequests();
      await stack.preview({ expectNoChanges: true });
      await stack.refresh({ expectNoChanges: true });
      stack.program('new Project("shop", { name: "Market" });');
      await stack.preview();
      expect(await failureOf(stack.up())).toContain("read-only");
      expect(await failureOf(stack.destroy())).toContain("read-only");
      expect(writesIn(service)).toEqual([]);
      expect(await stack.resources()).toHaveLength(1);
    },
  },
  {
    name: "readOnly of the stack applies to an explicit provider to which the program does not pass it",
    only: "native",
    async run({ stack, service }) {
      const config = { "dynamiclink:apiUrl": service.url };
      const program = (name: string) => `
        class Plain extends pulumi.ProviderResource {}
        const ours = new Plain("dynamiclink", "ours", { apiUrl: ${JSON.stringify(service.url)} });
        new Project("shop", { name: "${name}" }, { provider: ours });
      `;
      await stack.configure({ ...config, "dynamiclink:readOnly": "true" });
      expect(await failureOf(stack.deploy(program("Shop")))).toContain("read-only");
      expect(writesIn(service)).toEqual([]);
      await stack.configure({ ...config, "dynamiclink:readOnly": "false" });
      await stack.up();
      service.clearRequests();
      // The configuration as it is now decides, not as it was when the provider was created.
      await stack.configure({ ...config, "dynamiclink:readOnly": "true" });
      expect(await failureOf(stack.deploy(program("Market")))).toContain("read-only");
      expect(await failureOf(stack.destroy())).toContain("read-only");
      expect(writesIn(service)).toEqual([]);
    },
  },
]);

function twoOrganizations(url: string) {
  return `
  const settings = { apiUrl: ${JSON.stringify(url)} };
  const ours = new Provider("ours", { ...settings, apiKeyEnvVar: "OUR_KEY" });
  const theirs = new Provider("theirs", { ...settings, apiKey: process.env.THEIR_KEY });
  class Team extends pulumi.ComponentResource {
    constructor(name: string, options: pulumi.ComponentResourceOptions) {
      super("scenario:index:Team", name, {}, options);
      new Project(name + "-shop", { name: "Shop" }, { parent: this });
    }
  }
  new Project("shop", { name: "Shop" }, { provider: ours });
  new Team("team", { providers: [theirs] });
`;
}

runScenarios("several organizations", [
  {
    name: "a component with two providers is an error in preview, because Pulumi would use only the last one",
    environment: { OUR_KEY: KEY, THEIR_KEY: OTHER_KEY, DYNAMICLINK_API_KEY: undefined },
    async run({ stack, service }) {
      const program = (list: string) =>
        twoOrganizations(service.url).replace("providers: [theirs]", `providers: ${list}`);
      stack.program(program("[ours, theirs]"));
      expect(await failureOf(stack.preview())).toContain("(ours, theirs)");
      expect(writesIn(service)).toEqual([]);
      stack.program(program("[theirs, theirs]"));
      await stack.preview();
    },
  },
  {
    name: "two providers in one program, one of them of a component, each manage their own organization",
    onCli: "one host",
    environment: { OUR_KEY: KEY, THEIR_KEY: OTHER_KEY, DYNAMICLINK_API_KEY: undefined },
    async run({ stack, service }) {
      await stack.deploy(twoOrganizations(service.url));
      expect(service.state.projects.map(({ organizationId }) => organizationId).sort()).toEqual([
        ORGANIZATION,
        OTHER_ORGANIZATION,
      ]);
      const owners = (await stack.resources()).map(({ name, outputs }) => [name, outputs.__organization]);
      expect(owners).toEqual([
        ["shop", ORGANIZATION],
        ["team-shop", OTHER_ORGANIZATION],
      ]);
      service.clearRequests();
      await stack.preview({ expectNoChanges: true });
      expect(readsIn(service)).toEqual(["getCurrentApiCredential 200", "getCurrentApiCredential 200"]);
      await stack.refresh({ expectNoChanges: true });
      await stack.destroy();
      expect(service.state.projects).toEqual([]);
    },
  },
  {
    name: "every command with another organization's key fails, reports both organizations and changes nothing",
    onCli: "both hosts",
    async run({ stack, service }) {
      await stack.deploy(PROGRAM);
      service.clearRequests();
      await stack.environment({ DYNAMICLINK_API_KEY: OTHER_KEY });
      for (const command of [
        () => stack.preview(),
        () => stack.up(),
        () => stack.refresh(),
        () => stack.destroy(),
      ]) {
        const message = await failureOf(command());
        expect(message).toContain(ORGANIZATION);
        expect(message).toContain(OTHER_ORGANIZATION);
      }
      expect(await stack.resources()).toHaveLength(1);
      expect([...new Set(readsIn(service))]).toEqual(["getCurrentApiCredential 200"]);
      expect(writesIn(service)).toEqual([]);
    },
  },
]);

runScenarios("an explicit provider", [
  {
    name: "does not use the stack's configuration",
    onCli: "one host",
    environment: { DYNAMICLINK_API_KEY: undefined },
    async run({ stack, service }) {
      await stack.configure({ "dynamiclink:apiUrl": service.url, "dynamiclink:apiKey": { secret: KEY } });
      stack.program(
        `new Project("shop", { name: "Shop" }, { provider: new Provider("bare", { apiUrl: ${JSON.stringify(service.url)} }) });`,
      );
      expect(await failureOf(stack.preview())).toMatch(/DYNAMICLINK_API_KEY is (not set|blank)/);
    },
  },
  {
    name: "is read-only if the stack's configuration says so, whatever its own argument",
    async run({ stack, service }) {
      await stack.configure({ "dynamiclink:apiUrl": service.url, "dynamiclink:readOnly": "true" });
      stack.program(`
        const ours = new Provider("ours", { apiUrl: ${JSON.stringify(service.url)}, readOnly: false });
        new Project("shop", { name: "Shop" }, { provider: ours });
      `);
      expect(await failureOf(stack.up())).toContain("read-only");
      expect(writesIn(service)).toEqual([]);
    },
  },
  {
    name: "fails without resources as well for each argument that is invalid, and no message shows its value",
    async run({ stack, service }) {
      const canary = "c4n4ry";
      for (const [args, reason] of [
        ['apiKey: " "', "apiKey is blank"],
        [`apiKeyEnvVar: pulumi.secret("1-${canary}")`, "apiKeyEnvVar must be the name of"],
        [`apiUrl: Promise.resolve("http://${canary}.example")`, "apiUrl must use https"],
        [`readOnly: pulumi.output("${canary}" as never)`, "readOnly must be true or false"],
      ] as const) {
        stack.program(`new Provider("own", { ${args} });`);
        const message = await failureOf(stack.preview());
        expect(message).toContain(`Provider own: ${reason}`);
        expect(message).not.toContain(canary);
      }
      expect(service.requests).toEqual([]);
    },
  },
]);

runScenarios("functions", [
  {
    name: "return every field in camelCase, with and without Inputs, and fail for what does not exist",
    onCli: "one host",
    behaviour: { domainAdvance: "manual" },
    seed: FUNCTION_SEED,
    async run({ stack, service }) {
      const examples = Object.entries(FUNCTION_EXAMPLES);
      const calls = examples.map(([name, { args }]) => {
        const given = (value: (uuid: string) => string) => {
          const fields = Object.entries(args).map(([field, uuid]) => `${field}: ${value(uuid)}`);
          return fields.length === 0 ? "" : `{ ${fields.join(", ")} }`;
        };
        return `${name}: {
          plain: await dynamiclink.${name}(${given((uuid) => `"${uuid}"`)}),
          output: dynamiclink.${name}Output(${given((uuid) => `pulumi.output("${uuid.toUpperCase()}")`)}),
          absent: await dynamiclink.${name}(${given(() => `"${OTHER_ORGANIZATION}"`)}).catch(({ message }) => message),
        }`;
      });
      const { outputs } = await stack.deploy(`export const results = { ${calls.join(", ")} };`);
      const absent = new RegExp(`There is no [a-z ]+ ${OTHER_ORGANIZATION} in organization ${ORGANIZATION}`);
      const expected = examples.map(([name, { args, result }]) => {
        const failure = Object.keys(args).length === 0 ? result : expect.stringMatching(absent);
        return [name, { plain: result, output: result, absent: failure }];
      });
      expect(outputs.results).toMatchObject(Object.fromEntries(expected));
      expect(writesIn(service)).toEqual([]);
    },
  },
  {
    name: "wait for what they depend on: the resources in a component, and those behind their arguments",
    onCli: "both hosts",
    seed: seedWith([{ id: EXISTING, name: "Existing" }]),
    async run({ stack, service }) {
      stack.program(`
        const team = new pulumi.ComponentResource("test:index:Team", "team");
        const shops = new pulumi.ComponentResource("test:index:Shops", "shops", {}, { parent: team });
        const shop = new Project("shop", { name: "Shop" }, { parent: shops });
        export const listed = dynamiclink.getProjectsOutput({ dependsOn: [team] }).projects.length;
        const projectId = shop.name.apply(() => "${EXISTING}");
        export const applications = dynamiclink.getApplicationsOutput({ projectId }).applications.length;
      `);
      await stack.preview();
      // The list is that of the names in use.
      expect(operationsIn(service)).toEqual(["listProjects"]);
      expect((await stack.up()).outputs).toEqual({ listed: 2, applications: 0 });
    },
  },
  {
    name: "of the dynamic host need a Provider where Pulumi refuses dynamic resources without one",
    onCli: "one host",
    only: "dynamic",
    seed: seedWith([{ id: EXISTING, name: "Existing" }]),
    async run({ stack, service }) {
      const lookUp = `dynamiclink.getProject({ id: "${EXISTING}" }`;
      for (const name of ["*", "pulumi-nodejs"]) {
        await stack.configure({
          "dynamiclink:apiUrl": service.url,
          "pulumi:disable-default-providers": JSON.stringify([name]),
        });
        stack.program(`await ${lookUp});`);
        expect(await failureOf(stack.preview())).toContain(
          `pulumi:disable-default-providers contains "${name}", so a function needs the option provider`,
        );
        expect(operationsIn(service)).toEqual([]);
      }
      stack.program(`
        const provider = new Provider("own", { apiUrl: new pulumi.Config("dynamiclink").require("apiUrl") });
        await ${lookUp}, { provider });
      `);
      await stack.preview();
      await stack.configure({
        "dynamiclink:apiUrl": service.url,
        "pulumi:disable-default-providers": '["dynamiclink"]',
      });
      stack.program(`await ${lookUp});`);
      await stack.preview();
    },
  },
  {
    name: "refuse an argument that they do not have",
    only: "dynamic",
    async run({ stack, service }) {
      stack.program(`await dynamiclink.getProject({ id: "${EXISTING}", name: "Existing" } as never);`);
      expect(await failureOf(stack.preview())).toContain(
        "name is not an argument of getProject; allowed: id.",
      );
      expect(operationsIn(service)).toEqual([]);
    },
  },
]);
