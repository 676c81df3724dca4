/** After an import file: what the program has not declared since the import stays as it is in the service. */

import {
  ORGANIZATION,
  runScenarios,
  type ScenarioTools,
  seedWith,
  writesIn,
} from "../support/stacks/scenarios";
import { importEntryFor } from "../support/values/importEntry";

const SHOP = "0c0c0c0c-0000-4000-8000-000000000003";
const IOS = "0d0d0d0d-0000-4000-8000-000000000006";
const APPLE_INFO = {
  appName: "Shop",
  appScheme: "shop",
  bundleId: "example.shop.app",
  appStoreId: "1234567890",
} as const;

const seed = seedWith([
  {
    id: SHOP,
    name: "Shop",
    defaultHookupMsg: "Hello",
    applications: [{ id: IOS, appType: "IOS", appleInfo: APPLE_INFO }],
  },
]);

async function importAll({ stack }: ScenarioTools): Promise<void> {
  const owner = { organizationId: ORGANIZATION };
  const shop = { name: "Shop", defaultHookupMsg: "Hello", ...owner };
  const ios = { projectId: SHOP, appType: "IOS", appleInfo: APPLE_INFO, ...owner };
  await stack.importFile({
    resources: [
      importEntryFor("native", { kind: "Project", id: SHOP, ...owner, properties: shop }, "shop"),
      importEntryFor("native", { kind: "Application", id: IOS, ...owner, properties: ios }, "ios"),
    ],
  });
}

function program(project: string, appleInfo: string): string {
  return `new Project("shop", { ${project} }); new Application("ios", { projectId: "${SHOP}", appType: "IOS", appleInfo: { ${appleInfo} } });`;
}

const WHOLE_PROJECT = 'name: "Shop", defaultHookupMsg: "Hello"';
const PART_INFO = 'appName: "Shop", appScheme: "shop", bundleId: "example.shop.app"';
const OTHER_INFO = 'appName: "Market", appScheme: "shop", bundleId: "example.shop.app"';
const WHOLE_INFO = `${PART_INFO}, appStoreId: "1234567890"`;
const WHOLE = program(WHOLE_PROJECT, WHOLE_INFO);
const PART = program('name: "Shop"', PART_INFO);

const UNCHANGED = [{ defaultHookupMsg: "Hello" }, { appleInfo: { appStoreId: "1234567890" } }];

function valuesIn({ service: { state } }: ScenarioTools): unknown[] {
  const [shop] = state.projects;
  const [ios] = state.applications;
  return [shop, ios];
}

runScenarios({ title: "after an import", only: { host: "native", because: "import" }, seed }, [
  {
    name: "what the program never declares stays, also nested, in this run and in later ones",
    onCli: "one host",
    async run(tools) {
      const { stack, service } = tools;
      await importAll(tools);
      await stack.deploy(PART);
      expect(writesIn(service)).toEqual([]);
      await stack.preview({ expectNoChanges: true });
      await stack.refresh({ expectNoChanges: true });
      await stack.preview({ expectNoChanges: true });
      await stack.deploy(program('name: "Market"', OTHER_INFO));
      expect(writesIn(service)).toHaveLength(2);
      expect(valuesIn(tools)).toMatchObject(UNCHANGED);
      await stack.preview({ expectNoChanges: true });
    },
  },
  {
    name: "the first run changes what the program declares otherwise, and clears nothing",
    onCli: "one host",
    async run(tools) {
      const { stack, service } = tools;
      await importAll(tools);
      await stack.deploy(program('name: "Market"', OTHER_INFO));
      expect(writesIn(service)).toHaveLength(2);
      expect(valuesIn(tools)).toMatchObject(UNCHANGED);
    },
  },
  {
    name: "a refresh between the import and the first run changes nothing of that",
    onCli: "one host",
    async run(tools) {
      const { stack, service } = tools;
      await importAll(tools);
      stack.program(PART);
      await stack.refresh({ expectNoChanges: true });
      await stack.up({ refresh: true });
      expect(writesIn(service)).toEqual([]);
      expect(valuesIn(tools)).toMatchObject(UNCHANGED);
    },
  },
  {
    name: "after a run without changes, a property that leaves the program is cleared, as for any other resource",
    async run(tools) {
      const { stack, service } = tools;
      await importAll(tools);
      stack.program(WHOLE);
      await stack.up({ expectNoChanges: true });
      await stack.deploy(program('name: "Shop"', WHOLE_INFO));
      expect(writesIn(service)).toEqual(["updateProject 200"]);
      expect(service.state.projects[0]?.defaultHookupMsg ?? null).toBeNull();
    },
  },
  {
    name: "a property that a later run declares is the program's, and null clears it",
    async run(tools) {
      const { stack, service } = tools;
      await importAll(tools);
      await stack.deploy(PART);
      await stack.deploy(program('name: "Shop", defaultHookupMsg: "Bye"', PART_INFO));
      expect(writesIn(service)).toEqual(["updateProject 200"]);
      await stack.deploy(program('name: "Shop", defaultHookupMsg: null', PART_INFO));
      expect(service.state.projects[0]?.defaultHookupMsg ?? null).toBeNull();
      await stack.preview({ expectNoChanges: true });
    },
  },
]);
