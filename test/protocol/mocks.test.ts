/** Programs under Pulumi's mocks, which receive what is declared and called, and nothing is sent to the service. */
import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../sdk";
import * as native from "../../sdk/native";
import { type Emulator, startEmulator } from "../../testing/emulator";
import { KEY, seedWith } from "../support/values/organizations";

const ID = "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e";

const MOCKS: pulumi.runtime.Mocks = {
  newResource(resource) {
    resources.push(resource);
    return { id: `${resource.name}-id`, state: resource.inputs };
  },
  call(call) {
    calls.push(call);
    if (call.inputs.id === "missing") throw new Error("The mock has no such object.");
    return { ...call.inputs, answer: call.token };
  },
};

let service: Emulator;
const resources: pulumi.runtime.MockResourceArgs[] = [];
const calls: pulumi.runtime.MockCallArgs[] = [];

beforeAll(async () => {
  service = await startEmulator({ seed: seedWith([{ id: ID, name: "Shop" }]) });
  process.env.DYNAMICLINK_API_KEY = KEY;
  await pulumi.runtime.setMocks(MOCKS);
  pulumi.runtime.setConfig("dynamiclink:apiUrl", service.url);
});
beforeEach(() => {
  calls.length = 0;
  resources.length = 0;
});
afterEach(() => expect(service.requests).toEqual([]));
afterAll(() => service?.close());

describe.each([
  { name: "pulumi-dynamiclink", module: dynamic, pulumiPackage: "pulumi-nodejs" },
  { name: "pulumi-dynamiclink/native", module: native, pulumiPackage: "dynamiclink" },
])("of $name", ({ module, pulumiPackage }) => {
  // All lookups have the same code.
  test.each([
    ["getProject", { id: ID }],
    ["getProjects", undefined],
  ] as const)("%s returns the result of the mock, in both forms", async (name, args) => {
    const call = { token: `dynamiclink:index:${name}`, inputs: { ...args }, provider: "" };
    const answer = { ...args, answer: call.token };
    expect(await module[name](args as never)).toEqual(answer);
    const output = module[`${name}Output`](args as never) as pulumi.Output<object>;
    expect(await new Promise((resolve) => void output.apply(resolve))).toEqual(answer);
    expect(calls).toEqual([call, call]);
  });

  test("a mock receives the declared properties of a resource, and no others", async () => {
    const { urn } = new module.Project("shop", { name: "Shop" });
    await new Promise((resolve) => void urn.apply(resolve));
    expect(resources.map(({ inputs }) => inputs)).toEqual([{ name: "Shop" }]);
  });

  test("a mock receives the provider of the function, its own or that of its parent", async () => {
    const provider = new module.Provider("europe", { apiKey: KEY, apiUrl: service.url });
    const parent = new pulumi.ComponentResource("test:Part", "part", {}, { providers: [provider] });
    await module.getProject({ id: ID }, { provider });
    await module.getProject({ id: ID }, { parent });
    const reference = expect.stringContaining(`pulumi:providers:${pulumiPackage}::europe::europe-id`);
    expect(calls.map((call) => call.provider)).toEqual([reference, reference]);
  });

  test("a mock of another copy of the SDK receives the function too", async () => {
    const answer = { id: ID, answer: "dynamiclink:index:getProject" };
    let own: typeof pulumi | undefined;
    jest.isolateModules(() => {
      own = require("@pulumi/pulumi");
    });
    const { runtime } = own ?? pulumi;
    expect(runtime).not.toBe(pulumi.runtime);
    await runtime.setMocks(MOCKS);
    expect(await module.getProject({ id: ID })).toEqual(answer);
    await pulumi.runtime.setMocks(MOCKS);
  });

  test("a mock that throws fails the function", async () => {
    // Pulumi drops the message of the mock's error.
    await expect(module.getProject({ id: "missing" })).rejects.toThrow();
  });
});

test("without an engine and without mocks, a function of the dynamic host sends nothing", async () => {
  const monitor = jest.spyOn(pulumi.runtime, "getMonitor").mockReturnValue(undefined);
  await expect(dynamic.getProject({ id: ID })).rejects.toThrow(
    "getProject works in a program that Pulumi runs, or with pulumi.runtime.setMocks.",
  );
  monitor.mockRestore();
});
