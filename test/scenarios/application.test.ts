/** The lifecycle and adoption of an application. `undecided.test.ts` covers what the reference leaves open. */
import { deployed, runScenarios, seedWith, writesIn } from "../support/stacks/scenarios";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const OTHER_PROJECT = "0c0c0c0c-0000-4000-8000-000000000005";
const EXISTING = "0d0d0d0d-0000-4000-8000-000000000004";
const seed = seedWith([
  { id: PROJECT, name: "Shop" },
  { id: OTHER_PROJECT, name: "Market" },
]);

function ios(info: object, options = "") {
  return `new Application("ios", { projectId: "${PROJECT}", appType: "IOS", appleInfo: ${JSON.stringify({ appName: "Shop", appScheme: "shop", bundleId: "example.shop.app", ...info })} }${options});`;
}

runScenarios({ title: "the lifecycle of an application", seed }, [
  {
    name: "a change of an undeclared field in the console is no change to Pulumi, and a refresh saves its time",
    onCli: "both hosts",
    async run({ stack, service }) {
      const id = await deployed(stack, ios({}));
      const updatedAt = async () => (await stack.resources())[0]?.outputs.__updatedAt;
      const [{ createdAt = "" } = {}] = service.state.applications;
      expect(await updatedAt()).toBe(createdAt);
      service.clock.advance(1_000);
      service.updateApplication(id, {
        appleInfo: { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app", appStoreId: "1" },
      });
      await stack.preview({ expectNoChanges: true });
      expect((await stack.refresh({ expectNoChanges: true })).printed).not.toContain("__updatedAt");
      expect(await updatedAt()).toBe(service.state.applications[0]?.updatedAt);
      await stack.preview({ expectNoChanges: true });
      service.clock.advance(1_000);
      expect((await stack.deploy(ios({ appName: "The shop" }))).printed).not.toContain("__updatedAt");
      expect(await updatedAt()).toBe(service.state.applications[0]?.updatedAt);
      expect(service.state.applications[0]?.appleInfo).toMatchObject({
        appName: "The shop",
        appStoreId: "1",
      });
    },
  },
  {
    name: "a field under ignoreChanges keeps its value from the console when another field changes",
    onCli: "one host",
    async run({ stack, service }) {
      const ignoring = ', { ignoreChanges: ["appleInfo.appStoreId"] }';
      const id = await deployed(stack, ios({ appStoreId: "1" }, ignoring));
      service.updateApplication(id, {
        appleInfo: { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app", appStoreId: "2" },
      });
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
    name: "a change of project replaces the application: the new one is created before the old one is deleted",
    onCli: "one host",
    async run({ stack, service }) {
      const id = await deployed(stack, ios({}));
      stack.program(ios({}).replace(PROJECT, OTHER_PROJECT));
      service.clearRequests();
      await stack.up();
      expect(writesIn(service)).toEqual(["createApplication 201", "deleteApplication 204"]);
      const [application] = await stack.resources();
      expect(application?.id).not.toBe(id);
      expect(service.state.applications.map(({ projectId }) => projectId)).toEqual([OTHER_PROJECT]);
    },
  },
  {
    name: "unknown inputs, at any depth, do not fail a preview",
    onCli: "one host",
    async run({ stack, service }) {
      stack.program(`
        const shop = new Project("shop", { name: "A shop" });
        new Application("android", {
          projectId: shop.id,
          appType: shop.id.apply(() => "ANDROID" as const),
          androidInfo: shop.id.apply(() => ({ appName: "Shop", appScheme: "shop", appPackageName: "example.shop.app" })),
        });
        new Application("ios", {
          projectId: shop.id,
          appType: "IOS",
          appleInfo: { appName: shop.id.apply(() => "Shop"), appScheme: "shop", bundleId: "example.shop.app" },
        });
      `);
      await stack.preview();
      expect(writesIn(service)).toEqual([]);
      await stack.up();
      expect(service.state.applications).toHaveLength(2);
    },
  },
  {
    name: "a preview of an adoption reports which unknown inputs it cannot compare",
    onCli: "one host",
    only: { host: "dynamic", because: "import" },
    seed: seedWith([{ id: PROJECT, name: "Shop", applications: [{ id: EXISTING, appType: "WEB" }] }]),
    async run({ stack }) {
      stack.program(`
        const shop = new Project("shop", { name: "Shop" }, { import: "${PROJECT}" });
        const other = new Project("other", { name: "Other" });
        new Application("web", { projectId: other.id.apply(() => "${PROJECT}"), appType: "WEB" }, { import: "${EXISTING}" });
      `);
      expect((await stack.preview()).printed).toContain(
        `projectId of application ${EXISTING} is not known yet`,
      );
      await stack.up();
    },
  },
]);
