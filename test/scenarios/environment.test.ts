/** Environment variables of other programs, which the provider processes inherit from the shell or from CI. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runScenarios } from "../support/stacks/scenarios";

const directory = mkdtempSync(join(tmpdir(), "dynamiclink-environment-"));
const LOG = join(directory, "requests.jsonl");
afterAll(() => rmSync(directory, { recursive: true }));

function loggedIds(): unknown[] {
  const lines = readFileSync(LOG, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line).requestId);
}

runScenarios("the environment", [
  {
    name: "every request of the provider processes is logged to the file that DYNAMICLINK_LOG names",
    onCli: "both hosts",
    separateProviders: true,
    environment: { DYNAMICLINK_LOG: LOG },
    async run({ stack, service }) {
      // A test on a CLI can run the scenario on the test engine as well, to compare them.
      rmSync(LOG, { force: true });
      await stack.deploy('new Project("shop", { name: "Shop" });');
      await stack.destroy();
      const sent = service.requests.map(({ requestId }) => requestId);
      expect(loggedIds().sort()).toEqual(sent.sort());
      expect(sent.length).toBeGreaterThan(2);
    },
  },
]);
