/**
 * No message shows a key in a place where it does not belong, such as the name of its variable or the command line, or a name
 * that is secret in the program.
 */
import { runScript } from "../../support/processes/execute";
import { failureOf, runScenarios, seedWith } from "../../support/stacks/scenarios";

const KEY = "dlk_live_c4n4ry7f3a9";

runScenarios("a secret name is not shown", [
  {
    name: "when a project is refreshed, is renamed to a name in use, and is not empty",
    onCli: true,
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
  ["discover", [`--api-key=${KEY}'\n' `], "error: unknown option '--api-key'\n"],
  ["discover", [`-fk${KEY}`], "error: unknown option '-f'\n"],
  ["discover", ["--api-key", KEY], "error: unknown option '--api-key'\n"],
  ["discover", [KEY], "error: UUID 1: "],
  ["compare", ["--ignore", KEY], "error: --ignore 1: "],
  ["emulator", ["--port", KEY], "error: option '--port <number>' argument is invalid. A port must be an"],
  [`--api-key=${KEY}`, [], "error: unknown option '--api-key'\n"],
  [KEY, [], "error: unknown command\n"],
])("as an argument of the command line: %s %j", async (command, args, message) => {
  const argv = JSON.stringify([command, ...args]);
  const ended = await runScript(`process.argv.push(...${argv}); require("./dist/cli");`);
  expect(ended.stderr).toContain(message);
  expect(ended.stdout + ended.stderr).not.toContain(KEY);
  expect(ended.code).toBe(1);
});
