/** The lifecycle of an application, and properties that are declared as null or omitted. `undecided.test.ts` covers what the reference leaves open. */
import { deployed, runScenarios, seedWith, writesIn } from "../support/stacks/scenarios";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const APPLE_INFO = { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" };
const seed = seedWith([{ id: PROJECT, name: "Shop" }]);

function ios(info: object, options = "") {
  const appleInfo = JSON.stringify({ ...APPLE_INFO, ...info });
  return `new Application("ios", { projectId: "${PROJECT}", appType: "IOS", appleInfo: ${appleInfo} }${options});`;
}

runScenarios({ title: "the lifecycle of an application", seed }, [
  {
    name: "a field under ignoreChanges keeps its value from the console when another field changes",
    onCli: true,
    async run({ stack, service }) {
      const ignoring = ', { ignoreChanges: ["appleInfo.appStoreId"] }';
      const id = await deployed(stack, ios({ appStoreId: "1" }, ignoring));
      service.updateApplication(id, { appleInfo: { ...APPLE_INFO, appStoreId: "2" } });
      stack.program(ios({ appStoreId: "3", appName: "The shop" }, ignoring));
      service.clearRequests();
      const { printed } = await stack.up();
      expect(printed).toContain(`appleInfo.appStoreId of application ${id} was changed outside Pulumi`);
      expect(writesIn(service)).toEqual(["updateApplication 200"]);
      expect(service.state.applications[0]?.appleInfo).toMatchObject({
        appName: "The shop",
        appStoreId: "2",
      });
      await stack.preview({ expectNoChanges: true });
    },
  },
  {
    name: "that is renamed with an alias and moved in one run, is created there and deleted here",
    onCli: true,
    async run({ stack, service }) {
      await deployed(stack, ios({}));
      const { id } = service.createProject(service.state.projects[0]?.organizationId ?? "", {
        name: "Market",
      });
      service.clearRequests();
      await stack.deploy(
        ios({}, ', { aliases: [{ name: "ios" }] }').replace('"ios"', '"phone"').replace(PROJECT, id),
      );
      expect(writesIn(service)).toEqual(["createApplication 201", "deleteApplication 204"]);
      expect(service.state.applications).toMatchObject([{ projectId: id }]);
    },
  },
]);

runScenarios("properties that are declared as null", [
  {
    name: "null is no change once it is applied, is not in the request of a create, and is an undefined output",
    onCli: true,
    async run({ stack, service }) {
      const project = (message: string) => `
        const shop = new Project("shop", { name: "Shop", defaultHookupMsg: ${message} });
        export const message = shop.defaultHookupMsg;
      `;
      expect((await stack.deploy(project("null"))).outputs).toEqual({});
      expect(service.requests.at(-1)?.body).toEqual({ project_name: "Shop" });
      expect((await stack.resources())[0]?.outputs).toMatchObject({ defaultHookupMsg: null });
      await stack.refresh({ expectNoChanges: true });
      stack.program(
        `${project("pulumi.output(null)")} export const isUndefined = message.apply((value) => value === undefined);`,
      );
      expect((await stack.up({ expectNoChanges: true })).outputs).toEqual({ isUndefined: true });
      expect(writesIn(service)).toEqual(["createProject 201"]);
    },
  },
]);
