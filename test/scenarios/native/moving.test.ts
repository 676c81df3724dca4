/**
 * Moving a stack between the hosts by changing the import line, on the test engine and on a real CLI: nothing is replaced
 * and nothing is written, in either direction.
 */
import { DYNAMIC_HOST, NATIVE_HOST } from "../../../provider/hosts/hosts";
import type { ResourceState } from "../../../testing/engine";
import type { ScenarioStack } from "../../support/stacks/scenarioStack";
import { OTHER_KEY, runScenarios, seedWith, writesIn } from "../../support/stacks/scenarios";

const ADOPTED = "0C0C0C0C-0000-4000-8000-000000000003";

const PROGRAM = `
  const shop = new dynamiclink.Project("shop", { name: "Shop" });
  new dynamiclink.Application("ios", {
    projectId: shop.id,
    appType: "IOS",
    appleInfo: { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" },
  });
  const links = new dynamiclink.CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });
  new dynamiclink.CustomDomainActivation("active", { customDomainId: links.id });
  export const lookedUp = dynamiclink.getProjectOutput({ id: shop.id }).name;

  // Components, parents, protection, and an alias of the program.
  class Group extends pulumi.ComponentResource {
    constructor(name: string, options?: pulumi.ComponentResourceOptions) {
      super("moving:index:Group", name, {}, options);
      const project = new dynamiclink.Project(name + "-project", { name }, { parent: this, protect: true });
      const child = { parent: project, aliases: [{ name: "earlier" }] };
      new dynamiclink.Application(name + "-web", { projectId: project.id, appType: "WEB" }, child);
      new Inner(name + "-inner", project);
    }
  }
  class Inner extends pulumi.ComponentResource {
    constructor(name: string, parent: pulumi.Resource) {
      super("moving:index:Inner", name, {}, { parent });
      new dynamiclink.Project(name + "-project", { name }, { parent: this });
    }
  }
  new Group("default");

  const apiUrl = process.env.API_URL;
  const europe = new dynamiclink.Provider("europe", { apiKeyEnvVar: "OTHER_KEY", apiUrl });
  const keyed = new dynamiclink.Provider("keyed", { apiKey: process.env.OTHER_KEY, apiUrl });
  new dynamiclink.Project("blog", { name: "Blog" }, { provider: europe });
  new dynamiclink.Project("news", { name: "News" }, { provider: keyed });
  new Group("provided", { providers: [europe] });

  new dynamiclink.Project("adopted", { name: "Existing" }, { import: "${ADOPTED}" });
  dynamiclink.Project.get("referenced", "${ADOPTED.toLowerCase()}");
`;

const HARMFUL = /create|replace|delete|import/;

async function resourcesIn(stack: ScenarioStack): Promise<ResourceState[]> {
  const { resources = [] }: { readonly resources?: ResourceState[] } = JSON.parse(await stack.stateText());
  return resources.filter(({ type }) => type !== "pulumi:pulumi:Stack");
}

/** What a move must not change: everything except types and the hidden properties of the hosts. */
function essence(resources: readonly ResourceState[]) {
  return resources
    .filter((resource) => hostOf(resource) !== undefined && !resource.type.startsWith("pulumi:"))
    .map(({ urn, id, protect, retainOnDelete, outputs = {} }) => ({
      name: urn.split("::").at(-1) ?? "",
      id,
      protect,
      retainOnDelete,
      outputs: Object.fromEntries(
        Object.entries(outputs).filter(([name]) => !name.startsWith("__") || name === "__organization"),
      ),
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The module that exports the class of a resource or provider. Undefined for components and default providers. */
function hostOf({ urn, type }: ResourceState): string | undefined {
  if (/::default(_|$)/.test(urn)) return undefined;
  if (/^dynamiclink:|:dynamiclink$/.test(type)) return NATIVE_HOST.module;
  return type.includes("pulumi-nodejs") ? DYNAMIC_HOST.module : undefined;
}

runScenarios("moving", [
  {
    name: "a stack moves from the dynamic host to the native one and back without a replacement or a write",
    onCli: true,
    // The project has both hosts' plugins.
    hosts: "native",
    seed: seedWith([{ id: ADOPTED.toLowerCase(), name: "Existing" }]),
    async run({ stack, service }) {
      const [from, to] = [DYNAMIC_HOST.module, NATIVE_HOST.module];
      await stack.environment({ OTHER_KEY, API_URL: service.url });
      stack.program(PROGRAM, from);
      await stack.up();
      const before = essence(await resourcesIn(stack));
      expect(before).toHaveLength(14);
      for (const module of [to, from]) {
        service.clearRequests();
        stack.program(PROGRAM, module);
        const { changes } = await stack.preview();
        expect(Object.keys(changes).filter((kind) => HARMFUL.test(kind))).toEqual([]);
        const { same, update = 0, ...others } = (await stack.up()).changes;
        // The object that is only referenced is read again and leaves the state under its old type.
        expect(others).toEqual({ discard: 1 });
        // The settings of the providers have other names. The dynamic host restores its hidden property.
        if (module === to) expect(update).toBe(2);
        const resources = await resourcesIn(stack);
        expect(essence(resources)).toEqual(before);
        expect(new Set(resources.map(hostOf))).toEqual(new Set([undefined, module]));

        expect(Object.keys((await stack.preview({ refresh: true })).changes)).toEqual(["same"]);
        expect(writesIn(service)).toEqual([]);
      }
      const unprotected = PROGRAM.replace("protect: true", "protect: false");
      stack.program(unprotected.replace("import:", "protect: false, import:"), from);
      await stack.up();
      await stack.destroy();
      expect(await resourcesIn(stack)).toEqual([]);
      // The adopted object is kept, because of its option.
      expect(service.state.projects.map(({ name }) => name)).toEqual(["Existing"]);
    },
  },
]);
