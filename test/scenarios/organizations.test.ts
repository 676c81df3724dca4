/**
 * Read-only mode, programs for several organizations, and functions. secrets/keys.test.ts has the sources of a key.
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
  seedWith,
  writesIn,
} from "../support/stacks/scenarios";
import { FUNCTION_EXAMPLES, FUNCTION_SEED } from "./functionExamples";

const PROGRAM = 'new Project("shop", { name: "Shop" });';
const EXISTING = "0c0c0c0c-0000-4000-8000-000000000003";

runScenarios("read-only mode", [
  {
    name: "readOnly allows previews and refreshes with read scopes, and rejects every write before it is sent",
    onCli: true,
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
    name: "readOnly of the stack applies to an explicit provider, whatever its own argument, and whatever its class",
    hosts: "both",
    async run({ stack, service, host }) {
      const program = (name: string) => `
        const apiUrl = ${JSON.stringify(service.url)};
        class Plain extends pulumi.ProviderResource {}
        const ours = ${host === "native"} ? new Plain("dynamiclink", "ours", { apiUrl }) : new Provider("ours", { apiUrl, readOnly: false });
        new Project("shop", { name: "${name}" }, { provider: ours });
      `;
      // The configuration as it is now decides, not as it was when the provider was created.
      for (const [readOnly, name] of [
        ["true", "Shop"],
        ["false", "Shop"],
        ["true", "Market"],
      ] as const) {
        await stack.configure({ "dynamiclink:apiUrl": service.url, "dynamiclink:readOnly": readOnly });
        const deployed = stack.deploy(program(name));
        if (readOnly === "true") expect(await failureOf(deployed)).toContain("read-only");
        else await deployed;
      }
      expect(await failureOf(stack.destroy())).toContain("read-only");
      expect(writesIn(service)).toEqual(["createProject 201"]);
    },
  },
]);

runScenarios("several organizations", [
  {
    name: "every command with another organization's key fails and changes nothing, and the page that it names leads to the end",
    hosts: "both",
    onCli: true,
    async run({ stack, service }) {
      await stack.deploy(PROGRAM);
      service.clearRequests();
      await stack.environment({ DYNAMICLINK_API_KEY: OTHER_KEY });
      for (const command of [stack.preview, stack.up, stack.refresh, stack.destroy]) {
        const message = await failureOf(command());
        for (const shown of [ORGANIZATION, OTHER_ORGANIZATION, "see docs/errors.md of pulumi-dynamiclink"])
          expect(message).toContain(shown);
      }
      expect(await stack.resources()).toHaveLength(1);
      expect([...new Set(readsIn(service))]).toEqual(["getCurrentApiCredential 200"]);
      expect(writesIn(service)).toEqual([]);
      await stack.environment({ DYNAMICLINK_API_KEY: KEY });
      await stack.destroy();
      await stack.environment({ DYNAMICLINK_API_KEY: OTHER_KEY });
      await stack.up();
      expect(service.state.projects).toMatchObject([{ organizationId: OTHER_ORGANIZATION, name: "Shop" }]);
      await stack.preview({ expectNoChanges: true });
    },
  },
]);

runScenarios("an explicit provider", [
  {
    name: "does not use the stack's configuration",
    onCli: true,
    environment: { DYNAMICLINK_API_KEY: undefined },
    async run({ stack, service }) {
      await stack.configure({ "dynamiclink:apiUrl": service.url, "dynamiclink:apiKey": { secret: KEY } });
      stack.program(
        `new Project("shop", { name: "Shop" }, { provider: new Provider("bare", { apiUrl: ${JSON.stringify(service.url)} }) });`,
      );
      expect(await failureOf(stack.preview())).toMatch(/DYNAMICLINK_API_KEY is (not set|blank)/);
    },
  },
]);

runScenarios("functions", [
  {
    name: "return every field in camelCase, with and without Inputs, and fail for what does not exist",
    onCli: true,
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
    hosts: "both",
    onCli: true,
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
    hosts: "dynamic",
    onCli: true,
    seed: seedWith([{ id: EXISTING, name: "Existing" }]),
    async run({ stack, service }) {
      const lookUp = `dynamiclink.getProject({ id: "${EXISTING}" }`;
      const disable = async (name: string) =>
        await stack.configure({
          "dynamiclink:apiUrl": service.url,
          "pulumi:disable-default-providers": JSON.stringify([name]),
        });
      for (const name of ["*", "pulumi-nodejs"]) {
        await disable(name);
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
      await disable("dynamiclink");
      stack.program(`await ${lookUp});`);
      await stack.preview();
    },
  },
]);
