/** What a stack does when responses to creates are lost, on the engine and the CLI. Waits take real time here. */

import { until } from "../support/processes/until";
import { failureOf, runScenarios, seedWith } from "../support/stacks/scenarios";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const OTHER_PROJECT = "0d0d0d0d-0000-4000-8000-000000000004";
/** Longer than one second, which is the resolution of a `Date` header. */
const A_WHILE_MS = 2_000;
const SHOP = 'new Project("shop", { name: "Shop" });';

runScenarios("requests that are tried again", [
  {
    name: "are reported before each wait, those of resources as those of functions",
    seed: seedWith([
      { id: PROJECT, name: "Seeded" },
      { id: OTHER_PROJECT, name: "Other" },
    ]),
    // The processes connect to the engine's log in different ways.
    separateProviders: true,
    async run({ stack, service }) {
      service.inject({ operation: "getCurrentApiCredential", effect: { status: 503 } });
      service.inject({
        operation: "getProject",
        match: ({ path }) => path.includes(OTHER_PROJECT),
        effect: { status: 429, retryAfter: 1 },
      });
      stack.program(`
        await dynamiclink.getProject({ id: "${PROJECT}" });
        Project.get("other", "${OTHER_PROJECT}");
      `);
      const { printed } = await stack.preview();
      expect(printed).toContain("Reading the API credential: 503 Service Unavailable. Trying again in 0.");
      expect(printed).toContain(
        `Reading project ${OTHER_PROJECT}: 429 Too Many Requests. Trying again in 1 s`,
      );
    },
  },
]);

runScenarios("creates whose answer is lost", [
  {
    name: "a project that was created nevertheless is adopted, and a message reports it",
    onCli: "one host",
    async run({ stack, service }) {
      service.clock.advance(A_WHILE_MS);
      service.inject({ operation: "createProject", effect: { reset: "after" } });
      const { printed } = await stack.deploy(SHOP);
      const [shop] = await stack.resources();
      expect(service.state.projects.map(({ id }) => id)).toEqual([shop?.id]);
      expect(printed).toContain(`created since then: ${shop?.id}. It is in the state as this resource.`);
      await stack.preview({ expectNoChanges: true });
    },
  },
]);

runScenarios("provider processes that are killed during a create", [
  {
    name: "the next up reports the application that was created, with its UUID and its time",
    onCli: "both hosts",
    seed: seedWith([{ id: PROJECT, name: "Seeded" }]),
    async run({ stack, service }) {
      service.inject({ operation: "createApplication", effect: { hang: true, afterEffect: true } });
      stack.program(`new Application("web", { projectId: "${PROJECT}", appType: "WEB" });`);
      const killed = failureOf(stack.up());
      // Until then, the processes of the command need the processor.
      await until(
        () => service.state.applications.length > 0,
        () => "The service has no application.",
      );
      await stack.killProviders();
      expect(await killed).toContain("error reading from server: EOF");
      expect(await stack.resources()).toEqual([]);
      expect(await stack.stateText()).not.toContain("pending_operations");
      service.clearFaults();

      const [left] = service.state.applications;
      const { printed } = await stack.up();
      expect(printed).toContain("an interrupted run may have left it behind");
      expect(printed).toContain(`${left?.id}, created ${left?.createdAt}`);
      expect(service.state.applications).toHaveLength(2);
    },
  },
]);
