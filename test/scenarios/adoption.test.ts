/** The option `import`, and aliases of other providers. test/pure/lifecycle/adoption and test/pure/ledger/decisions have all cases. */
import { deployed, failureOf, runScenarios, seedWith, writesIn } from "../support/stacks/scenarios";

const EXISTING = "0c0c0c0c-0000-4000-8000-000000000003";
const OTHER = "0c0c0c0c-0000-4000-8000-000000000005";
const seed = seedWith([{ id: EXISTING, name: "Existing" }]);

runScenarios({ title: "the option import", seed }, [
  {
    name: "adopts the object without a write; keeping the option is no change, and removing it is an update without a write",
    onCli: true,
    hosts: "dynamic",
    seed: seedWith([{ id: EXISTING, name: "Existing", defaultHookupMsg: "Hello" }]),
    async run({ stack, service }) {
      stack.program(`new Project("existing", { name: "Existing" }, { import: "${EXISTING}" });`);
      const adopts = "Resources with the option import are adopted without a write to the service.";
      expect((await stack.preview()).printed).toContain(adopts);
      expect((await stack.up()).printed).toContain(adopts);
      const [existing] = await stack.resources();
      expect(existing).toMatchObject({ id: EXISTING, protect: true, outputs: { name: "Existing" } });
      // Only its dependencies, of which it has none, are in the state.
      expect(await stack.stateText()).not.toMatch(/"__declaration":\s*\{/);
      expect(writesIn(service)).toEqual([]);

      await stack.refresh({ expectNoChanges: true });
      expect((await stack.preview({ expectNoChanges: true })).printed).not.toContain(adopts);
      stack.program('new Project("existing", { name: "Existing" }, { protect: true });');
      const unprotected = `The option import of project ${EXISTING} was removed, and with it protect and retainOnDelete`;
      const { changes, printed } = await stack.preview();
      expect(changes).toMatchObject({ update: 1 });
      expect(printed).toContain(unprotected);
      expect((await stack.up()).printed).toContain(unprotected);
      await stack.refresh({ expectNoChanges: true });
      expect((await stack.preview({ expectNoChanges: true })).printed).not.toContain(unprotected);
      expect(writesIn(service)).toEqual([]);
    },
  },
  {
    name: "fails with the values that differ, in preview and in up, and says how to see what the service has",
    hosts: "both",
    onCli: true,
    async run({ stack, service, host }) {
      stack.program(
        `new Project("existing", { name: "a-declared-value", defaultHookupMsg: pulumi.output("b-declared-value") }, { import: "${EXISTING}" });`,
      );
      for (const message of [await failureOf(stack.preview()), await failureOf(stack.up())]) {
        expect(message).toMatch(/name: "a-declared-value" in the program, "Existing" in the service\n/);
        expect(message).toMatch(/defaultHookupMsg: "b-declared-value" in the program, not set in the .*\n/);
        expect(message).toContain(`call getProject({ id: "${EXISTING}" }) in the program`);
        expect(message).toContain(`\`npx pulumi-dynamiclink discover ${EXISTING}\``);
      }
      // Pulumi itself imports native resources before the plugin can compare them.
      expect(await stack.resources()).toHaveLength(host === "native" ? 1 : 0);
      expect(writesIn(service)).toEqual([]);
    },
  },
  {
    name: "shows no value of a property that is secret in the program, neither the declared one nor that of the service",
    seed: seedWith([{ id: EXISTING, name: "Existing", defaultHookupMsg: "Service message" }]),
    async run({ stack }) {
      stack.program(`
        new Project("existing", { name: pulumi.secret("a-declared-value"), defaultHookupMsg: "b-declared-value" }, {
          import: "${EXISTING}",
          additionalSecretOutputs: ["defaultHookupMsg"],
        });
      `);
      const message = await failureOf(stack.preview());
      expect(message.match(/\n {2}\S+: declared with a value that differs from the /g)).toHaveLength(2);
      expect(message).not.toMatch(/declared-value|Existing|Service message/);
    },
  },
  {
    name: "keeps an object that is renamed without an alias, even if that run fails and the next one has no option",
    onCli: true,
    seed: seedWith(),
    async run({ stack, service }) {
      const project = (name: string, options = "") =>
        `const ${name} = new Project("${name}", { name: "Shop" }${options});`;
      const id = await deployed(stack, project("shop"));
      const advice = `set the option \`import\` to "${id}"`;
      expect(await failureOf(stack.deploy(project("store")))).toContain(advice);
      // The advice is followed, and another resource of that run fails.
      service.inject({ operation: "createApplication", effect: { status: 400 } });
      const failing = 'new Application("web", { projectId: store.id, appType: "WEB" });';
      await failureOf(stack.deploy(project("store", `, { import: "${id}" }`) + failing));
      expect((await stack.resources()).map(({ name }) => name)).toEqual(["shop", "store"]);
      await stack.deploy(project("store"));
      expect((await stack.resources()).map((one) => [one.name, one.id])).toEqual([["store", id]]);
      expect(service.state.projects.map((one) => one.id)).toEqual([id]);
      await stack.preview({ expectNoChanges: true });
    },
  },
]);

runScenarios("objects of another provider", [
  {
    name: "an alias moves a resource here from a custom dynamic provider, without a write if its state has the same shape",
    onCli: true,
    hosts: "dynamic",
    // Only Pulumi's own host runs a provider that is not this package's.
    separateProviders: true,
    seed: seedWith([
      { id: EXISTING, name: "Shop" },
      { id: OTHER, name: "Market" },
    ]),
    async run({ stack, service }) {
      await stack.deploy(`
        class HandWritten extends pulumi.dynamic.Resource {
          constructor(name: string, id: string, props: pulumi.Inputs) {
            super({ create: async (inputs) => ({ id, outs: inputs }) }, name, props);
          }
        }
        new HandWritten("shop", "${EXISTING}", { name: "Shop" });
        new HandWritten("market", "${OTHER}", { title: "Market" });
      `);
      const before = service.state.projects.map(({ name }) => name);
      const { changes } = await stack.deploy(`
        const options = { aliases: [{ type: "pulumi-nodejs:dynamic:Resource" }] };
        new Project("shop", { name: "Shop" }, options);
        new Project("market", { name: "Market" }, options);
      `);
      expect(changes).toMatchObject({ update: 2 });
      expect(changes).not.toHaveProperty("create");
      expect((await stack.resources()).find(({ id }) => id === EXISTING)).toMatchObject({
        type: "Project",
        outputs: { __provider: 'exports.handler=()=>require("pulumi-dynamiclink/provider").project' },
      });
      await stack.preview({ expectNoChanges: true });
      // Until then, a read could be older than the first update of this package.
      service.clock.advance(60_000);
      await stack.refresh({ expectNoChanges: true });
      expect(writesIn(service)).toEqual(["updateProject 200"]);
      expect(service.state.projects.map(({ name }) => name)).toEqual(before);
    },
  },
]);
