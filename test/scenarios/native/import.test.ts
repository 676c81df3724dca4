/** What an import by Pulumi itself does to objects that exist. It differs from the adoption of dynamic resources. */
import { failureOf, runScenarios, seedWith, writesIn } from "../../support/stacks/scenarios";

const EXISTING = "0c0c0c0c-0000-4000-8000-000000000003";
const MARKET = "0d0d0d0d-0000-4000-8000-000000000005";
const APPLICATION = "0d0d0d0d-0000-4000-8000-000000000006";
const OTHER_APPLICATION = "0d0d0d0d-0000-4000-8000-000000000007";

runScenarios({ title: "imports by Pulumi itself", only: { host: "native", because: "import" } }, [
  {
    name: "an object that equals what is declared is imported without a write, and protected",
    onCli: "one host",
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
    onCli: "one host",
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
    name: "a refused import stays refused in later runs, changes nothing, and completes when the program agrees",
    onCli: "one host",
    seed: seedWith([{ id: EXISTING, name: "Existing", defaultHookupMsg: "Hello" }]),
    async run({ stack, service }) {
      const declare = (name: string, options = "") =>
        stack.program(
          `new Project("existing", { name: "${name}" }, { import: "${EXISTING}", protect: false${options} });`,
        );
      declare("Declared");
      for (const run of [stack.preview, stack.up, stack.preview, stack.up, () => stack.up({ refresh: true })])
        expect(await failureOf(run())).toMatch(
          /name\s+"Declared" in the program, "Existing" in the service\n/,
        );
      // Pulumi has imported the object before the plugin can compare it.
      expect((await stack.resources()).map(({ id }) => id)).toEqual([EXISTING]);
      declare("Existing");
      await stack.up();
      await stack.preview({ expectNoChanges: true });
      expect(writesIn(service)).toEqual([]);
      expect(service.state.projects).toMatchObject([{ name: "Existing", defaultHookupMsg: "Hello" }]);
    },
  },
  {
    name: "a refused import that leaves the program leaves the object, even without retainOnDelete",
    seed: seedWith([{ id: EXISTING, name: "Existing" }]),
    async run({ stack, service }) {
      const options = `{ import: "${EXISTING}", protect: false, retainOnDelete: false }`;
      await failureOf(stack.deploy(`new Project("existing", { name: "Declared" }, ${options});`));
      expect((await stack.deploy("")).printed).toContain(`Project ${EXISTING} is kept`);
      expect(await stack.resources()).toEqual([]);
      expect(writesIn(service)).toEqual([]);
    },
  },
  {
    name: "another UUID imports the other object, and the first one is kept, even if that run fails",
    onCli: "one host",
    seed: seedWith([
      { id: EXISTING, name: "Existing" },
      { id: MARKET, name: "Market" },
    ]),
    async run({ stack, service }) {
      const options = (id: string) => `import: "${id}", protect: false, retainOnDelete: false`;
      await stack.deploy(`new Project("existing", { name: "Existing" }, { ${options(EXISTING)} });`);
      service.inject({ operation: "createApplication", effect: { status: 400 } });
      const other = `const market = new Project("existing", { name: "Market" }, { ${options(MARKET)} });`;
      await failureOf(
        stack.deploy(`${other} new Application("web", { projectId: market.id, appType: "WEB" });`),
      );
      expect((await stack.deploy(other)).printed).toContain(`Project ${EXISTING} is kept`);
      expect((await stack.resources()).map(({ id }) => id)).toEqual([MARKET]);
      expect(service.state.projects.map(({ id }) => id)).toEqual([EXISTING, MARKET]);
      expect(writesIn(service)).toEqual(["createApplication 400"]);
    },
  },
  {
    name: "another UUID for a resource that was created keeps the created object, although it is protected",
    seed: seedWith([{ id: MARKET, name: "Market" }]),
    async run({ stack, service }) {
      await stack.deploy('new Project("shop", { name: "Shop" }, { protect: true });');
      await stack.deploy(`new Project("shop", { name: "Market" }, { import: "${MARKET}" });`);
      expect((await stack.resources()).map(({ id }) => id)).toEqual([MARKET]);
      expect(service.state.projects.map(({ name }) => name)).toEqual(["Market", "Shop"]);
      await stack.preview({ expectNoChanges: true });
    },
  },
  {
    name: "another UUID in another project keeps the first object, because it was imported too",
    seed: seedWith([
      { id: EXISTING, name: "Existing", applications: [{ id: APPLICATION, appType: "WEB" }] },
      { id: MARKET, name: "Market", applications: [{ id: OTHER_APPLICATION, appType: "WEB" }] },
    ]),
    async run({ stack, service }) {
      const program = (projectId: string, id: string) =>
        `new Application("web", { projectId: "${projectId}", appType: "WEB" }, { import: "${id}", retainOnDelete: false });`;
      await stack.deploy(program(EXISTING, APPLICATION));
      expect((await stack.deploy(program(MARKET, OTHER_APPLICATION))).printed).toContain(
        `Application ${APPLICATION} is kept`,
      );
      expect((await stack.resources()).map(({ id }) => id)).toEqual([OTHER_APPLICATION]);
      expect(service.state.applications.map(({ id }) => id)).toEqual([APPLICATION, OTHER_APPLICATION]);
      expect(writesIn(service)).toEqual([]);
    },
  },
  {
    name: "an import file needs only ids, and the imported program has no change",
    onCli: "one host",
    seed: seedWith([{ id: EXISTING, name: "Existing", applications: [{ id: APPLICATION, appType: "WEB" }] }]),
    async run({ stack, service }) {
      await stack.importFile({
        resources: [
          { type: "dynamiclink:index:Project", name: "existing", id: EXISTING },
          { type: "dynamiclink:index:Application", name: "web", id: APPLICATION },
        ],
      });
      stack.program(`
        const existing = new Project("existing", { name: "Existing" });
        new Application("web", { projectId: existing.id, appType: "WEB" });
      `);
      await stack.preview({ expectNoChanges: true });
      await stack.refresh({ expectNoChanges: true });
      await stack.up({ expectNoChanges: true });
      expect(writesIn(service)).toEqual([]);
    },
  },
  {
    name: "a value that the program declares as null is in the state after the first up, without a write",
    seed: seedWith([{ id: EXISTING, name: "Existing" }]),
    async run({ stack, service }) {
      await stack.importFile({
        resources: [{ type: "dynamiclink:index:Project", name: "existing", id: EXISTING }],
      });
      await stack.deploy('new Project("existing", { name: "Existing", defaultHookupMsg: null });');
      await stack.preview({ expectNoChanges: true });
      expect(writesIn(service)).toEqual([]);
    },
  },
]);
