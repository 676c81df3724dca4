/** Default and explicit providers, and their configuration. */
import { by, group, inside, note, thing, thingProvider, thingStacks, thingUrn } from "../things";

const { stack } = thingStacks();

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
    thingProvider("p", "one"),
    thingProvider("q", "two"),
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
  await stack.deploy([thingProvider("p", "one"), thing("a", {}, by("p")), thing("b")]);

  stack.declare([thingProvider("p", "two"), thing("a", {}, by("p")), thing("b", {}, by("p"))]);
  expect((await stack.up()).changes).toEqual({ same: 3, update: 1 });
  expect(providerOf("b")).toBe("p");
});

test("a provider whose key is not known yet is not called in preview", async () => {
  stack.declare([thing("a"), thingProvider("p", { output: "a.handle" }), thing("b", {}, by("p"))]);
  expect((await stack.preview()).changes).toEqual({ create: 4 });
  expect(stack.calls()).toEqual(["configure ", "check a"]);
  await stack.up();
  expect(stack.calls()).toContain("configure handle of a-1");

  stack.declare([
    thing("a", { size: 2 }),
    thingProvider("p", { output: "a.handle" }),
    thing("b", {}, by("p")),
  ]);
  const preview = await stack.preview();
  expect(preview.changes).toEqual({ same: 1, update: 3 });
  const message =
    "The provider for this resource has inputs that are not known during preview: an update is assumed.";
  expect(preview.diagnostics).toEqual([{ severity: "warning", urn: thingUrn("b"), message }]);
});

test("the resources of a removed provider are deleted with the configuration in the state", async () => {
  await stack.deploy([thingProvider("p", "one"), thing("a", {}, by("p")), thing("b", note("a"), by("p"))]);
  expect((await stack.deploy([])).changes).toEqual({ same: 1, delete: 3 });
  expect(stack.calls()).toEqual(["configure one", "delete b-1", "delete a-1"]);
});
