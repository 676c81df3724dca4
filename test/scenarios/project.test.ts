/** The lifecycle of a project, and the requests that previews send. */

import {
  deployed,
  failureOf,
  KEY,
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
    name: "a change in the console is drift, and up reverts it",
    onCli: "one host",
    async run({ stack, service }) {
      const id = await deployed(stack, 'new Project("shop", { name: "Shop", defaultHookupMsg: "Ours" });');
      service.updateProject(id, { defaultHookupMsg: "Theirs" });
      expect((await stack.refresh()).changes).toMatchObject({ update: 1 });
      expect((await stack.up()).changes).toMatchObject({ update: 1 });
      expect(service.state.projects[0]).toMatchObject({ defaultHookupMsg: "Ours" });
      await stack.preview({ expectNoChanges: true });
    },
  },
  {
    name: "preview and up report all invalid inputs, and send nothing",
    onCli: "both hosts",
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
    name: "the preview of a new project warns that its name is in use, and does not show a secret name",
    onCli: "both hosts",
    seed: seedWith([{ id: EXISTING, name: "Existing shop" }]),
    async run({ stack, service }) {
      stack.program('new Project("shop", { name: pulumi.secret("Existing shop") });');
      const { changes, printed } = await stack.preview();
      expect(changes).toEqual({ create: 2 });
      expect(printed).toContain(
        ` is used by project ${EXISTING}, so the service may refuse the create. To manage that one, set the option \`import\` to "${EXISTING}". If this stack manages it under another name, add the option \`aliases\` instead; if this run replaces it, the option \`deleteBeforeReplace\`. If this run changes its name, add its resource to the option \`dependsOn\`. If this run deletes it, delete it in an earlier \`pulumi up\`: Pulumi creates before it deletes.`,
      );
      expect(printed).not.toContain("Existing shop");
      expect(operationsIn(service)).toEqual(["listProjects"]);
      const { printed: quiet } = await stack.deploy(
        `new Project("shop", { name: "Existing shop" }, { import: "${EXISTING}" });`,
      );
      expect(quiet).not.toContain("is used by project");
      expect(writesIn(service)).toEqual([]);
    },
  },
  {
    name: "a forced replacement of a project with a unique name needs deleteBeforeReplace, and the conflict says so",
    onCli: "one host",
    async run({ stack, service }) {
      const replace = [stack.urnOf("Project", "shop")];
      await stack.deploy('new Project("shop", { name: "Shop" });');
      const [{ id } = {}] = await stack.resources();
      expect(await failureOf(stack.up({ replace }))).toContain(
        `The name is used by project ${id}. To manage that one, set the option \`import\` to "${id}". If this stack manages it under another name, add the option \`aliases\` instead; if this run replaces it, the option \`deleteBeforeReplace\`.`,
      );
      stack.program('new Project("shop", { name: "Shop" }, { deleteBeforeReplace: true });');
      await stack.up({ replace });
      expect(writesIn(service)).toEqual([
        "createProject 201",
        "createProject 409",
        "deleteProject 204",
        "createProject 201",
      ]);
    },
  },
  {
    name: "Project.get reads a project that the stack does not manage",
    onCli: "one host",
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
    onCli: "both hosts",
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
  {
    name: "a function waits for what it depends on: the resources in a component, and those behind its arguments",
    onCli: "both hosts",
    seed: seedWith([{ id: EXISTING, name: "Existing" }]),
    async run({ stack, service }) {
      stack.program(`
        const team = new pulumi.ComponentResource("test:index:Team", "team");
        const shops = new pulumi.ComponentResource("test:index:Shops", "shops", {}, { parent: team });
        const shop = new Project("shop", { name: "Shop" }, { parent: shops });
        export const listed = dynamiclink.getProjectsOutput({ dependsOn: [team] }).projects.length;
        const projectId = shop.name.apply(() => "${EXISTING}");
        export const applications = dynamiclink.getApplicationsOutput({ projectId }).applications.length;
      `);
      await stack.preview();
      // The list is that of the names in use.
      expect(operationsIn(service)).toEqual(["listProjects"]);
      expect((await stack.up()).outputs).toEqual({ listed: 2, applications: 0 });
    },
  },
  {
    name: "a function of the dynamic host needs a Provider where Pulumi refuses dynamic resources without one",
    onCli: "one host",
    only: { host: "dynamic", because: "functionsInProgram" },
    seed: seedWith([{ id: EXISTING, name: "Existing" }]),
    async run({ stack, service }) {
      const lookUp = `dynamiclink.getProject({ id: "${EXISTING}" }`;
      for (const name of ["*", "pulumi-nodejs"]) {
        await stack.configure({
          "dynamiclink:apiUrl": service.url,
          "pulumi:disable-default-providers": JSON.stringify([name]),
        });
        stack.program(`await ${lookUp});`);
        expect(await failureOf(stack.preview())).toContain(
          `pulumi:disable-default-providers contains "${name}", so a function needs the option provider`,
        );
        expect(operationsIn(service)).toEqual([]);
      }
      stack.program(`
        const provider = new Provider("own", { apiUrl: new pulumi.Config("dynamiclink").require("apiUrl") });
        await ${lookUp}, { provider });
      `);
      await stack.preview();
      await stack.configure({
        "dynamiclink:apiUrl": service.url,
        "pulumi:disable-default-providers": '["dynamiclink"]',
      });
      stack.program(`await ${lookUp});`);
      await stack.preview();
    },
  },
  {
    name: "an argument that a function does not have is refused",
    onCli: "both hosts",
    async run({ stack, service }) {
      stack.program(`await dynamiclink.getProject({ id: "${EXISTING}", name: "Existing" } as never);`);
      expect(await failureOf(stack.preview())).toContain(
        "name is not an argument of getProject; allowed: id.",
      );
      expect(operationsIn(service)).toEqual([]);
    },
  },
  {
    name: "reading a project that does not exist fails, and so does a function whose scope the key lacks",
    onCli: "one host",
    async run({ stack, service }) {
      service.setScopes(KEY, ["projects:read", "projects:write", "applications:read"]);
      for (const [program, message] of [
        [
          `Project.get("absent", "${ABSENT}");`,
          `There is no project ${ABSENT} in organization ${ORGANIZATION}`,
        ],
        [
          `await dynamiclink.getApplications({ projectId: "${ABSENT}" });`,
          `There is no project ${ABSENT} in organization ${ORGANIZATION}`,
        ],
        [
          `await dynamiclink.getCustomDomains({ projectId: "${ABSENT}" });`,
          "lacks the scope domains:read, which listing custom domains needs",
        ],
        [`await dynamiclink.getLink({ id: "${ABSENT}" });`, "lacks the scope links:read"],
      ] as const) {
        stack.program(program);
        expect(await failureOf(stack.preview())).toContain(message);
      }
    },
  },
]);
