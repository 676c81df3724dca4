/** One object under two entries of the state, for example after two imports: it is deleted with the last entry only. */

import {
  ORGANIZATION,
  runScenarios,
  type ScenarioTools,
  seedWith,
  writesIn,
} from "../support/stacks/scenarios";
import { type ImportedThing, importEntryFor } from "../support/values/importEntry";

const SHOP = "0c0c0c0c-0000-4000-8000-000000000003";
const MARKET = "0d0d0d0d-0000-4000-8000-000000000005";
const WEB = "0d0d0d0d-0000-4000-8000-000000000006";

const seed = seedWith([
  { id: SHOP, name: "Shop" },
  { id: MARKET, name: "Market", applications: [{ id: WEB, appType: "WEB" }] },
]);

const PROPERTIES = { organizationId: ORGANIZATION } as const;
const IMPORTED = {
  project: { kind: "Project", id: SHOP, ...PROPERTIES, properties: { name: "Shop", ...PROPERTIES } },
  application: {
    kind: "Application",
    id: WEB,
    ...PROPERTIES,
    properties: { projectId: MARKET, appType: "WEB", ...PROPERTIES },
  },
} as const;

/** Imports an object under logical names, each in a command of its own. */
async function importAs(
  { stack, host }: ScenarioTools,
  thing: ImportedThing,
  ...names: string[]
): Promise<void> {
  for (const name of names) await stack.importFile({ resources: [importEntryFor(host, thing, name)] });
}

async function entriesOf({ stack }: ScenarioTools): Promise<[string, string | undefined][]> {
  return (await stack.resources()).map(({ name, id }) => [name, id]);
}

function project(name: string, options = ""): string {
  return `new Project("${name}", { name: "Shop" }, { ${options} });`;
}

function web(name: string, projectId: string, options = ""): string {
  return `new Application("${name}", { projectId: "${projectId}", appType: "WEB" }, { ${options} });`;
}

const KEPT = `Project ${SHOP} is kept, because the resource `;

runScenarios({ title: "one object under two entries", seed }, [
  {
    name: "the object of two imports stays when the program declares one of them",
    onCli: "both hosts",
    async run(tools) {
      await importAs(tools, IMPORTED.project, "shop", "store");
      const { stack, service } = tools;
      expect((await stack.deploy(project("shop"))).printed).toContain(KEPT);
      expect(await entriesOf(tools)).toEqual([["shop", SHOP]]);
      expect(writesIn(service)).toEqual([]);
      await stack.preview({ expectNoChanges: true });
    },
  },
  {
    name: "the object of an import with an upper-case UUID stays when another name adopts it",
    async run(tools) {
      await importAs(tools, { ...IMPORTED.project, id: SHOP.toUpperCase() }, "shop");
      const { stack, service } = tools;
      await stack.deploy(project("store", `import: "${SHOP}", protect: false`));
      expect(await entriesOf(tools)).toEqual([["store", SHOP]]);
      expect(service.state.projects.map(({ id }) => id)).toContain(SHOP);
      expect(writesIn(service)).toEqual([]);
    },
  },
  {
    name: "a created object stays when an import of it leaves the program, and when its own entry does",
    seed: seedWith(),
    async run(tools) {
      const { stack, service } = tools;
      await stack.deploy(project("shop"));
      const [{ id = "", outputs } = {}] = await stack.resources();
      const thing = { kind: "Project", id, organizationId: ORGANIZATION, properties: outputs ?? {} } as const;
      await importAs(tools, thing, "store");
      await stack.up();
      expect(await entriesOf(tools)).toEqual([["shop", id]]);
      await importAs(tools, thing, "store");
      await stack.deploy(project("store"));
      expect(await entriesOf(tools)).toEqual([["store", id]]);
      expect(writesIn(service)).toEqual(["createProject 201"]);
      await stack.deploy("");
      expect(writesIn(service)).toEqual(["createProject 201", "deleteProject 204"]);
    },
  },
  {
    name: "the object is deleted once when both entries leave the program",
    onCli: "one host",
    async run(tools) {
      await importAs(tools, IMPORTED.application, "web", "site");
      const { stack, service } = tools;
      await stack.deploy(`const web = ${web("web", MARKET)} ${web("site", MARKET, "dependsOn: [web]")}`);
      await stack.deploy("");
      expect(await entriesOf(tools)).toEqual([]);
      expect(writesIn(service)).toEqual(["deleteApplication 204", "deleteApplication 404"]);
      expect(service.state.applications).toEqual([]);
    },
  },
  {
    name: "the object stays when one of two declared entries is replaced",
    onCli: "one host",
    async run(tools) {
      await importAs(tools, IMPORTED.application, "web", "site");
      const { stack, service } = tools;
      await stack.deploy(web("web", MARKET) + web("site", MARKET));
      await stack.deploy(web("web", SHOP) + web("site", MARKET));
      expect(writesIn(service)).toEqual(["createApplication 201"]);
      expect(service.state.applications.map(({ projectId }) => projectId).sort()).toEqual([SHOP, MARKET]);
      await stack.preview({ expectNoChanges: true });
    },
  },
]);
