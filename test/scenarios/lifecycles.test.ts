/** The lifecycle of each kind of resource as a program, from the first preview to destroy. */
import { uncapitalized } from "../../provider/values/phrases";
import type { Emulator } from "../../testing/emulator";
import { operationsIn, runScenarios, type Scenario, seedWith, writesIn } from "../support/stacks/scenarios";
import { EXAMPLE_KINDS, examplesOf, type Kind, RESOURCE_EXAMPLES } from "../support/values/resourceExamples";

const EXISTING = "0c0c0c0c-0000-4000-8000-000000000003";

function programOf(declarations: ReturnType<typeof examplesOf>): string {
  return declarations
    .map(({ kind, name, properties }) => {
      const args = JSON.stringify(properties).replace(/\{"idOf":"(\w+)"\}/g, "$1.id");
      return `const ${name} = new ${kind}("${name}", ${args});`;
    })
    .join("\n");
}

const OUTSIDE: { readonly [Name in Kind]?: (service: Emulator, id: string) => void } = {
  Project: (service, id) => service.updateProject(id, { name: "changed outside" }),
  CustomDomain: (service, id) => service.deleteCustomDomain(id),
};

runScenarios(
  "the lifecycle of each kind",
  EXAMPLE_KINDS.map(
    (kind, index): Scenario => ({
      name: `${kind}: it is previewed, created, unchanged, changed, changed outside Pulumi, removed and destroyed`,
      // test/scenarios/behaviour has the kinds of one host on the other one.
      ...(kind === "Project"
        ? { hosts: "both", onCli: true }
        : { hosts: index % 2 === 0 ? "native" : "dynamic" }),
      async run({ stack, service }) {
        const { changes: examples } = RESOURCE_EXAMPLES[kind];
        const first = examplesOf(kind);
        stack.program(programOf(first));
        service.clearRequests();
        await stack.preview();
        expect(writesIn(service)).toEqual([]);
        expect((await stack.up()).changes).toEqual({ create: first.length + 1 });
        service.clearRequests();
        await stack.preview({ expectNoChanges: true });
        expect([...operationsIn(service), ...writesIn(service)]).toEqual([]);
        expect(service.requests).toHaveLength(1);
        await stack.refresh({ expectNoChanges: true });

        for (const { to, is } of examples) {
          expect((await stack.deploy(programOf(examplesOf(kind, to)))).changes).toMatchObject({ [is]: 1 });
          if (is === "replace")
            expect(writesIn(service).slice(-2)).toEqual([`create${kind} 201`, `delete${kind} 204`]);
        }
        await stack.preview({ expectNoChanges: true });
        const [{ id = "" } = {}] = (await stack.resources()).filter(
          ({ name }) => name === uncapitalized(kind),
        );
        OUTSIDE[kind]?.(service, id);
        const { changes } = await stack.refresh();
        const { same: _, ...found } = changes;
        expect(Object.keys(found)).toHaveLength(kind in OUTSIDE ? 1 : 0);
        await stack.up();
        await stack.preview({ expectNoChanges: true });

        const rest = programOf(first.slice(0, -1));
        expect((await stack.deploy(rest)).changes).toMatchObject({ delete: 1 });
        await stack.destroy();
        const { projects, applications, customDomains } = service.state;
        expect([...projects, ...applications, ...customDomains]).toEqual([]);
      },
    }),
  ),
);

runScenarios("functions, and names in use", [
  {
    name: "functions find and list the project and the application of the program, also before they exist",
    onCli: true,
    async run({ stack }) {
      const resources = `
        const shop = new Project("shop", { name: "shop" });
        const web = new Application("web", { projectId: shop.id, appType: "WEB" });`;
      const functions = `
        export const name = dynamiclink.getProjectOutput({ id: shop.id }).name;
        export const type = dynamiclink.getApplicationOutput({ id: web.id }).appType;
        const { applications } = dynamiclink.getApplicationsOutput({ projectId: web.projectId });
        const { projects } = dynamiclink.getProjectsOutput();
        export const listed = pulumi
          .all([applications, projects, web.id, shop.id])
          .apply(([[one], all, webId, shopId]) => [one?.id === webId, all.some(({ id }) => id === shopId)]);`;
      stack.program(resources + functions);
      await stack.preview();
      await stack.deploy(resources);
      const { outputs } = await stack.deploy(resources + functions);
      expect(outputs).toEqual({ name: "shop", type: "WEB", listed: [true, true] });
    },
  },
  {
    name: "the preview of a project whose name is used says by which one",
    seed: seedWith([{ id: EXISTING, name: "existing" }]),
    async run({ stack }) {
      stack.program('new Project("shop", { name: "existing" });');
      expect((await stack.preview()).printed).toContain(`is used by project ${EXISTING}`);
    },
  },
]);
