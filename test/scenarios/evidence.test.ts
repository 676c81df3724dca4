/**
 * What counts as evidence that an object was deleted, or never existed: a 404 and a list of its parent without it.
 * test/pure/lifecycle/absence has all cases; these show that commands ask for the lists. The CLI has no part in the kind.
 */

import { DESCRIPTIONS } from "../../provider/resources";
import { withArticle } from "../../provider/values/phrases";
import type { Emulator } from "../../testing/emulator";
import {
  deployed,
  failureOf,
  runScenarios,
  type ScenarioTools,
  seedWith,
  writesIn,
} from "../support/stacks/scenarios";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const OTHER_PROJECT = "0d0d0d0d-0000-4000-8000-000000000004";
const seed = seedWith([
  { id: PROJECT, name: "Seeded" },
  { id: OTHER_PROJECT, name: "Other" },
]);
const WEB_PROGRAM = `new Application("it", { projectId: "${PROJECT}", appType: "WEB" });`;
const DOMAIN_PROGRAM = `new CustomDomain("it", { projectId: "${PROJECT}", hostname: "links.shop.example" });`;

const KINDS = [
  ["Project", 'new Project("it", { name: "Shop" });'],
  ["Application", WEB_PROGRAM],
  ["CustomDomain", DOMAIN_PROGRAM],
] as const;

const NOT_FOUND = { status: 404, message: "Not found." } as const;

function objectsIn({ state: { projects, applications, customDomains } }: Emulator): string[] {
  return [...projects, ...applications, ...customDomains]
    .map(({ id }) => id)
    .filter((id) => id !== PROJECT && id !== OTHER_PROJECT);
}

/** An error about an object that shows two responses: that of the read, and that of the list. */
function contradicted(id: string): RegExp {
  const request = "\\(request [^)]{36}\\)";
  return new RegExp(`${id}\\)? failed: 404 Not Found.* ${request}.* ${request}`, "s");
}

async function expectKept({ stack, service }: ScenarioTools, id: string): Promise<void> {
  expect((await stack.resources()).map((one) => one.id)).toEqual([id]);
  expect(objectsIn(service)).toEqual([id]);
}

runScenarios({ title: "a 404 of an object that the service still lists", seed }, [
  ...KINDS.map(([type, program]) => ({
    name: `neither drops ${withArticle(DESCRIPTIONS[type].title)} in up --refresh or destroy, nor creates a second one`,
    onCli: type === "Application" ? ("one host" as const) : undefined,
    async run(tools: ScenarioTools) {
      const { stack, service } = tools;
      const id = await deployed(stack, program);
      service.clock.advance(60_000);
      service.inject({ operation: `get${type}`, count: Number.POSITIVE_INFINITY, effect: NOT_FOUND });
      expect(await failureOf(stack.up({ refresh: true }))).toMatch(contradicted(id));
      await expectKept(tools, id);
      service.clearFaults();
      service.inject({ operation: `delete${type}`, effect: NOT_FOUND });
      // A custom domain is read before as well, because it may be being deleted.
      service.inject({ operation: `get${type}`, count: type === "CustomDomain" ? 2 : 1, effect: NOT_FOUND });
      await failureOf(stack.destroy());
      await expectKept(tools, id);
      await stack.destroy();
      expect(objectsIn(service)).toEqual([]);
    },
  })),
]);

runScenarios({ title: "a response that is outdated", seed }, [
  {
    name: "creates nothing, if a refresh does not find what a list of the same run contains",
    onCli: "one host",
    async run({ stack, service }) {
      const id = await deployed(stack, WEB_PROGRAM);
      service.clock.advance(60_000);
      service.inject({ operation: "getApplication", count: 4, effect: NOT_FOUND });
      service.inject({ operation: "listApplications", effect: { body: { applications: [] } } });
      service.clearRequests();
      const message = await failureOf(stack.up({ refresh: true }));
      expect(message).toContain(`the refresh of this run did not find application ${id}, but a list`);
      expect(writesIn(service)).toEqual([]);
      await stack.deploy(WEB_PROGRAM.replace(" });", ` }, { import: "${id}", protect: false });`));
      await expectKept({ stack, service } as ScenarioTools, id);
    },
  },
]);

runScenarios({ title: "objects that were deleted", seed }, [
  {
    name: "leave the state in a refresh, alone and with their project",
    onCli: "one host",
    async run({ stack, service }) {
      await stack.deploy(`
        const shop = new Project("shop", { name: "Shop" });
        new Application("web", { projectId: shop.id, appType: "WEB" });
        new CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });
        new Application("other", { projectId: "${OTHER_PROJECT}", appType: "WEB" });
      `);
      const idOf = async (name: string) =>
        (await stack.resources()).find((one) => one.name === name)?.id ?? "";
      service.clock.advance(60_000);
      service.deleteApplication(await idOf("other"));
      await stack.refresh();
      expect((await stack.resources()).map(({ name }) => name)).toEqual(["links", "shop", "web"]);
      service.deleteProject(await idOf("shop"));
      await stack.refresh();
      expect(await stack.resources()).toEqual([]);
      await stack.up();
      expect(objectsIn(service)).toHaveLength(4);
    },
  },
]);

runScenarios({ title: "an activation", seed }, []);
