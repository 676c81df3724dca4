/**
 * What an import by Pulumi itself does to objects that exist, which differs from the adoption of dynamic resources. A provider of
 * the native plugin keeps the organization of its resources, whatever a command covers.
 */
import {
  failureOf,
  KEY,
  ORGANIZATION,
  OTHER_KEY,
  OTHER_ORGANIZATION,
  runScenarios,
  seedWith,
  writesIn,
} from "../../support/stacks/scenarios";

const EXISTING = "0c0c0c0c-0000-4000-8000-000000000003";
const MARKET = "0d0d0d0d-0000-4000-8000-000000000005";

runScenarios({ title: "imports by Pulumi itself", hosts: "native" }, [
  {
    name: "an object that equals what is declared is imported without a write, and protected",
    onCli: true,
    seed: seedWith([{ id: EXISTING, name: "Existing", defaultHookupMsg: "Hello" }]),
    async run({ stack, service }) {
      const args = '{ name: "Existing", defaultHookupMsg: "Hello" }';
      stack.program(`new Project("existing", ${args}, { import: "${EXISTING}" });`);
      await stack.preview();
      expect((await stack.up()).changes).toMatchObject({ import: 1 });
      expect((await stack.resources())[0]).toMatchObject({ id: EXISTING, protect: true });
      await stack.refresh({ expectNoChanges: true });
      await stack.preview({ expectNoChanges: true });
      stack.program(`new Project("existing", ${args}, { protect: true });`);
      await stack.up({ expectNoChanges: true });
      expect(writesIn(service)).toEqual([]);
    },
  },
  {
    name: "what the program does not declare is left unchanged, in the run that imports and in all later ones",
    onCli: true,
    seed: seedWith([{ id: EXISTING, name: "Existing", defaultHookupMsg: "Hello" }]),
    async run({ stack, service }) {
      const declare = (args: string) =>
        stack.program(`new Project("existing", ${args}, { import: "${EXISTING}" });`);
      declare('{ name: "Existing" }');
      expect((await stack.preview()).changes).toMatchObject({ import: 1, update: 1 });
      await stack.up();
      const [existing] = await stack.resources();
      expect(existing?.inputs).toEqual({ name: "Existing" });
      expect(existing?.outputs).not.toHaveProperty("defaultHookupMsg");
      await stack.refresh({ expectNoChanges: true });
      await stack.preview({ expectNoChanges: true });
      expect(writesIn(service)).toEqual([]);
      declare('{ name: "Renamed" }');
      await stack.up();
      expect(service.state.projects).toMatchObject([{ name: "Renamed", defaultHookupMsg: "Hello" }]);
      declare('{ name: "Renamed", defaultHookupMsg: "Hello" }');
      await stack.up();
      declare('{ name: "Renamed" }');
      await stack.up();
      expect(service.state.projects[0]?.defaultHookupMsg ?? null).toBeNull();
    },
  },
  {
    name: "another UUID imports the other object, and the first one is kept, even if that run fails",
    onCli: true,
    seed: seedWith([
      { id: EXISTING, name: "Existing" },
      { id: MARKET, name: "Market" },
    ]),
    async run({ stack, service }) {
      const options = (id: string) => `import: "${id}", protect: false, retainOnDelete: false`;
      await stack.deploy(`new Project("existing", { name: "Existing" }, { ${options(EXISTING)} });`);
      service.inject({ operation: "createApplication", effect: { status: 400 } });
      const other = `const market = new Project("existing", { name: "Market" }, { ${options(MARKET)} });`;
      const failing = 'new Application("web", { projectId: market.id, appType: "WEB" });';
      await failureOf(stack.deploy(other + failing));
      expect((await stack.deploy(other)).printed).toContain(`Project Existing (${EXISTING}) is kept`);
      expect((await stack.resources()).map(({ id }) => id)).toEqual([MARKET]);
      expect(service.state.projects.map(({ id }) => id)).toEqual([EXISTING, MARKET]);
      expect(writesIn(service)).toEqual(["createApplication 400"]);
    },
  },
]);

runScenarios({ title: "a provider keeps its organization", hosts: "native" }, [
  {
    name: "a key of another organization is refused with --target and --exclude, also without a preview",
    onCli: true,
    async run({ stack, service }) {
      await stack.deploy('new Project("shop", { name: "Shop" });');
      stack.program('new Project("shop", { name: "Shop" }); new Project("market", { name: "Market" });');
      await stack.environment({ DYNAMICLINK_API_KEY: OTHER_KEY });
      const target = [stack.urnOf("Project", "market")];
      const exclude = [stack.urnOf("Project", "shop")];
      for (const run of [() => stack.preview(), () => stack.up({ target }), () => stack.up({ exclude })])
        expect(await failureOf(run())).toContain(
          `The resources of this provider belong to organization ${ORGANIZATION}, but the API key belongs to organization ${OTHER_ORGANIZATION}.`,
        );
      expect(writesIn(service)).toEqual(["createProject 201"]);
      await stack.environment({ DYNAMICLINK_API_KEY: KEY });
      await stack.up({ target });
      await stack.preview({ expectNoChanges: true });
    },
  },
]);
