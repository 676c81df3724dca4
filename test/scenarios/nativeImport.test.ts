/** What an import by Pulumi itself does to objects that exist. It differs from the adoption of dynamic resources. */
import { failureOf, runScenarios, type Scenario, seedWith, writesIn } from "../support/scenarios";

const EXISTING = "0c0c0c0c-0000-4000-8000-000000000003";
const MARKET = "0d0d0d0d-0000-4000-8000-000000000005";
const APPLICATION = "0d0d0d0d-0000-4000-8000-000000000006";

const SCENARIOS: readonly Omit<Scenario, "only">[] = [
  {
    name: "an object that equals what is declared is imported without a write, and protected",
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
    name: "an object that differs from what is declared is updated after the import, and the preview sends no write",
    seed: seedWith([{ id: EXISTING, name: "Existing" }]),
    async run({ stack, service }) {
      stack.program(`new Project("existing", { name: "Declared" }, { import: "${EXISTING}" });`);
      expect((await stack.preview()).changes).toMatchObject({ import: 1, update: 1 });
      expect(writesIn(service)).toEqual([]);
      await stack.up();
      expect(writesIn(service)).toEqual(["updateProject 200"]);
      expect(service.state.projects.map(({ id, name }) => [id, name])).toEqual([[EXISTING, "Declared"]]);
      await stack.preview({ expectNoChanges: true });
    },
  },
  {
    name: "a change that would replace an imported object is refused until the option is removed",
    seed: seedWith([
      { id: EXISTING, name: "Existing", applications: [{ id: APPLICATION, appType: "WEB" }] },
      { id: MARKET, name: "Market" },
    ]),
    async run({ stack, service }) {
      const program = (projectId: string, options: string) =>
        `new Application("web", { projectId: "${projectId}", appType: "WEB" }, ${options});`;
      const imported = `{ import: "${APPLICATION}", protect: false }`;
      stack.program(program(EXISTING, imported));
      await stack.up();
      stack.program(program(MARKET, imported));
      expect(await failureOf(stack.up())).toContain("may not be replaced");
      expect(writesIn(service)).toEqual([]);
      stack.program(program(EXISTING, "{}"));
      await stack.up();
      stack.program(program(MARKET, "{}"));
      await stack.up();
      expect(writesIn(service)).toEqual(["createApplication 201", "deleteApplication 204"]);
    },
  },
  {
    name: "an import file needs only ids, and the imported program has no change",
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
];

runScenarios(
  "imports by Pulumi itself",
  SCENARIOS.map((scenario) => ({ ...scenario, only: { host: "native", because: "import" } })),
);
