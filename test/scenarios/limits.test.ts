/** A rate limit in front of the service that answers 503, as that of nginx does by default. */
import { failureOf, runScenarios, writesIn } from "../support/stacks/scenarios";

/** More than a call has attempts. */
const REFUSALS = 8;
const LIMIT = { foreign: 503 };

runScenarios("a limit that answers 503", [
  {
    name: "refuses a refresh, an update and a deletion for half a minute, and each succeeds at the first try",
    async run({ stack, service }) {
      await stack.deploy('new Project("shop", { name: "Shop" });');
      service.inject({ operation: "getProject", count: REFUSALS, effect: LIMIT });
      service.inject({ operation: "updateProject", count: REFUSALS, effect: LIMIT });
      service.inject({ operation: "deleteProject", count: REFUSALS, effect: { ...LIMIT, retryAfter: 1 } });
      await stack.refresh({ expectNoChanges: true });
      const { printed } = await stack.deploy('new Project("shop", { name: "The shop" });');
      expect(printed).toContain("503 Service Unavailable. Trying again in 16 s");
      await stack.destroy();
      expect(service.faultsUsed).toHaveLength(3 * REFUSALS);
      expect(service.state.projects).toEqual([]);
    },
  },
  {
    name: "refuses a create, which is not repeated, and the next up completes",
    async run({ stack, service }) {
      const names = ["one", "two", "three"];
      stack.program(names.map((name) => `new Project("${name}", { name: "${name}" });`).join("\n"));
      service.inject({ operation: "createProject", skip: 1, effect: LIMIT });
      expect(await failureOf(stack.up())).toContain("It is unknown whether the project was created");
      expect(writesIn(service).filter((write) => write === "createProject 503")).toHaveLength(1);
      await stack.up();
      expect(service.state.projects.map(({ name }) => name).sort()).toEqual(names.sort());
    },
  },
]);
