/**
 * What counts as evidence that an object was deleted: a 404, and a list of its parent without it. test/pure/lifecycle/absence
 * has all cases; these show that commands ask for the lists.
 */

import type { Emulator } from "../../testing/emulator";
import { deployed, failureOf, runScenarios, seedWith } from "../support/stacks/scenarios";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const seed = seedWith([{ id: PROJECT, name: "Seeded" }]);
const WEB = `new Application("it", { projectId: "${PROJECT}", appType: "WEB" });`;
const NOT_FOUND = { status: 404, message: "Not found." } as const;

function objectsIn({ state: { projects, applications, customDomains } }: Emulator): string[] {
  return [...projects, ...applications, ...customDomains].map(({ id }) => id).filter((id) => id !== PROJECT);
}

runScenarios({ title: "evidence", seed, onCli: true }, [
  {
    name: "a 404 of an object that the service still lists neither drops it in up --refresh or destroy, nor creates another",
    async run({ stack, service }) {
      const id = await deployed(stack, WEB);
      const expectKept = async () => {
        expect((await stack.resources()).map((one) => one.id)).toEqual([id]);
        expect(objectsIn(service)).toEqual([id]);
      };
      service.clock.advance(60_000);
      service.inject({ operation: "getApplication", count: Number.POSITIVE_INFINITY, effect: NOT_FOUND });
      // The error shows the response to the read, and that with the list.
      const request = "\\(request [^)]{36}\\)";
      expect(await failureOf(stack.up({ refresh: true }))).toMatch(
        new RegExp(`${id}\\)? failed: 404 Not Found.* ${request}.* ${request}`, "s"),
      );
      await expectKept();
      service.clearFaults();
      for (const operation of ["deleteApplication", "getApplication"] as const)
        service.inject({ operation, effect: NOT_FOUND });
      await failureOf(stack.destroy());
      await expectKept();
      await stack.destroy();
      expect(objectsIn(service)).toEqual([]);
    },
  },
  {
    name: "objects that were deleted leave the state in a refresh, alone and with their project",
    async run({ stack, service }) {
      await stack.deploy(`
        const shop = new Project("shop", { name: "Shop" });
        new Application("web", { projectId: shop.id, appType: "WEB" });
        new CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });
        ${WEB}
      `);
      const idOf = async (name: string) =>
        (await stack.resources()).find((one) => one.name === name)?.id ?? "";
      service.clock.advance(60_000);
      service.deleteApplication(await idOf("it"));
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
