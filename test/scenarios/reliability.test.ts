/** What a stack does when answers are lost and hosts die, told once for the engine and the CLI. Waits are real here. */

import type { Emulator } from "../../testing/emulator";
import type { ScenarioStack } from "../support/scenarioStack";
import { failureOf, runScenarios, seedWith, writesIn } from "../support/scenarios";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
/** Longer than a whole second, which is all that a `Date` header tells. */
const A_WHILE_MS = 2_000;
const seed = seedWith([{ id: PROJECT, name: "Seeded" }]);
const project = 'new Project("shop", { name: "Shop" });';
const domain = `new CustomDomain("links", { projectId: "${PROJECT}", hostname: "links.shop.example" });`;
const application = (options = "") =>
  `new Application("web", { projectId: "${PROJECT}", appType: "WEB" }${options});`;

/** The only resource of the stack is the only object of its kind. */
async function expectOne(stack: ScenarioStack, ids: readonly string[]): Promise<void> {
  expect((await stack.resources()).map(({ id }) => id)).toEqual(ids);
  expect(ids).toHaveLength(1);
}

function madeProjects({ state }: Emulator): string[] {
  return state.projects.map(({ id }) => id).filter((id) => id !== PROJECT);
}

runScenarios("creates whose answer is lost", [
  {
    name: "a project that was made all the same is taken, with a message that names it",
    seed,
    async run({ stack, service }) {
      service.clock.advance(A_WHILE_MS);
      service.inject({ operation: "createProject", effect: { reset: "after" } });
      stack.program(project);
      const { printed } = await stack.up();
      const made = madeProjects(service);
      await expectOne(stack, made);
      expect(printed).toContain(`created since then: ${made[0]}. Adopted it.`);
      await stack.preview({ expectNoChanges: true });
    },
  },
  {
    name: "a custom domain that was made all the same is taken, with a message that names it",
    seed,
    async run({ stack, service }) {
      service.clock.advance(A_WHILE_MS);
      service.inject({ operation: "createCustomDomain", effect: { status: 502, afterEffect: true } });
      stack.program(domain);
      const { printed } = await stack.up();
      const made = service.state.customDomains.map(({ id }) => id);
      await expectOne(stack, made);
      expect(printed).toContain(`${made[0]}. Adopted it.`);
    },
  },
  {
    name: "an application that may have been made is listed with its import line, which takes it over",
    seed,
    async run({ stack, service }) {
      service.clock.advance(A_WHILE_MS);
      service.inject({ operation: "createApplication", effect: { truncated: true } });
      stack.program(application());
      const message = await failureOf(stack.up());
      const [made = ""] = service.state.applications.map(({ id }) => id);
      expect(message).toContain(`add the option { import: "${made}" }`);
      expect(await stack.resources()).toEqual([]);
      stack.program(application(`, { import: "${made}" }`));
      await stack.up();
      await expectOne(
        stack,
        service.state.applications.map(({ id }) => id),
      );
    },
  },
  {
    name: "what was never made is an error, and the next up makes exactly one",
    seed,
    async run({ stack, service }) {
      service.inject({ operation: "createProject", effect: { reset: "before" } });
      stack.program(project);
      expect(await failureOf(stack.up())).toContain("It is unknown whether the project was created");
      expect(writesIn(service)).toEqual(["createProject null"]);
      await stack.up();
      await expectOne(stack, madeProjects(service));
    },
  },
  {
    name: "a lost replacement is taken over by the option that its error names",
    seed: seedWith([
      { id: PROJECT, name: "Seeded" },
      { id: "0d0d0d0d-0000-4000-8000-000000000004", name: "Other" },
    ]),
    async run({ stack, service }) {
      stack.program(application());
      await stack.up();
      const [{ id: old = "" } = {}] = await stack.resources();
      service.clock.advance(A_WHILE_MS);
      service.inject({ operation: "createApplication", effect: { reset: "after" } });
      const moved = (options = "") =>
        application(options).replace(PROJECT, "0d0d0d0d-0000-4000-8000-000000000004");
      stack.program(moved());
      const message = await failureOf(stack.up());
      const [lost = ""] = service.state.applications.map(({ id }) => id).filter((id) => id !== old);
      expect(message).toContain(`import: "${lost}"`);
      stack.program(moved(`, { import: "${lost}", protect: false }`));
      await stack.up();
      await expectOne(
        stack,
        service.state.applications.map(({ id }) => id),
      );
      expect((await stack.resources())[0]?.id).toBe(lost);
      await stack.preview({ expectNoChanges: true });
    },
  },
]);
