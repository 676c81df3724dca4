/** Pulumi's resource options, where they interact with the provider. */
import { runScenarios, seedWith, writesIn } from "../support/stacks/scenarios";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const OTHER_PROJECT = "0c0c0c0c-0000-4000-8000-000000000005";
const twoProjects = seedWith([
  { id: PROJECT, name: "Shop" },
  { id: OTHER_PROJECT, name: "Market" },
]);

runScenarios("resource options", [
  {
    name: "an alias moves a resource here from a custom dynamic provider, without a write if its state has the same shape",
    onCli: "one host",
    only: "dynamic",
    // Only Pulumi's own host runs a provider that is not this package's.
    separateProviders: true,
    seed: twoProjects,
    async run({ stack, service }) {
      await stack.deploy(`
        class HandWritten extends pulumi.dynamic.Resource {
          constructor(name: string, id: string, props: pulumi.Inputs) {
            super({ create: async (inputs) => ({ id, outs: inputs }) }, name, props);
          }
        }
        new HandWritten("shop", "${PROJECT}", { name: "Shop" });
        new HandWritten("market", "${OTHER_PROJECT}", { title: "Market" });
      `);
      const before = service.state.projects.map(({ name }) => name);
      const { changes } = await stack.deploy(`
        const options = { aliases: [{ type: "pulumi-nodejs:dynamic:Resource" }] };
        new Project("shop", { name: "Shop" }, options);
        new Project("market", { name: "Market" }, options);
      `);
      expect(changes).toMatchObject({ update: 2 });
      expect(changes).not.toHaveProperty("create");
      expect((await stack.resources()).find(({ id }) => id === PROJECT)).toMatchObject({
        type: "Project",
        outputs: { __provider: 'exports.handler=()=>require("pulumi-dynamiclink/provider").project' },
      });
      await stack.preview({ expectNoChanges: true });
      await stack.refresh({ expectNoChanges: true });
      expect(writesIn(service)).toEqual(["updateProject 200"]);
      expect(service.state.projects.map(({ name }) => name)).toEqual(before);
    },
  },
  {
    name: "a dependent of a domain that is replaced delete-first is deleted before it and re-created after it",
    seed: twoProjects,
    async run({ stack, service }) {
      const program = (project: string) => `
        const links = new CustomDomain("links", { projectId: "${project}", hostname: "links.shop.example" });
        export const active = new CustomDomainActivation("active", { customDomainId: links.id }).hostname;
      `;
      await stack.deploy(program(PROJECT));
      service.clearRequests();
      stack.program(program(OTHER_PROJECT));
      await stack.preview();
      expect((await stack.up()).outputs).toEqual({ active: "links.shop.example" });
      expect(writesIn(service)).toEqual(["deleteCustomDomain 204", "createCustomDomain 201"]);
      const [active, links] = await stack.resources();
      expect(active?.id).toBe(links?.id);
      await stack.preview({ expectNoChanges: true });
    },
  },
]);
