/** Properties that a program declares, declares as null, or omits. */
import { deployed, failureOf, runScenarios, seedWith, writesIn } from "../support/stacks/scenarios";

const SHOP = "0c0c0c0c-0000-4000-8000-000000000003";
const IOS = "0d0d0d0d-0000-4000-8000-000000000006";
const APPLE_INFO = { appName: "Shop", appScheme: "shop", bundleId: "example.shop" };

function project(message: string): string {
  return `const shop = new Project("shop", { name: "Shop", ${message} });
    export const message = shop.defaultHookupMsg;`;
}

function application(storeId: string): string {
  return `new Application("ios", { projectId: "${SHOP}", appType: "IOS", appleInfo: {
    appName: "Shop", appScheme: "shop", bundleId: "example.shop", ${storeId} } });`;
}

runScenarios("declared, null and omitted properties", [
  {
    name: "null is no change once it is applied, is not in the request of a create, and is an undefined output",
    onCli: "one host",
    async run({ stack, service }) {
      expect((await stack.deploy(project("defaultHookupMsg: null"))).outputs).toEqual({});
      expect(service.requests.at(-1)?.body).toEqual({ project_name: "Shop" });
      expect((await stack.resources())[0]?.outputs).toMatchObject({ defaultHookupMsg: null });
      await stack.refresh({ expectNoChanges: true });
      stack.program(
        `${project("defaultHookupMsg: pulumi.output(null)")} export const isUndefined = message.apply((value) => value === undefined);`,
      );
      expect((await stack.up({ expectNoChanges: true })).outputs).toEqual({ isUndefined: true });
      expect(writesIn(service)).toEqual(["createProject 201"]);
    },
  },
  {
    name: "null in place of an omitted property removes a value that the console has set",
    async run({ stack, service }) {
      const id = await deployed(stack, project(""));
      service.updateProject(id, { defaultHookupMsg: "Set in the console" });
      stack.program(project("defaultHookupMsg: null"));
      expect((await stack.preview()).changes).toMatchObject({ update: 1 });
      expect((await stack.up()).changes).toMatchObject({ update: 1 });
      expect(service.state.projects[0]).toMatchObject({ defaultHookupMsg: null });
      await stack.preview({ expectNoChanges: true });
      stack.program(project(""));
      await stack.up({ expectNoChanges: true });
      expect(writesIn(service)).toEqual(["createProject 201", "updateProject 200"]);
    },
  },
  {
    name: "null in place of a value removes it, and so does omitting the property",
    onCli: "one host",
    async run({ stack, service }) {
      for (const message of ["defaultHookupMsg: null", ""]) {
        await stack.deploy(project('defaultHookupMsg: "Hello"'));
        await stack.deploy(project(message));
        expect(service.state.projects[0]).toMatchObject({ defaultHookupMsg: null });
      }
      expect(writesIn(service)).toEqual([
        "createProject 201",
        "updateProject 200",
        "updateProject 200",
        "updateProject 200",
      ]);
    },
  },
  {
    name: "null in a nested object is enforced, and the other values of the object stay",
    onCli: "one host",
    seed: seedWith([{ id: SHOP, name: "Shop" }]),
    async run({ stack, service }) {
      const id = await deployed(stack, application("appStoreId: null"));
      service.updateApplication(id, {
        appleInfo: { ...APPLE_INFO, appStoreId: "1234567890", appIdPrefix: "ABCDE12345" },
      });
      expect((await stack.refresh()).changes).toMatchObject({ update: 1 });
      await stack.up();
      expect(service.state.applications[0]?.appleInfo).toEqual({
        ...APPLE_INFO,
        appIdPrefix: "ABCDE12345",
      });
      await stack.refresh({ expectNoChanges: true });
      await stack.preview({ expectNoChanges: true });
    },
  },
  {
    name: "an adopted object must have no value where the program declares null",
    only: { host: "dynamic", because: "import" },
    seed: seedWith([
      {
        id: SHOP,
        name: "Shop",
        defaultHookupMsg: "Hello",
        applications: [{ id: IOS, appType: "IOS", appleInfo: APPLE_INFO }],
      },
    ]),
    async run({ stack, service }) {
      stack.program(
        `new Project("shop", { name: "Shop", defaultHookupMsg: null }, { import: "${SHOP}", protect: false });`,
      );
      expect(await failureOf(stack.preview())).toContain(
        'defaultHookupMsg  null in the program, "Hello" in the service',
      );
      await stack.deploy(
        `${application("appStoreId: null").slice(0, -2)}, { import: "${IOS}", protect: false });`,
      );
      await stack.refresh({ expectNoChanges: true });
      await stack.preview({ expectNoChanges: true });
      expect(writesIn(service)).toEqual([]);
    },
  },
]);
