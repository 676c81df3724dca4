// Runs the program of this directory on the test engine, against the emulator. Needs no Pulumi CLI and no account.
import {
  type Emulator,
  startEmulator,
  type TestConfig,
  type TestStack,
  testStack,
} from "pulumi-dynamiclink/testing";

const SHOP = "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e";
const shop = { title: "Shop", adopt: { project: SHOP } };
const tea = { title: "Tea", web: true, organization: "asia", hostname: "go.tea.example", live: true };

let service: Emulator;
let stack: TestStack;

function configWith(brands: object, settings: object = {}): TestConfig {
  const organizations = { asia: "DYNAMICLINK_API_KEY_ASIA" };
  return { "dynamiclink:apiUrl": service.url, organizations, brands, ...settings };
}

function titles(): string[] {
  return service.state.projects.map(({ name }) => name);
}

beforeAll(async () => {
  service = await startEmulator({
    seed: {
      organizations: [
        { keys: [{ key: "europe-key" }], projects: [{ id: SHOP, name: "Shop", defaultHookupMsg: "Hello" }] },
        { keys: [{ key: "asia-key" }] },
      ],
    },
  });
  stack = await testStack({
    program: import.meta.dirname,
    stack: "prod",
    config: configWith({ shop }),
    environment: {
      DYNAMICLINK_API_KEY: "europe-key",
      DYNAMICLINK_API_KEY_ASIA: "asia-key",
      DYNAMICLINK_READ_ONLY: undefined,
    },
  });
});

afterAll(async () => {
  await stack.close();
  await service.close();
});

test("an existing brand is adopted by its UUID, without a write", async () => {
  await stack.up();
  expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(service.state.projects[0]?.defaultHookupMsg).toBe("Hello");
});

test("a new brand is created in its organization, and has no changes afterwards", async () => {
  stack.setConfig(configWith({ shop, tea }));
  const { outputs } = await stack.up();
  const [, created] = service.state.projects;
  expect(created).toMatchObject({ name: "Tea", organizationId: service.state.organizations[1]?.id });
  expect(outputs).toMatchObject({ brands: { tea: { projectId: created?.id } } });
  expect(service.state.customDomains).toMatchObject([{ lifecycleStatus: "ACTIVE" }]);
  await stack.preview({ refresh: true, expectNoChanges: true });
});

test("drift is found by the scheduled job, and restored by up", async () => {
  service.updateProject(service.state.projects[1]?.id ?? "", { name: "Changed in the console" });
  await expect(stack.preview({ refresh: true, expectNoChanges: true })).rejects.toThrow("update tea");
  await stack.up({ refresh: true });
  expect(titles()).toEqual(["Shop", "Tea"]);
});

test("a brand with another name in the configuration stays the same", async () => {
  stack.setConfig(configWith({ shop, chai: { ...tea, formerly: "tea" } }));
  await stack.up({ expectNoChanges: true });
});

test("a brand is retired in two changes: of its protection, and of its settings", async () => {
  stack.setConfig(configWith({ shop }));
  await expect(stack.up()).rejects.toThrow("protect");
  stack.setConfig(configWith({ shop, chai: tea }, { retiring: ["chai"] }));
  await stack.up();
  // A custom domain that is seconds old takes half a minute to delete.
  service.clock.advance(60_000);
  stack.setConfig(configWith({ shop }));
  await stack.up();
  expect(titles()).toEqual(["Shop"]);
});

test("a misspelt setting fails before anything is created", async () => {
  stack.setConfig(configWith({ shop: { ...shop, mesage: "Hi" } }));
  await expect(stack.preview()).rejects.toThrow("Brand shop has an unknown setting: mesage");
});
