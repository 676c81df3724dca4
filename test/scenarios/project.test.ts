/** The lifecycle of a project, and the requests that previews send. */

import {
  failureOf,
  ORGANIZATION,
  operationsIn,
  readsIn,
  runScenarios,
  seedWith,
  writesIn,
} from "../support/stacks/scenarios";

const EXISTING = "0c0c0c0c-0000-4000-8000-000000000003";
const ABSENT = "0e0e0e0e-0000-4000-8000-00000000000e";

runScenarios("the lifecycle of a project", [
  {
    name: "a project is created, unchanged in a second preview, updated, refreshed and deleted",
    onService: "always",
    onCli: "both hosts",
    async run({ stack, service }) {
      stack.program('export const shop = new Project("shop", { name: "Shop" }).id;');
      await stack.preview();
      expect(writesIn(service)).toEqual([]);
      const { changes, outputs } = await stack.up();
      expect(changes).toEqual({ create: 2 });
      const [shop] = await stack.resources();
      expect(outputs).toEqual({ shop: shop?.id });
      expect(shop?.outputs).toMatchObject({
        name: "Shop",
        organizationId: ORGANIZATION,
        __organization: ORGANIZATION,
      });
      expect(shop?.outputs).not.toHaveProperty("defaultHookupMsg");
      expect(writesIn(service)).toEqual(["createProject 201"]);

      service.clearRequests();
      await stack.preview({ expectNoChanges: true });
      expect(readsIn(service)).toEqual(["getCurrentApiCredential 200"]);
      expect(writesIn(service)).toEqual([]);

      stack.program('new Project("shop", { name: "The shop", defaultHookupMsg: "Open it" });');
      service.clearRequests();
      expect((await stack.up()).changes).toMatchObject({ update: 1 });
      expect(service.requests.filter(({ method }) => method === "PATCH").map(({ body }) => body)).toEqual([
        { project_name: "The shop", default_hookup_msg: "Open it" },
      ]);

      await stack.refresh({ expectNoChanges: true });
      expect(
        (await stack.deploy('new Project("shop", { name: "The shop", defaultHookupMsg: null });')).changes,
      ).toMatchObject({ update: 1 });
      expect(service.state.projects.map(({ name, defaultHookupMsg }) => [name, defaultHookupMsg])).toEqual([
        ["The shop", null],
      ]);
      await stack.destroy();
      expect(service.state.projects).toEqual([]);
      expect(await stack.resources()).toEqual([]);
    },
  },
  {
    name: "preview and up report all invalid inputs, and send nothing",
    onCli: "one host",
    async run({ stack, service }) {
      stack.program('new Project("shop", { hookup: "?", defaultHookupMsg: "x".repeat(501) } as never);');
      for (const message of [await failureOf(stack.preview()), await failureOf(stack.up())]) {
        expect(message).toContain("name is required: text of 1 to 100 characters");
        expect(message).toContain("hookup is not a property");
        expect(message).toContain("defaultHookupMsg must be text of at most 500 characters");
        expect(message).not.toMatch(/\n\s+at /);
      }
      expect(operationsIn(service)).toEqual([]);
    },
  },
  {
    name: "Project.get reads a project that the stack does not manage",
    seed: seedWith([{ id: EXISTING, name: "Existing", defaultHookupMsg: "Hello" }]),
    async run({ stack, service }) {
      const { outputs } = await stack.deploy(`
        const existing = Project.get("existing", "${EXISTING}");
        export const greeting = existing.defaultHookupMsg;
        export const same = Project.isInstance(existing);
      `);
      expect(outputs).toEqual({ greeting: "Hello", same: true });
      await stack.destroy();
      expect(service.state.projects).toHaveLength(1);
      expect(writesIn(service)).toEqual([]);
    },
  },
  {
    name: "a program builds maps by name from lists, also of projects that it creates",
    onCli: "one host",
    seed: seedWith([
      {
        id: EXISTING,
        name: "Existing",
        applications: [{ id: ABSENT, appType: "WEB" }],
        customDomains: [{ hostname: "links.shop.example" }],
      },
      { name: "Other" },
    ]),
    async run({ stack, service }) {
      stack.program(`
        const { projects } = await dynamiclink.getProjects();
        const ids = Object.fromEntries(projects.map(({ name, id }) => [name, id]));
        export const existing = ids.Existing;
        export const count = dynamiclink.getProjectsOutput().projects.length;
        export const application = (await dynamiclink.getApplications({ projectId: ids.Existing })).applications[0]?.id;
        const { customDomains } = await dynamiclink.getCustomDomains({ projectId: ids.Existing });
        export const hostnames = customDomains.map(({ hostname }) => hostname);
        const shop = new Project("shop", { name: "Shop" });
        export const created = dynamiclink.getProjectOutput({ id: shop.id }).name;
        export const none = dynamiclink.getApplicationsOutput({ projectId: shop.id }).applications.length;
        export const noDomain = dynamiclink.getCustomDomainsOutput({ projectId: shop.id }).customDomains.length;
      `);
      await stack.preview();
      expect(writesIn(service)).toEqual([]);
      expect((await stack.up()).outputs).toEqual({
        existing: EXISTING,
        count: 2,
        application: ABSENT,
        hostnames: ["links.shop.example"],
        created: "Shop",
        none: 0,
        noDomain: 0,
      });
    },
  },
]);

/** More projects than a preview may ask about. */
const MANY = Array.from({ length: 30 }, (_, index) => ({ name: `Other ${index}` }));

runScenarios("names in use", [
  {
    name: "a preview of a new custom domain lists one project, and names the domain that has the hostname",
    seed: seedWith([
      ...MANY,
      { id: EXISTING, name: "Existing", customDomains: [{ id: ABSENT, hostname: "links.shop.example" }] },
    ]),
    async run({ stack, service }) {
      stack.program(
        `new CustomDomain("links", { projectId: "${EXISTING}", hostname: "links.shop.example" });`,
      );
      const { printed } = await stack.preview();
      expect(printed).toContain(
        `is used by custom domain ${ABSENT}. If this resource was renamed or moved, add \`aliases\`. If no stack manages it, adopt it: set the option \`import\` to "${ABSENT}".`,
      );
      expect(operationsIn(service)).toEqual(["getProject", "listCustomDomains"]);
    },
  },
  {
    name: "a preview of two projects that swap names says so, and the way out that it names works",
    async run({ stack, service, host }) {
      const named = (a: string, b: string) =>
        `new Project("a", { name: "${a}" }); new Project("b", { name: "${b}" });`;
      await stack.deploy(named("Shop", "Blog"));
      service.clearRequests();
      stack.program(named("Blog", "Shop"));
      const { printed } = await stack.preview();
      expect(printed).toMatch(
        /The name of the resource .*\bb is that of the resource .*\ba until this run changes it\. In an earlier `pulumi up`, give the resource .*\ba one that nothing uses\./,
      );
      // The plugin reports it after it has checked both.
      expect(operationsIn(service)).toEqual(host === "dynamic" ? ["listProjects"] : []);
      expect(await failureOf(stack.up())).toMatch(/The name is used by project [^ ]+ of the resource/);
      await stack.deploy(named("Unused", "Blog"));
      await stack.deploy(named("Unused", "Shop"));
      await stack.deploy(named("Blog", "Shop"));
      await stack.preview({ expectNoChanges: true });
    },
  },
]);
