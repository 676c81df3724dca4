/**
 * No message shows a key in a place where it does not belong, such as the name of its variable or the command line, or a name
 * that is secret in the program.
 */
import { runScript } from "../../support/processes/runScript";
import { failureOf, runScenarios, seedWith } from "../../support/stacks/scenarios";

const KEY = "dlk_live_c4n4ry7f3a9";
const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const NOT_SET =
  "No API key: the environment variable that apiKeyEnvVar names is not set. Set it to an organization API key, or set apiKey. The name is not shown, because it may be a key: set apiKeyEnvVar to the name of the variable, not to the key.";

runScenarios("a key as apiKeyEnvVar", [
  {
    name: "is not shown: in the stack's configuration, and in a Provider of a resource and of a function",
    async run({ stack, service }) {
      const options = `{ provider: new Provider("ours", { apiKeyEnvVar: "${KEY}", apiUrl: "${service.url}" }) }`;
      for (const [program, config] of [
        ['new Project("shop", { name: "Shop" });', { "dynamiclink:apiKeyEnvVar": KEY }],
        [`new Project("shop", { name: "Shop" }, ${options});`, {}],
        [`export const shop = dynamiclink.getProjectOutput({ id: "${PROJECT}" }, ${options}).name;`, {}],
      ] as const) {
        await stack.configure({ "dynamiclink:apiUrl": service.url, ...config });
        stack.program(program);
        const message = await failureOf(stack.preview());
        expect(message).toContain(NOT_SET);
        expect(message).not.toContain(KEY);
      }
      expect(service.requests).toEqual([]);
    },
  },
]);

runScenarios("a secret name is not shown", [
  {
    name: "when a project is refreshed, is renamed to a name in use, and is not empty",
    onCli: "one host",
    seed: seedWith([{ name: "Canary mall" }]),
    async run({ stack, service }) {
      const project = (name: string) => `new Project("shop", { name: pulumi.secret("${name}") });`;
      await stack.deploy(project("Canary shop"));
      await stack.refresh({ expectNoChanges: true });
      const renamed = await failureOf(stack.deploy(project("Canary mall")));
      const [{ id = "" } = {}] = await stack.resources();
      service.createApplication(id, { appType: "WEB" });
      const kept = await failureOf(stack.destroy());
      expect(kept).toContain("it still contains 1 application");
      expect(renamed + kept + (await stack.stateText())).not.toMatch(/canary/i);
    },
  },
]);

test.each([
  ["discover", [`--api-key=${KEY}`], "error: unknown option '--api-key'\n"],
  ["discover", [`--api-key=${KEY}'\n' `], "error: unknown option '--api-key'\n"],
  ["discover", [`-fk${KEY}`], "error: unknown option '-f'\n"],
  ["discover", ["--api-key", KEY], "error: unknown option '--api-key'\n"],
  ["discover", [KEY], "error: UUID 1: "],
  ["compare", ["--ignore", KEY], "error: --ignore 1: "],
  [
    "emulator",
    ["--port", KEY],
    "error: option '--port <number>' argument is invalid. A port must be an integer",
  ],
  [`--api-key=${KEY}`, [], "error: unknown option '--api-key'\n"],
  [KEY, [], "error: unknown command\n"],
])("as an argument of the command line: %s %j", async (command, args, message) => {
  const argv = JSON.stringify([command, ...args]);
  const ended = await runScript(`process.argv.push(...${argv}); require("./dist/cli");`);
  expect(ended.stderr).toContain(message);
  expect(ended.stdout + ended.stderr).not.toContain(KEY);
  expect(ended.code).toBe(1);
});
