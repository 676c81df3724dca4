/** Pulumi's resource options, where they interact with the provider. */
import { failureOf, runScenarios, seedWith, writesIn } from "../support/stacks/scenarios";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const OTHER_PROJECT = "0c0c0c0c-0000-4000-8000-000000000005";
const twoProjects = seedWith([
  { id: PROJECT, name: "Shop" },
  { id: OTHER_PROJECT, name: "Market" },
]);

runScenarios("resource options", [
  {
    name: "an error hook repeats an update and a deletion that the service refuses",
    onCli: "both hosts",
    async run({ stack, service }) {
      const hook = 'const again = new pulumi.ErrorHook("again", ({ errors }) => errors.length < 3);\n';
      const program = (name: string) =>
        `${hook} new Project("shop", { name: "${name}" }, { hooks: { onError: [again] } });`;
      await stack.deploy(program("Shop"));
      service.inject({ operation: "updateProject", effect: { status: 400 }, count: 2 });
      const { changes, printed } = await stack.deploy(program("Market"));
      expect(changes).toEqual({ same: 1, update: 1 });
      expect(printed).toContain("retrying update due to on-error hook request (2/100)");
      service.inject({ operation: "deleteProject", effect: { status: 400 } });
      expect((await stack.deploy(hook)).changes).toEqual({ same: 1, delete: 1 });
      expect(writesIn(service)).toEqual([
        "createProject 201",
        "updateProject 400",
        "updateProject 400",
        "updateProject 200",
        "deleteProject 400",
        "deleteProject 204",
      ]);
    },
  },
  {
    name: "an alias moves a resource here from a custom dynamic provider, without a write",
    onCli: "one host",
    only: { host: "dynamic", because: "providerText" },
    // Only Pulumi's own host runs a provider that is not this package's.
    separateProviders: true,
    seed: seedWith([{ id: PROJECT, name: "Shop" }]),
    async run({ stack, service }) {
      await stack.deploy(`
        class HandWritten extends pulumi.dynamic.Resource {
          constructor(name: string, props: pulumi.Inputs) {
            super({ create: async (inputs) => ({ id: "${PROJECT}", outs: inputs }) }, name, props);
          }
        }
        new HandWritten("shop", { name: "Shop" });
      `);
      const { changes } = await stack.deploy(
        'new Project("shop", { name: "Shop" }, { aliases: [{ type: "pulumi-nodejs:dynamic:Resource" }] });',
      );
      expect(changes).toMatchObject({ update: 1 });
      expect(changes).not.toHaveProperty("create");
      expect((await stack.resources())[0]).toMatchObject({
        type: "Project",
        id: PROJECT,
        outputs: { __provider: 'exports.handler=()=>require("pulumi-dynamiclink/provider").project' },
      });
      await stack.preview({ expectNoChanges: true });
      await stack.refresh({ expectNoChanges: true });
      expect(writesIn(service)).toEqual([]);
    },
  },
  {
    name: "a dependent of a domain that is replaced delete-first is deleted before it and re-created after it",
    onCli: "one host",
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
  {
    name: "replaceOnChanges replaces instead of updating",
    onCli: "one host",
    async run({ stack, service }) {
      const program = (name: string) =>
        `new Project("shop", { name: "${name}" }, { replaceOnChanges: ["name"] });`;
      await stack.deploy(program("Shop"));
      service.clearRequests();
      await stack.deploy(program("Market"));
      expect(writesIn(service)).toEqual(["createProject 201", "deleteProject 204"]);
    },
  },
  {
    name: "a project is not deleted together with its contents, even with deletedWith",
    onCli: "one host",
    behaviour: { deleteWithContents: "cascade" },
    async run({ stack, service }) {
      await stack.deploy(`
        const shop = new Project("shop", { name: "Shop" });
        new Application("web", { projectId: shop.id, appType: "WEB" }, { deletedWith: shop });
      `);
      service.clearRequests();
      const [application] = service.state.applications;
      expect(await failureOf(stack.destroy())).toContain(
        `it still contains 1 application (${application?.id})`,
      );
      expect(writesIn(service)).toEqual([]);
      expect((await stack.resources()).map(({ name }) => name)).toEqual(["shop"]);
    },
  },
  {
    name: "a renamed resource with an alias stays the same object",
    onCli: "one host",
    async run({ stack, service }) {
      await stack.deploy('new Project("shop", { name: "Shop" });');
      service.clearRequests();
      stack.program('new Project("market", { name: "Shop" }, { aliases: [{ name: "shop" }] });');
      await stack.preview({ expectNoChanges: true });
      await stack.up();
      expect(writesIn(service)).toEqual([]);
    },
  },
]);
