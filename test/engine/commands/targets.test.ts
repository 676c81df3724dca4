/** Targets: the provider is asked only about the resources that a command includes. */
import { by, note, thing, thingProvider, thingStacks, thingUrn } from "../things";

const { stack } = thingStacks();
beforeEach(async () => {
  await stack.deploy([thing("a"), thing("b")]);
  stack.calls();
});

const CHANGED = [thing("a", { size: 2 }), thing("b", { size: 2 }), thing("c")];

test.each([
  ["target", { target: [thingUrn("c")] }, { same: 3, create: 1 }, ["configure ", "create c-1"]],
  [
    "exclude",
    { exclude: [thingUrn("a"), thingUrn("c")] },
    { same: 3, update: 1 },
    ["configure ", "diff b-1", "update b-1"],
  ],
] as const)("%s selects the resources that change", async (_, options, changes, calls) => {
  stack.declare(CHANGED);
  expect((await stack.up(options)).changes).toEqual(changes);
  expect(stack.calls().filter((call) => !call.startsWith("check"))).toEqual(calls);
  expect(stack.stateOf("a")?.inputs).toMatchObject({ size: 1 });
});

test("a resource that is not included is neither deleted nor refreshed", async () => {
  stack.declare([]);
  expect((await stack.up({ refresh: true, target: [thingUrn("b")] })).changes).toMatchObject({ delete: 1 });
  expect(stack.calls()).not.toContain("read a-1");
  expect(stack.stateOf("a")).toBeDefined();
});

test("the program gets the outputs of a resource that is not included", async () => {
  stack.declare(CHANGED, { outputs: { handle: { output: "a.handle" } } });
  const { outputs } = await stack.preview({ target: [thingUrn("c")] });
  expect(outputs).toEqual({ handle: "handle of a-1" });
});

test("a new resource that is not included fails the resources that need it", async () => {
  stack.declare([thing("a"), thing("b"), thing("c"), thing("d", note("c"))]);
  await expect(stack.up({ target: [thingUrn("d")] })).rejects.toThrow(
    /needs .*::c, which this command does not create/,
  );
});

test("a resource that is not included cannot keep a provider that the program no longer uses, as with the CLI", async () => {
  stack.declare([thingProvider("other", "key"), thing("a", {}, by("other")), thing("b", {}, by("other"))]);
  await expect(stack.up({ target: [thingUrn("b")] })).rejects.toThrow(
    /for resource .*::a has not been registered yet, this is due to a change of providers mixed with --target/,
  );
  // The state stays valid.
  stack.importState(stack.exportState());
  expect(stack.stateOf("a")).toBeDefined();
});
