/**
 * The lifecycle of each kind of resource as a program, from the first preview to destroy, and what applications and custom
 * domains have besides. behaviour/undecided covers what the reference leaves open, and messages/ what the messages advise.
 */
import { uncapitalized } from "../../provider/values/phrases";
import type { Emulator } from "../../testing/emulator";
import {
  deployed,
  failureOf,
  operationsIn,
  runScenarios,
  type Scenario,
  seedWith,
  writesIn,
} from "../support/stacks/scenarios";
import { EXAMPLE_KINDS, examplesOf, type Kind, RESOURCE_EXAMPLES } from "../support/values/resourceExamples";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const OTHER_PROJECT = "0c0c0c0c-0000-4000-8000-000000000005";
const seed = seedWith([
  { id: PROJECT, name: "Shop" },
  { id: OTHER_PROJECT, name: "Market" },
]);

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
        const changed = (await stack.resources()).find(({ name }) => name === uncapitalized(kind));
        OUTSIDE[kind]?.(service, changed?.id ?? "");
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
    name: "the preview of projects whose names are used says by which ones, up to three",
    seed: seedWith([{ id: PROJECT, name: "1" }, ...["2", "3", "4", "5"].map((name) => ({ name }))]),
    async run({ stack }) {
      stack.program('for (const name of ["1", "2", "3", "4", "5"]) new Project(name, { name });');
      const { printed } = await stack.preview();
      expect(printed).toContain(`is used by project ${PROJECT}`);
      expect(printed.split("is used by project")).toHaveLength(4);
      expect(printed).toMatch(/More projects .* `npx pulumi-dynamiclink discover`/);
    },
  },
]);

const ALIAS = ', { aliases: [{ name: "ios" }] }';
const APPLE_INFO = { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" };

function ios(info: object, options = "") {
  const appleInfo = JSON.stringify({ ...APPLE_INFO, ...info });
  return `new Application("ios", { projectId: "${PROJECT}", appType: "IOS", appleInfo: ${appleInfo} }${options});`;
}

runScenarios({ title: "the lifecycle of an application", seed }, [
  {
    name: "a field under ignoreChanges keeps its value from the console when another field changes",
    onCli: true,
    async run({ stack, service }) {
      const ignoring = ', { ignoreChanges: ["appleInfo.appStoreId"] }';
      const id = await deployed(stack, ios({ appStoreId: "1" }, ignoring));
      service.updateApplication(id, { appleInfo: { ...APPLE_INFO, appStoreId: "2" } });
      stack.program(ios({ appStoreId: "3", appName: "The shop" }, ignoring));
      service.clearRequests();
      const { printed } = await stack.up();
      expect(printed).toContain(`appleInfo.appStoreId of application ${id} was changed outside Pulumi`);
      expect(writesIn(service)).toEqual(["updateApplication 200"]);
      expect(service.state.applications[0]?.appleInfo).toMatchObject({
        appName: "The shop",
        appStoreId: "2",
      });
      await stack.preview({ expectNoChanges: true });
    },
  },
  {
    name: "that is renamed with an alias and moved in one run, is created there and deleted here",
    onCli: true,
    async run({ stack, service }) {
      await deployed(stack, ios({}));
      service.clearRequests();
      await stack.deploy(ios({}, ALIAS).replace('"ios"', '"phone"').replace(PROJECT, OTHER_PROJECT));
      expect(writesIn(service)).toEqual(["createApplication 201", "deleteApplication 204"]);
      expect(service.state.applications).toMatchObject([{ projectId: OTHER_PROJECT }]);
    },
  },
]);

runScenarios("properties that are declared as null", [
  {
    name: "null is no change once it is applied, is not in the request of a create, and is an undefined output",
    onCli: true,
    async run({ stack, service }) {
      const project = (message: string) => `
        const shop = new Project("shop", { name: "Shop", defaultHookupMsg: ${message} });
        export const message = shop.defaultHookupMsg;
      `;
      expect((await stack.deploy(project("null"))).outputs).toEqual({});
      expect(service.requests.at(-1)?.body).toEqual({ project_name: "Shop" });
      expect((await stack.resources())[0]?.outputs).toMatchObject({ defaultHookupMsg: null });
      await stack.refresh({ expectNoChanges: true });
      stack.program(
        `${project("pulumi.output(null)")} export const isUndefined = message.apply((value) => value === undefined);`,
      );
      expect((await stack.up({ expectNoChanges: true })).outputs).toEqual({ isUndefined: true });
      expect(writesIn(service)).toEqual(["createProject 201"]);
    },
  },
]);

function domain(hostname: string, options = "") {
  return `const links = new CustomDomain("links", { projectId: "${PROJECT}", hostname: "${hostname}" }${options});`;
}

function hostnamesIn({ state }: Emulator): string[] {
  return state.customDomains.map(({ hostname }) => hostname);
}

function linkIn(service: Emulator): string {
  const [{ id: customDomainId } = {}] = service.state.customDomains;
  return service.createLink(PROJECT, { url: "https://shop.example/", name: "Home", customDomainId }).id;
}

runScenarios({ title: "the lifecycle of a custom domain", seed }, [
  {
    name: "with retainOnDelete, a domain with links stays in the service, and moves only after the option was removed",
    onCli: true,
    async run({ stack, service }) {
      const retained = ", { retainOnDelete: true }";
      await stack.deploy(domain("links.shop.example", retained));
      linkIn(service);
      const { printed } = await stack.deploy(domain("go.shop.example", retained));
      expect(printed).toContain("and stays in the service because of the option retainOnDelete");
      expect(hostnamesIn(service)).toEqual(["links.shop.example", "go.shop.example"]);
      await stack.preview({ expectNoChanges: true });
      const moved = (options = "") => domain("go.shop.example", options).replace(PROJECT, OTHER_PROJECT);
      stack.program(moved(retained));
      expect(await failureOf(stack.preview())).toContain(
        "Remove the option, run `pulumi up`, and change projectId in a later one.",
      );
      await stack.deploy(domain("go.shop.example"));
      await stack.deploy(moved());
      expect(service.state.customDomains.map(({ projectId }) => projectId)).toEqual([PROJECT, OTHER_PROJECT]);
      await stack.preview({ expectNoChanges: true });
    },
  },
]);

const TRANSFORM =
  "transformations: [({ props, opts }) => ({ props, opts: { ...opts, retainOnDelete: true } })]";

runScenarios({ title: "an option that a transform sets", seed, hosts: "both", onCli: true }, [
  {
    name: "is in no request: the refusal says to give it to the resource as well, and that ends well",
    async run({ stack, service }) {
      await stack.deploy(domain("links.shop.example", `, { ${TRANSFORM} }`));
      linkIn(service);
      stack.program(domain("go.shop.example", `, { ${TRANSFORM} }`));
      const advice = "If a transform sets retainOnDelete, give it to the resource as well.";
      expect(await failureOf(stack.preview())).toContain(advice);
      await stack.deploy(domain("go.shop.example", `, { ${TRANSFORM}, retainOnDelete: true }`));
      expect(hostnamesIn(service)).toEqual(["links.shop.example", "go.shop.example"]);
      await stack.preview({ expectNoChanges: true });
    },
  },
]);

runScenarios({ title: "the activation of a custom domain", seed }, [
  {
    name: "waits until the domain is active, and again after a refresh has found that it no longer is",
    hosts: "both",
    onCli: true,
    behaviour: { domainAdvance: { pollsPerState: 1 } },
    async run({ stack, service }) {
      const active = { active: "links.shop.example" };
      const activation = `
        ${domain("links.shop.example")}
        export const active = new CustomDomainActivation("active", { customDomainId: links.id }).hostname;
      `;
      expect((await stack.deploy(activation)).outputs).toEqual(active);
      await stack.refresh({ expectNoChanges: true });
      for (const { id } of service.state.customDomains) service.setDomainStatus(id, "PENDING_CERTIFICATE");
      service.setBehaviour({ domainAdvance: "manual" });
      await stack.preview({ expectNoChanges: true });
      const { printed } = await stack.refresh();
      service.setBehaviour({ domainAdvance: { pollsPerState: 1 } });
      expect(printed).toContain("is PENDING_CERTIFICATE, so its activation is not complete. Run `pulumi up`");
      expect((await stack.resources())[0]?.outputs).toMatchObject({ hostname: "links.shop.example" });
      expect(await stack.up()).toMatchObject({ outputs: active, changes: { update: 1, same: 2 } });
      expect(service.state.customDomains).toMatchObject([{ lifecycleStatus: "ACTIVE" }]);
      await stack.refresh({ expectNoChanges: true });
      await stack.preview({ expectNoChanges: true });
      // What is deleted is old, however fast the machine is.
      service.clock.advance(60_000);
      service.clearRequests();
      await stack.destroy();
      expect(writesIn(service)).toEqual(["deleteCustomDomain 204"]);
    },
  },
]);
