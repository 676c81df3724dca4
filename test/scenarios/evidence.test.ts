/**
 * What counts as evidence that an object was deleted, or never existed: a 404 and a list of its place without it, on both
 * hosts. The CLI runs one case of each message, with one kind of object, and no waits: it has no part in either.
 */

import { DESCRIPTIONS } from "../../provider/resources";
import { withArticle } from "../../provider/values/phrases";
import type { Emulator } from "../../testing/emulator";
import {
  deployed,
  failureOf,
  KEY,
  ORGANIZATION,
  readsIn,
  runScenarios,
  type Scenario,
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

/** A program with an object of each kind. */
const PROJECT_PROGRAM = 'new Project("it", { name: "Shop" });';
const APPLICATION_PROGRAM = `new Application("it", { projectId: "${PROJECT}", appType: "WEB" });`;
const DOMAIN_PROGRAM = `new CustomDomain("it", { projectId: "${PROJECT}", hostname: "links.shop.example" });`;

/** Each kind: its declaration, and the operations on it. */
const KINDS = (
  [
    ["Project", PROJECT_PROGRAM],
    ["Application", APPLICATION_PROGRAM],
    ["CustomDomain", DOMAIN_PROGRAM],
  ] as const
).map(([type, program]) => ({
  title: DESCRIPTIONS[type].title,
  program,
  get: `get${type}` as const,
  list: `list${type}s` as const,
  remove: `delete${type}` as const,
}));
const ABSENT = "0f0f0f0f-0000-4000-8000-000000000006";

/** Which tables of kinds the CLI runs: it does not know the kind of a resource, so it runs them with one. */
function onCli(title: string, hosts: Scenario["onCli"] = "one host"): Scenario["onCli"] {
  return title === "application" ? hosts : undefined;
}

/** A 404 in the form of the service. */
const NOT_FOUND = { status: 404, message: "Not found." } as const;

function objectsIn({ state: { projects, applications, customDomains } }: Emulator): string[] {
  return [...projects, ...applications, ...customDomains]
    .map(({ id }) => id)
    .filter((id) => id !== PROJECT && id !== OTHER_PROJECT);
}

/** Creates an object like the declared one. Returns its UUID. */
function copyIn(service: Emulator, title: string): string {
  if (title === "project") return service.createProject(ORGANIZATION, { name: "Shop" }).id;
  if (title === "application") return service.createApplication(PROJECT, { appType: "WEB" }).id;
  return service.createCustomDomain(PROJECT, { hostname: "links.shop.example" }).id;
}

/** An error about an object that shows two responses: that of the read, and that of the list. */
function contradicted(id: string): RegExp {
  const request = "\\(request [^)]{36}\\)";
  return new RegExp(`${id} failed: 404 Not Found.* ${request}.* ${request}`, "s");
}

/** The program, with the option `import`. */
function adopting(program: string, uuid: string): string {
  return program.replace(" });", ` }, { import: "${uuid}" });`);
}

/** Expects that the service has exactly the objects of the state. */
async function expectKept({ stack, service }: ScenarioTools, id: string | undefined): Promise<void> {
  expect((await stack.resources()).map((one) => one.id)).toEqual([id]);
  expect(objectsIn(service)).toEqual([id]);
}

runScenarios(
  { title: "a 404 of an object that the service still lists", seed },
  KINDS.flatMap(({ title, program, get, remove }) => [
    {
      name: `neither drops ${withArticle(title)} in up --refresh, nor creates a second one`,
      onCli: onCli(title),
      async run(tools: ScenarioTools) {
        const { stack, service } = tools;
        const id = await deployed(stack, program);
        service.inject({ operation: get, effect: NOT_FOUND });
        const message = await failureOf(stack.up({ refresh: true }));
        expect(message).toMatch(contradicted(id));
        await expectKept(tools, id);
        await stack.up({ refresh: true, expectNoChanges: true });
      },
    },
    {
      name: `to its deletion keeps ${withArticle(title)} in the state`,
      onCli: onCli(title),
      async run(tools: ScenarioTools) {
        const { stack, service } = tools;
        const id = await deployed(stack, program);
        service.inject({ operation: remove, effect: NOT_FOUND });
        await failureOf(stack.destroy());
        await expectKept(tools, id);
        service.inject({ operation: remove, effect: NOT_FOUND });
        // A custom domain is read before as well, because it may be being deleted.
        service.inject({ operation: get, count: title === "custom domain" ? 2 : 1, effect: NOT_FOUND });
        await failureOf(stack.destroy());
        await expectKept(tools, id);
        await stack.destroy();
        expect(objectsIn(service)).toEqual([]);
      },
    },
    {
      name: `does not let the import option give ${withArticle(title)} another UUID`,
      onCli: onCli(title),
      behaviour: { uniqueNames: false },
      only: { host: "dynamic" as const, because: "import" as const },
      async run(tools: ScenarioTools) {
        const { stack, service } = tools;
        const id = await deployed(stack, program);
        const copy = copyIn(service, title);
        service.inject({ operation: get, match: id, effect: NOT_FOUND });
        await failureOf(stack.deploy(adopting(program, copy)));
        expect((await stack.resources()).map((one) => one.id)).toEqual([id]);
        expect(objectsIn(service).sort()).toEqual([id, copy].sort());
      },
    },
  ]),
);

runScenarios(
  { title: "a 404 of an object that the program adopts", seed },
  KINDS.flatMap(({ title, program, get, list }) => [
    {
      name: `does not say that there is no ${title}, if the service lists it`,
      onCli: onCli(title),
      async run({ stack, service }: ScenarioTools) {
        const uuid = copyIn(service, title);
        // The list of the declared project comes first, and then those of the others.
        for (const project of [OTHER_PROJECT, PROJECT]) {
          stack.program(adopting(program.replace(PROJECT, project), uuid));
          service.inject({ operation: get, effect: NOT_FOUND });
          expect(await failureOf(stack.up())).toMatch(contradicted(uuid));
        }
        expect(await stack.resources()).toEqual([]);
        await stack.up();
        expect((await stack.resources()).map((one) => one.id)).toEqual([uuid]);
        expect(writesIn(service)).toEqual([]);
      },
    },
    {
      name: `says that there is no ${title} only after the lists that could contain it`,
      onCli: onCli(title, "both hosts"),
      async run({ stack, service, host }: ScenarioTools) {
        stack.program(adopting(program, ABSENT));
        expect(await failureOf(stack.preview())).toContain(`${title} ${ABSENT}`);
        // With the native plugin, Pulumi reads the object before the plugin knows what the program declares.
        const first = host === "native" || title === "project" ? [] : [`${list} 200`];
        const others = title === "project" ? [] : Array(2 - first.length).fill(`${list} 200`);
        expect(readsIn(service)).toEqual([
          "getCurrentApiCredential 200",
          `${get} 404`,
          ...first,
          "listProjects 200",
          ...others,
        ]);
      },
    },
  ]),
);

runScenarios("a 404 of an object that the program adopts, without the lists that could contain it,", [
  {
    name: "is reported as what a single response says",
    onCli: "both hosts",
    seed,
    async run({ stack, service, host }) {
      service.setScopes(KEY, ["applications:read", "applications:write"]);
      stack.program(
        `new Application("it", { projectId: "${PROJECT}", appType: "WEB" }, { import: "${ABSENT}" });`,
      );
      expect(await failureOf(stack.preview())).toContain("Only one response says so");
      expect(readsIn(service)).toEqual([
        "getCurrentApiCredential 200",
        "getApplication 404",
        // With the native plugin, Pulumi reads the object before the plugin knows what the program declares.
        ...(host === "native" ? [] : ["listApplications 200"]),
      ]);
    },
  },
]);

runScenarios("a 404 of an object that a function looks up", [
  {
    name: "does not say that there is no application, if the service lists it, and says of links that none can confirm it",
    onCli: "one host",
    seed,
    async run({ stack, service }) {
      const uuid = copyIn(service, "application");
      const messageOf = async (name: string, id: string) => {
        stack.program(`export const { id } = await dynamiclink.${name}({ id: "${id}" });`);
        return await failureOf(stack.preview());
      };
      service.inject({ operation: "getApplication", effect: NOT_FOUND });
      expect(await messageOf("getApplication", uuid)).toMatch(contradicted(uuid));
      expect((await stack.up()).outputs).toEqual({ id: uuid });
      expect(await messageOf("getApplication", ABSENT)).toContain(`application ${ABSENT}`);
      expect(await messageOf("getLink", ABSENT)).toContain("Only one response says so");
    },
  },
]);

runScenarios({ title: "a 404 of the project of a new object", seed }, [
  {
    name: "does not say that there is no project, if the organization lists it",
    onCli: "one host",
    async run({ stack, service }) {
      stack.program(APPLICATION_PROGRAM);
      service.inject({ operation: "getProject", effect: NOT_FOUND });
      expect(await failureOf(stack.preview())).toMatch(contradicted(PROJECT));
      await stack.up();
      expect(writesIn(service)).toEqual(["createApplication 201"]);
    },
  },
  {
    name: "does not say so before a custom domain moves there either",
    async run(tools) {
      const { stack, service } = tools;
      const id = await deployed(stack, DOMAIN_PROGRAM);
      stack.program(DOMAIN_PROGRAM.replace(PROJECT, OTHER_PROJECT));
      service.inject({ operation: "getProject", effect: NOT_FOUND });
      expect(await failureOf(stack.up())).toMatch(contradicted(OTHER_PROJECT));
      await expectKept(tools, id);
    },
  },
  {
    name: "counts for nothing if this run has created the project that a custom domain moves to",
    behaviour: { readLag: { afterPolls: 1 } },
    async run({ stack, service }) {
      await stack.deploy(DOMAIN_PROGRAM);
      await stack.deploy(
        `const next = new Project("next", { name: "Next" });${DOMAIN_PROGRAM.replace(`"${PROJECT}"`, "next.id")}`,
      );
      const next = (await stack.resources()).find(({ name }) => name === "next");
      expect(service.state.customDomains.map(({ projectId }) => projectId)).toEqual([next?.id]);
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
  {
    name: "leave the state with a project that the key cannot list",
    async run({ stack, service }) {
      await stack.deploy(APPLICATION_PROGRAM);
      service.setScopes(KEY, ["applications:read", "applications:write"]);
      service.deleteProject(PROJECT);
      await stack.refresh();
      expect(await stack.resources()).toEqual([]);
      expect(readsIn(service)).not.toContain("listProjects 403");
    },
  },
  {
    name: "count as deleted by a destroy",
    onCli: "one host",
    async run({ stack, service }) {
      await stack.deploy(KINDS.map(({ program, title }) => program.replace("it", title)).join("\n"));
      for (const { id } of service.state.applications) service.deleteApplication(id);
      for (const { id } of service.state.customDomains) service.deleteCustomDomain(id);
      for (const id of objectsIn(service)) service.deleteProject(id);
      await stack.destroy();
      expect(await stack.resources()).toEqual([]);
    },
  },
  {
    name: "stay in the state while the list fails",
    onCli: "one host",
    async run(tools) {
      const { stack, service } = tools;
      await stack.deploy(APPLICATION_PROGRAM);
      for (const { id } of service.state.applications) service.deleteApplication(id);
      service.inject({
        operation: "listApplications",
        count: Number.POSITIVE_INFINITY,
        effect: { status: 500 },
      });
      expect(await failureOf(stack.refresh())).toContain(
        `Listing the applications of project ${PROJECT} failed: 500`,
      );
      expect(await stack.resources()).toHaveLength(1);
    },
  },
]);

runScenarios({ title: "a project that answers 404 to lists", seed }, [
  {
    name: "keeps its application in the state while the organization lists the project",
    onCli: "one host",
    async run(tools) {
      const { stack, service } = tools;
      await stack.deploy(APPLICATION_PROGRAM);
      const [{ id } = {}] = await stack.resources();
      service.inject({ operation: ["getApplication", "listApplications"], count: 2, effect: NOT_FOUND });
      expect(await failureOf(stack.refresh())).toMatch(contradicted(`application ${id}`));
      await expectKept(tools, id);
    },
  },
  {
    name: "is not dropped by its deletion while the organization lists it",
    async run(tools) {
      const { stack, service } = tools;
      await stack.deploy(PROJECT_PROGRAM);
      const [{ id } = {}] = await stack.resources();
      service.inject({ operation: ["listApplications", "getProject"], count: 2, effect: NOT_FOUND });
      await failureOf(stack.destroy());
      expect(writesIn(service)).toEqual(["createProject 201"]);
      await expectKept(tools, id);
    },
  },
]);

runScenarios("an activation", [
  {
    name: "stays in the state after a 404 if its domain is listed, and leaves it if not",
    onCli: "one host",
    seed,
    async run({ stack, service }) {
      await stack.deploy(`
        const domain = new CustomDomain("it", { projectId: "${PROJECT}", hostname: "links.shop.example" });
        new CustomDomainActivation("active", { customDomainId: domain.id });`);
      const id = service.state.customDomains[0]?.id ?? "";
      service.inject({ operation: "getCustomDomain", count: 2, effect: NOT_FOUND });
      expect(await failureOf(stack.refresh())).toContain("404 Not Found");
      expect(await stack.resources()).toHaveLength(2);
      service.deleteCustomDomain(id);
      await stack.refresh();
      expect(await stack.resources()).toEqual([]);
    },
  },
]);

/** The declaration of an activation. */
function activationOf(uuid: string): string {
  return `new CustomDomainActivation("active", { customDomainId: "${uuid}" });`;
}

runScenarios({ title: "a new activation", seed }, [
  {
    name: "waits while only lists contain its domain",
    async run({ stack, service }) {
      const uuid = copyIn(service, "custom domain");
      service.inject({ operation: "getCustomDomain", count: 2, effect: NOT_FOUND });
      // Another one, after the first read that finds the domain.
      service.inject({ operation: "getCustomDomain", skip: 1, effect: NOT_FOUND });
      await stack.deploy(activationOf(uuid));
      expect((await stack.resources()).map(({ id }) => id)).toEqual([uuid]);
      expect(readsIn(service).filter((read) => read === "getCustomDomain 404")).toHaveLength(3);
    },
  },
  {
    name: "fails without a wait if the lists lack its domain as well",
    async run({ stack, service }) {
      expect(await failureOf(stack.deploy(activationOf(ABSENT)))).toContain(`custom domain ${ABSENT}`);
      expect(readsIn(service).filter((read) => read.startsWith("getCustomDomain "))).toHaveLength(1);
    },
  },
  {
    name: "waits without the lists for a domain that is not found yet",
    async run({ stack, service }) {
      const uuid = copyIn(service, "custom domain");
      service.setScopes(KEY, ["domains:read"]);
      service.inject({ operation: "getCustomDomain", effect: NOT_FOUND });
      await stack.deploy(activationOf(uuid));
      expect((await stack.resources()).map(({ id }) => id)).toEqual([uuid]);
      expect(await failureOf(stack.deploy(activationOf(ABSENT)))).toContain("Only one response says so");
    },
  },
]);

runScenarios({ title: "the wait for the deletion of a custom domain", seed }, [
  {
    name: "does not end with a 404 while the list of its project contains it",
    behaviour: { deletingPolls: 2, uniqueNames: true },
    async run({ stack, service }) {
      const domain = (project: string) =>
        `new CustomDomain("it", { projectId: "${project}", hostname: "links.shop.example" });`;
      await stack.deploy(domain(PROJECT));
      service.clearRequests();
      service.inject({ operation: "getCustomDomain", effect: NOT_FOUND });
      await stack.deploy(domain(OTHER_PROJECT));
      const afterDelete = service.requests
        .map(({ operationId, status }) => `${operationId} ${status}`)
        .slice(service.requests.findIndex(({ operationId }) => operationId === "deleteCustomDomain"));
      expect(afterDelete).toEqual([
        "deleteCustomDomain 204",
        "getCustomDomain 404",
        "listCustomDomains 200",
        "getCustomDomain 200",
        "getCustomDomain 200",
        "getCustomDomain 404",
        "listCustomDomains 200",
        // The project that the domain moves to.
        "listCustomDomains 200",
        "createCustomDomain 201",
      ]);
      expect(service.state.customDomains.map(({ projectId }) => projectId)).toEqual([OTHER_PROJECT]);
    },
  },
  {
    name: "lasts until the list lacks it",
    behaviour: { deletingPolls: 0 },
    async run({ stack, service }) {
      await stack.deploy(DOMAIN_PROGRAM);
      service.setBehaviour({ listLag: { afterPolls: 2 } });
      service.clearRequests();
      await stack.destroy();
      expect(readsIn(service).filter((read) => /CustomDomain/.test(read) && !/Link/.test(read))).toEqual([
        "getCustomDomain 404",
        "listCustomDomains 200",
        "getCustomDomain 404",
        "listCustomDomains 200",
        "getCustomDomain 404",
        "listCustomDomains 200",
      ]);
      expect(await stack.resources()).toEqual([]);
    },
  },
  ...[
    {
      when: "before the DELETE",
      vanish: (service: Emulator) =>
        service.inject({ operation: "listCustomDomainLinks", effect: NOT_FOUND }),
    },
    {
      when: "after the DELETE was refused",
      vanish: (service: Emulator) =>
        service.inject({ operation: "getCustomDomain", count: 3, effect: NOT_FOUND }),
    },
    {
      when: "before anything is read",
      vanish: (service: Emulator, id: string) => service.deleteCustomDomain(id),
    },
  ].map(({ when, vanish }) => ({
    name: `also ends if a domain that is being deleted is not found ${when}, and lists still contain it`,
    behaviour: { deletingPolls: 1 },
    async run({ stack, service }: ScenarioTools) {
      const id = await deployed(stack, DOMAIN_PROGRAM);
      service.setDomainStatus(id, "DELETING");
      service.setBehaviour({ listLag: { afterPolls: 4 } });
      vanish(service, id);
      await stack.destroy();
      expect(await stack.resources()).toEqual([]);
      expect(service.state.customDomains).toEqual([]);
    },
  })),
]);
