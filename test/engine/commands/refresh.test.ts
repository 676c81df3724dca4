/** Refresh, and resources that are only read. */
import { note, tamper, thing, thingStacks, vanish } from "../things";

const { stack } = thingStacks();

test("refresh applies changes to the state, and the next up reverts them", async () => {
  await stack.deploy([thing("a"), thing("b", note("a"))]);
  expect((await stack.refresh({ expectNoChanges: true })).changes).toEqual({ same: 3 });
  tamper(stack.directory, "a-1", { size: 9 });
  stack.calls();

  const refresh = await stack.refresh();
  expect(refresh.changes).toEqual({ same: 2, update: 1 });
  expect(refresh.steps.find(({ name }) => name === "a")).toMatchObject({
    operation: "refresh",
    result: "update",
  });
  expect(refresh.resources.find(({ name }) => name === "a")).toMatchObject({
    inputs: { size: 9 },
    outputs: { size: 9 },
  });
  expect(stack.calls().toSorted()).toEqual(["configure ", "diff a-1", "diff b-1", "read a-1", "read b-1"]);
  expect((await stack.up()).changes).toEqual({ same: 2, update: 1 });
});

test("refresh removes a missing resource and all references to it from the state", async () => {
  await stack.deploy([thing("a"), thing("b", note("a"))]);
  vanish(stack.directory, "a-1");
  expect((await stack.refresh()).changes).toEqual({ same: 2, delete: 1 });
  const b = stack.stateOf("b");
  expect(b).not.toHaveProperty("dependencies");
  expect((await stack.up()).changes).toEqual({ same: 1, create: 1, update: 1 });
});

test("up and preview refresh first with the option refresh", async () => {
  await stack.deploy([thing("a")]);
  tamper(stack.directory, "a-1", { size: 9 });
  await stack.preview({ expectNoChanges: true });
  await expect(stack.preview({ refresh: true, expectNoChanges: true })).rejects.toThrow("(update: 1)");
  stack.calls();
  expect((await stack.up({ refresh: true })).changes).toEqual({ same: 1, update: 1 });
  expect(stack.calls()).toEqual(["configure ", "read a-1", "diff a-1", "check a", "diff a-1", "update a-1"]);
  await stack.preview({ refresh: true, expectNoChanges: true });
});

test("get reads a resource, also in preview, and never deletes it", async () => {
  await stack.deploy([thing("a")]);
  stack.declare([thing("a"), { kind: "get", name: "g", inputs: { id: "a-1" } }], {
    outputs: { label: { output: "g.handle" } },
  });
  expect((await stack.preview()).outputs).toEqual({ label: "handle of a-1" });
  expect(stack.calls()).toContain("read a-1");
  await stack.up();
  expect(stack.stateOf("g")).toMatchObject({
    external: true,
    id: "a-1",
    inputs: { __provider: expect.any(String) },
    outputs: { label: "a" },
  });

  expect((await stack.deploy([thing("a")])).changes).toEqual({ same: 2, discard: 1 });
  expect(stack.calls()).not.toContain("delete a-1");
});

test("a managed resource that becomes a read one is not deleted, and one that is managed again is created again", async () => {
  await stack.deploy([thing("a"), thing("b")]);
  stack.declare([
    { kind: "get", name: "a", inputs: { id: "a-1" } },
    { kind: "get", name: "b", inputs: { id: "a-1" } },
  ]);
  expect((await stack.up()).changes).toEqual({ same: 1, replace: 1 });
  const calls = stack.calls();
  expect(calls).toContain("delete b-1");
  expect(calls).not.toContain("delete a-1");
  expect((await stack.deploy([thing("a")])).changes).toEqual({ same: 1, replace: 1, discard: 1 });
  expect(stack.calls()).toContain("create a-2");
});
