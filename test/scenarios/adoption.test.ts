import { providerText, typeToken } from "../../provider/hosts/dynamicNames";
import { projectDescription } from "../../provider/resources/project";
import {
  deployed,
  failureOf,
  ORGANIZATION,
  runScenarios,
  seedWith,
  writesIn,
} from "../support/stacks/scenarios";

const EXISTING = "0c0c0c0c-0000-4000-8000-000000000003";
const MARKET = "0d0d0d0d-0000-4000-8000-000000000005";
const APPLICATION = "0d0d0d0d-0000-4000-8000-000000000006";
const IOS = {
  id: APPLICATION,
  appType: "IOS",
  appleInfo: { appName: "Existing", appScheme: "service-scheme", bundleId: "example.shop.app" },
} as const;

const seed = seedWith([{ id: EXISTING, name: "Existing" }]);

runScenarios({ title: "the option import", seed }, [
  {
    name: "adopts the object without a write; keeping the option is no change, and removing it is an update without a write",
    onCli: "one host",
    only: { host: "dynamic", because: "import" },
    seed: seedWith([{ id: EXISTING, name: "Existing", defaultHookupMsg: "Hello" }]),
    async run({ stack, service }) {
      stack.program(`new Project("existing", { name: "Existing" }, { import: "${EXISTING}" });`);
      const adopts = `Adopts project ${EXISTING} and sends no write. Pulumi shows it as a create.`;
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
    onCli: "both hosts",
    async run({ stack, service, host }) {
      stack.program(
        `new Project("existing", { name: "a-declared-value", defaultHookupMsg: pulumi.output("b-declared-value") }, { import: "${EXISTING}" });`,
      );
      for (const message of [await failureOf(stack.preview()), await failureOf(stack.up())]) {
        expect(message).toMatch(/name\s+"a-declared-value" in the program, "Existing" in the service\n/);
        expect(message).toMatch(
          /defaultHookupMsg\s+"b-declared-value" in the program, not set in the service\n/,
        );
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
    onCli: "one host",
    seed: seedWith([
      { id: EXISTING, name: "Existing", defaultHookupMsg: "Service message", applications: [IOS] },
    ]),
    async run({ stack }) {
      stack.program(`
        new Project("existing", { name: pulumi.secret("a-declared-value"), defaultHookupMsg: "b-declared-value" }, {
          import: "${EXISTING}",
          additionalSecretOutputs: ["defaultHookupMsg"],
        });
      `);
      const messages = [await failureOf(stack.preview())];
      stack.program(`
        new Application("existing", {
          projectId: "${EXISTING}",
          appType: "IOS",
          appleInfo: { appName: pulumi.secret("a-declared-value"), appScheme: "b-declared-value", bundleId: "example.shop.app" },
        }, { import: "${IOS.id}" });
      `);
      messages.push(await failureOf(stack.preview()));
      for (const message of messages) {
        expect(message).toMatch(/\n\s+\S+\s+declared with a value that differs from the service\n/);
        expect(message).not.toMatch(/declared-value|Existing|Service message|service-scheme/);
      }
    },
  },
  {
    name: "rejects a second resource with the UUID that an earlier run adopted",
    only: { host: "dynamic", because: "import" },
    async run({ stack, service }) {
      const one = `new Project("one", { name: "Existing" }, { import: "${EXISTING}" });`;
      await stack.deploy(one);
      service.clearRequests();
      const two = `new Project("two", { name: "Existing" }, { import: "${EXISTING}" });`;
      for (const program of [`${one} ${two}`, `${two} ${one}`]) {
        stack.program(program);
        expect(await failureOf(stack.preview())).toContain("Give each UUID to one resource");
      }
      expect(writesIn(service)).toEqual([]);
      stack.program(one);
      await stack.preview({ expectNoChanges: true });
    },
  },
  {
    name: "rejects, in preview, an object that another resource replaces in the same run, which would delete it first",
    onCli: "one host",
    seed: seedWith([
      { id: EXISTING, name: "Existing" },
      { id: MARKET, name: "Market" },
    ]),
    async run({ stack, service }) {
      const web = (projectId: string) =>
        `const web = new Application("web", { projectId: "${projectId}", appType: "WEB" }, { deleteBeforeReplace: true });`;
      const id = await deployed(stack, web(EXISTING));
      service.clearRequests();
      const adopting = `new Application("kept", { projectId: "${EXISTING}", appType: "WEB" }, { import: "${id}", dependsOn: [web] });`;
      stack.program(`${web(MARKET)} ${adopting}`);
      expect(await failureOf(stack.preview())).toContain("which may delete it first");
      await stack.deploy(adopting.replace(", dependsOn: [web]", ""));
      await stack.deploy(`${web(MARKET)} ${adopting}`);
      expect(service.state.applications.map((each) => each.id)).toContain(id);
      expect(writesIn(service)).toEqual(["createApplication 201"]);
    },
  },
  {
    name: "deletes nothing in a forced replacement that keeps the option",
    onCli: "one host",
    only: { host: "dynamic", because: "replacementOfImported" },
    async run({ stack, service }) {
      await stack.deploy(
        `new Project("existing", { name: "Existing" }, { import: "${EXISTING}", protect: false });`,
      );
      await stack.up({ replace: [stack.urnOf("Project", "existing")] });
      expect(service.state.projects.map(({ id }) => id)).toEqual([EXISTING]);
      expect((await stack.resources())[0]).toMatchObject({ id: EXISTING });
      expect(writesIn(service)).toEqual([]);
      await stack.preview({ expectNoChanges: true });
    },
  },
  {
    name: "adopts another object in place of one that was deleted",
    only: { host: "dynamic", because: "import" },
    seed: seedWith([
      { id: EXISTING, name: "Existing" },
      { id: MARKET, name: "Market" },
    ]),
    async run({ stack, service }) {
      const adopting = (name: string, id: string) =>
        stack.program(
          `new Project("adopted", { name: "${name}" }, { import: "${id}", protect: false, retainOnDelete: false });`,
        );
      adopting("Market", MARKET);
      await stack.up();
      service.deleteProject(MARKET);
      adopting("Existing", EXISTING);
      expect((await stack.preview()).changes).toMatchObject({ replace: 1 });
      await stack.up();
      expect((await stack.resources()).map(({ id }) => id)).toEqual([EXISTING]);
      await stack.preview({ expectNoChanges: true });
    },
  },
  {
    name: "keeps an object whose project is replaced, although Pulumi deletes dependents first",
    only: { host: "dynamic", because: "replacementOfImported" },
    seed: seedWith([{ id: EXISTING, name: "Existing", applications: [{ id: APPLICATION, appType: "WEB" }] }]),
    async run({ stack, service }) {
      const options = (id: string) => `import: "${id}", protect: false, retainOnDelete: false`;
      await stack.deploy(`
        const existing = new Project("existing", { name: "Existing" }, { ${options(EXISTING)}, deleteBeforeReplace: true });
        new Application("web", { projectId: existing.id, appType: "WEB" }, { ${options(APPLICATION)} });
      `);
      await stack.up({ replace: [stack.urnOf("Project", "existing")] });
      expect(service.state.projects.map(({ id }) => id)).toEqual([EXISTING]);
      expect(service.state.applications.map(({ id }) => id)).toEqual([APPLICATION]);
      expect(writesIn(service)).toEqual([]);
    },
  },
  {
    name: "keeps an object that leaves the program, unless an earlier run removed the option",
    onCli: "one host",
    async run({ stack, service }) {
      const program = (options: string) => `new Project("existing", { name: "Existing" }, ${options});`;
      await stack.deploy(program(`{ import: "${EXISTING}" }`));
      expect(await failureOf(stack.deploy(""))).toContain("protect");
      await stack.deploy(program(`{ import: "${EXISTING}", protect: false }`));
      await stack.deploy("");
      expect(await stack.resources()).toEqual([]);
      expect(writesIn(service)).toEqual([]);

      await stack.deploy(program(`{ import: "${EXISTING}", protect: false }`));
      await stack.deploy(program("{}"));
      await stack.deploy("");
      expect(writesIn(service)).toEqual(["deleteProject 204"]);
    },
  },
  {
    name: "keeps the object in a destroy, even when it is not protected, whatever the letter case of its UUID",
    onCli: "one host",
    async run({ stack, service }) {
      const upperCase = EXISTING.toUpperCase();
      await stack.deploy(`new Project("existing", { name: "Existing" }, { import: "${upperCase}" });`);
      expect((await stack.resources())[0]).toMatchObject({ id: EXISTING });
      expect(await failureOf(stack.destroy())).toContain("protect");
      await stack.deploy(
        `new Project("existing", { name: "Existing" }, { import: "${EXISTING}", protect: false });`,
      );
      await stack.destroy();
      expect(await stack.resources()).toEqual([]);
      expect(writesIn(service)).toEqual([]);
    },
  },
  {
    name: "rejects a change that would replace the object, until the option was removed",
    onCli: "both hosts",
    seed: seedWith([
      { id: EXISTING, name: "Existing", applications: [{ id: APPLICATION, appType: "WEB" }] },
      { id: MARKET, name: "Market" },
    ]),
    async run({ stack, service, host }) {
      const program = (projectId: string, options: string) =>
        `new Application("web", { projectId: "${projectId}", appType: "WEB" }, ${options});`;
      const adopted = `{ import: "${APPLICATION}", protect: false }`;
      await stack.deploy(program(EXISTING, adopted));
      // With the native plugin, Pulumi itself refuses it, in `up` and as long as the option is set.
      const isNative = host === "native";
      for (const options of isNative ? [adopted] : [adopted, "{}"]) {
        stack.program(program(MARKET, options));
        expect(await failureOf(isNative ? stack.up() : stack.preview())).toContain(
          isNative
            ? "may not be replaced"
            : `Application ${APPLICATION} was adopted with the option import, and changing projectId would replace it.`,
        );
      }
      expect(writesIn(service)).toEqual([]);
      await stack.deploy(program(EXISTING, "{}"));
      await stack.deploy(program(MARKET, "{}"));
      expect(writesIn(service)).toEqual(["createApplication 201", "deleteApplication 204"]);
    },
  },
  {
    name: "keeps an object that is renamed without an alias, even if that run fails and the next one has no option",
    onCli: "one host",
    seed: seedWith(),
    async run({ stack, service }) {
      const project = (name: string, options = "") =>
        `const ${name} = new Project("${name}", { name: "Shop" }${options});`;
      const id = await deployed(stack, project("shop"));
      expect(await failureOf(stack.deploy(project("store")))).toContain(
        `set the option \`import\` to "${id}"`,
      );
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
  {
    name: "keeps an object that moves into a component with its own provider, with and without an alias",
    onCli: "one host",
    seed: seedWith([
      { id: EXISTING, name: "Existing" },
      { id: MARKET, name: "Market" },
    ]),
    async run({ stack, service }) {
      const options = (id: string) => `import: "${id}", protect: false`;
      await stack.deploy(`
        new Project("existing", { name: "Existing" }, { ${options(EXISTING)} });
        new Project("market", { name: "Market" }, { ${options(MARKET)} });
      `);
      await stack.deploy(`
        const second = new Provider("second", { apiUrl: "${service.url}" });
        const group = new pulumi.ComponentResource("scenario:index:Group", "group", {}, { providers: [second] });
        new Project("existing", { name: "Existing" }, { ${options(EXISTING)}, parent: group });
        const aliases = [{ parent: pulumi.rootStackResource }];
        new Project("market", { name: "Market" }, { ${options(MARKET)}, parent: group, aliases });
      `);
      expect((await stack.resources()).map(({ name, id }) => [name, id])).toEqual([
        ["existing", EXISTING],
        ["market", MARKET],
      ]);
      expect(writesIn(service)).toEqual([]);
      await stack.preview({ expectNoChanges: true });
    },
  },
  {
    name: "is no change after a rename in state and program, and adopts again an object that was removed from the state",
    onCli: "one host",
    async run({ stack, service }) {
      const program = (name: string) =>
        `new Project("${name}", { name: "Existing" }, { import: "${EXISTING}" });`;
      await stack.deploy(program("existing"));
      await stack.renameInState(stack.urnOf("Project", "existing"), "renamed");
      stack.program(program("renamed"));
      await stack.preview({ expectNoChanges: true });
      await stack.deleteFromState(stack.urnOf("Project", "renamed"));
      await stack.up();
      expect((await stack.resources()).map(({ name, id }) => [name, id])).toEqual([["renamed", EXISTING]]);
      expect(writesIn(service)).toEqual([]);
    },
  },
  {
    name: "can be added to a resource from an import file, and keeps its object from then on",
    onCli: "one host",
    only: { host: "dynamic", because: "importFile" },
    async run({ stack, service }) {
      const __provider = providerText(projectDescription);
      const inputs = { name: "Existing", __provider };
      await stack.importFile({
        resources: [
          {
            type: typeToken(projectDescription),
            name: "existing",
            id: EXISTING,
            inputs,
            outputs: { ...inputs, organizationId: ORGANIZATION, __organization: ORGANIZATION },
          },
        ],
      });
      stack.program('new Project("existing", { name: "Existing" });');
      await stack.refresh();
      await stack.preview({ expectNoChanges: true });
      const adopted = `new Project("existing", { name: "Existing" }, { import: "${EXISTING}", protect: false });`;
      expect((await stack.deploy(adopted)).changes).toMatchObject({ update: 1 });
      await stack.refresh({ expectNoChanges: true });
      await stack.preview({ expectNoChanges: true });
      await stack.up({ replace: [stack.urnOf("Project", "existing")] });
      expect(service.state.projects.map((one) => one.id)).toEqual([EXISTING]);
      expect(writesIn(service)).toEqual([]);
    },
  },
  {
    name: "lets ordinary resources be deleted exactly once, even one that is pending deletion after a failed replacement",
    onCli: "one host",
    seed: seedWith([
      { id: EXISTING, name: "Existing" },
      { id: MARKET, name: "Market" },
    ]),
    async run({ stack, service }) {
      const adopted = `new Project("existing", { name: "Existing" }, { import: "${EXISTING}" });`;
      const web = (projectId: string) =>
        `const web = new Application("web", { projectId: "${projectId}", appType: "WEB" });`;
      await stack.deploy(adopted + web(EXISTING));
      service.clearRequests();
      service.inject({ operation: "createProject", effect: { status: 400 } });
      await failureOf(
        stack.deploy(
          `${adopted}${web(MARKET)}new Project("failing", { name: "Failing" }, { dependsOn: [web] });`,
        ),
      );
      await stack.deploy(adopted + web(MARKET));
      expect(writesIn(service)).toEqual([
        "createApplication 201",
        "createProject 400",
        "deleteApplication 204",
      ]);
      expect(service.state.applications.map(({ projectId }) => projectId)).toEqual([MARKET]);
    },
  },
  {
    name: "after an adopted object was deleted, the error says how to create a new one",
    onCli: "both hosts",
    async run({ stack, service }) {
      const declare = (adopt = "") => `new Project("existing", { name: "Existing" }${adopt});`;
      await stack.deploy(declare(`, { import: "${EXISTING}" }`));
      service.deleteProject(EXISTING);
      await stack.refresh();
      for (const message of [await failureOf(stack.preview()), await failureOf(stack.up())]) {
        expect(message).toContain(`There is no project ${EXISTING} in organization ${ORGANIZATION}.`);
        expect(message).toContain(
          "If it was deleted, and the program adopts it with the option `import`, remove the option: `pulumi up` then creates a new one.",
        );
      }
      await stack.deploy(declare());
      expect((await stack.resources()).map(({ id }) => id)).toEqual(
        service.state.projects.map(({ id }) => id),
      );
      expect(writesIn(service)).toEqual(["createProject 201"]);
    },
  },
  {
    name: "if a replacement fails because a retained project has the name, the errors lead to a way out",
    onCli: "one host",
    only: { host: "dynamic", because: "import" },
    seed: seedWith(),
    async run({ stack, service }) {
      const declare = (name: string, adopt = "") =>
        stack.program(
          `new Project("shop", { name: "${name}" }, { deleteBeforeReplace: true, replaceOnChanges: ["name"], retainOnDelete: true${adopt} });`,
        );
      declare("Shop");
      await stack.up();
      declare("Market");
      await stack.up();
      const [shop, market] = service.state.projects.map(({ id }) => id) as [string, string];
      declare("Shop");
      expect(await failureOf(stack.up())).toContain(
        `The name is used by project ${shop}. To manage that one, set the option \`import\` to "${shop}".`,
      );
      declare("Shop", `, import: "${shop}"`);
      expect(await failureOf(stack.up())).toContain(
        `The program declares import: "${shop}", but this resource already manages project ${market}. Remove the option to keep ${market}; to adopt ${shop} as well, declare it under another name. If a replacement failed because ${shop} uses the name, remove the option, and delete ${shop} in the service or choose another name.`,
      );
      service.deleteProject(shop);
      declare("Shop");
      await stack.up();
      const projects = service.state.projects.map(({ name }) => name);
      expect(projects).toEqual(["Market", "Shop"]);
      expect((await stack.resources()).map(({ id }) => id)).toEqual([service.state.projects[1]?.id]);
      expect(writesIn(service)).toEqual([
        "createProject 201",
        "createProject 201",
        "createProject 409",
        "createProject 201",
      ]);
    },
  },
]);
