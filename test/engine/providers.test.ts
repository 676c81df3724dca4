/** Default and explicit providers and their configuration, resources and functions of other packages, and the trace of all messages. */
import type { MockResourceArguments } from "../../testing/engine";
import { by, type Declared, group, inside, note, openStacks, provider, thing, urnOf } from "./things";

const { stack, newStack } = openStacks();

function providerOf(name: string, parents?: string): string | undefined {
  return stack.stateOf(name, parents)?.provider?.split("::").at(-2);
}

test("the default provider receives the whole stack configuration, including secrets", async () => {
  stack.setConfig({ "things:key": { secret: "k1" }, name: "bare", "aws:region": "here" });
  const up = await stack.deploy([thing("a")]);

  const provider = up.resources.find(({ name }) => name === "default");
  expect(provider).toMatchObject({
    inputs: { "things:key": "k1", "things:name": "bare", "aws:region": "here" },
    secrets: ['inputs.["things:key"]', 'outputs.["things:key"]'],
  });
  expect(stack.calls()[0]).toBe("configure k1");
});

test("a changed configuration updates the default provider, which keeps its id and is configured again", async () => {
  stack.setConfig({ "things:key": "k1" });
  await stack.deploy([thing("a")]);
  const before = stack.resources[1]?.id;
  stack.setConfig({ "things:key": "k2" });
  stack.calls();

  expect((await stack.up()).changes).toEqual({ same: 2 });
  expect(stack.calls()[0]).toBe("configure k2");
  const after = stack.resources.find(({ urn }) => urn.endsWith("::default"));
  expect(after).toMatchObject({ id: before, inputs: { "things:key": "k2" } });
});

test("each explicit provider has its own host and configuration, and components pass providers to their children", async () => {
  stack.declare([
    provider("p", "one"),
    provider("q", "two"),
    group("g", { providers: [{ resource: "p" }] }),
    group("h", inside("g")),
    thing("a", {}, inside("h")),
    thing("b", {}, by("q")),
    thing("c"),
  ]);
  expect((await stack.up()).changes).toEqual({ create: 8 });

  const groups = "things:index:Group$things:index:Group$";
  expect([providerOf("a", groups), providerOf("b"), providerOf("c")]).toEqual(["p", "q", "default"]);
  const configured = stack.calls().filter((call) => call.startsWith("configure"));
  expect(configured.toSorted()).toEqual(["configure ", "configure one", "configure two"]);
});

test("a new key of a provider or another provider replaces no resource", async () => {
  await stack.deploy([provider("p", "one"), thing("a", {}, by("p")), thing("b")]);

  stack.declare([provider("p", "two"), thing("a", {}, by("p")), thing("b", {}, by("p"))]);
  expect((await stack.up()).changes).toEqual({ same: 3, update: 1 });
  expect(providerOf("b")).toBe("p");
});

test("a provider whose key is not known yet is not called in preview", async () => {
  const configured = provider("p", { output: "a.handle" });
  stack.declare([thing("a"), configured, thing("b", {}, by("p"))]);
  expect((await stack.preview()).changes).toEqual({ create: 4 });
  expect(stack.calls()).toEqual(["configure ", "check a"]);
  await stack.up();
  expect(stack.calls()).toContain("configure handle of a-1");

  stack.declare([thing("a", { size: 2 }), configured, thing("b", {}, by("p"))]);
  const preview = await stack.preview();
  expect(preview.changes).toEqual({ same: 1, update: 3 });
  const message =
    "The provider for this resource has inputs that are not known during preview: an update is assumed.";
  expect(preview.diagnostics).toEqual([{ severity: "warning", urn: urnOf("b"), message }]);
});

test("the resources of a removed provider are deleted with the configuration in the state", async () => {
  await stack.deploy([provider("p", "one"), thing("a", {}, by("p")), thing("b", note("a"), by("p"))]);
  expect((await stack.deploy([])).changes).toEqual({ same: 1, delete: 3 });
  expect(stack.calls()).toEqual(["configure one", "delete b-1", "delete a-1"]);
});

function bucket(name: string, inputs: Record<string, unknown>): Declared {
  return { kind: "other", name, inputs };
}

const CALLER = { region: { call: "cloud:index:getRegion", with: { zone: "z" } } };

test("resources of other packages return their inputs", async () => {
  const a = thing("a", { note: { output: "store.id" } });
  const up = await stack.deploy([bucket("store", { size: 3, pass: { secret: "x" } }), a]);
  expect(up.changes).toEqual({ create: 3 });
  expect(up.resources.find(({ name }) => name === "store")).toMatchObject({
    id: "store_id",
    outputs: { size: 3, pass: "x" },
    secrets: ["inputs.pass", "outputs.pass"],
  });
  expect(up.resources.find(({ name }) => name === "a")?.inputs).toMatchObject({ note: "store_id" });
  expect((await stack.deploy([bucket("store", { size: 4 }), a])).changes).toEqual({ same: 2, update: 1 });
  expect((await stack.destroy()).changes).toEqual({ delete: 3 });
});

test("mocks of resources and functions have the form of Pulumi's", async () => {
  const seen: MockResourceArguments[] = [];
  const stack = newStack({
    mocks: {
      newResource: (resource) => {
        seen.push(resource);
        return { id: "bucket-7", state: { ...resource.inputs, url: "https://store.example" } };
      },
      call: ({ token, inputs }) => ({ name: `${token} in ${inputs.zone}` }),
    },
  });
  stack.declare([bucket("store", { size: 3 })], { outputs: { url: { output: "store.url" }, ...CALLER } });
  expect((await stack.up()).outputs).toEqual({
    url: "https://store.example",
    region: { name: "cloud:index:getRegion in z" },
  });
  expect(seen).toEqual([{ type: "cloud:index:Bucket", name: "store", inputs: { size: 3 }, custom: true }]);
});

test("a function without a mock fails with an error that names it", async () => {
  stack.declare([], { outputs: CALLER });
  await expect(stack.preview()).rejects.toThrow(
    "The function cloud:index:getRegion is not supported by the test engine. Give it a mock (call).",
  );
});

test("every message is traced, and only messages to and from the host contain secrets in plain text", async () => {
  const messages: string[] = [];
  const stack = newStack({
    trace: ({ from, to, method, answer, payload }) =>
      messages.push(`${from} ${to} ${method} ${answer ? "answer" : "call"} ${JSON.stringify(payload)}`),
  });
  await stack.deploy([thing("a", { pass: { secret: "s3cret" } }), thing("b", note("a"))]);
  expect(messages.map((message) => message.split(" ", 4).join(" "))).toEqual(
    expect.arrayContaining([
      "program engine RegisterResource call",
      "engine host Configure call",
      "engine host Check call",
      "host engine Create answer",
      "engine program RegisterResource answer",
      "program engine SignalAndWaitForShutdown call",
    ]),
  );
  const marked = '{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":"s3cret"}';
  const leaks = messages.filter((message) => message.replaceAll(marked, "").includes("s3cret"));
  expect(leaks.length).toBeGreaterThan(0);
  expect(leaks.filter((message) => !/^(engine host|host engine)/.test(message))).toEqual([]);
});
