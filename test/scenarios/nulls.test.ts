/** Properties that a program declares, declares as null, or omits. */
import { deployed, runScenarios, seedWith, writesIn } from "../support/stacks/scenarios";

const SHOP = "0c0c0c0c-0000-4000-8000-000000000003";
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
]);
