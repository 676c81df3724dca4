import { type ThingStack, thing, thingStack } from "./things";

let stack: ThingStack;
beforeEach(async () => {
  stack = await thingStack();
});
afterEach(() => stack.close());

test("preview creates nothing, up creates, a second up changes nothing, destroy leaves nothing", async () => {
  stack.declare([thing("a"), thing("b", { note: { output: "a.handle" } })], {
    outputs: { handle: { output: "b.handle" } },
  });

  const preview = await stack.preview();
  expect(preview.changes).toEqual({ create: 3 });
  expect(stack.calls()).toEqual(["configure ", "check a", "check b"]);
  expect(stack.exportState().deployment.resources).toEqual([]);

  const up = await stack.up();
  expect(up.changes).toEqual({ create: 3 });
  expect(up.outputs).toEqual({ handle: "handle of b-1" });
  expect(stack.calls()).toEqual(["configure ", "check a", "create a-1", "check b", "create b-1"]);

  expect((await stack.up({ expectNoChanges: true })).changes).toEqual({ same: 3 });
  expect(stack.calls()).toEqual(["configure ", "check a", "diff a-1", "check b", "diff b-1"]);

  expect((await stack.destroy()).changes).toEqual({ delete: 3 });
  expect(stack.calls()).toEqual(["configure ", "delete b-1", "delete a-1"]);
  expect(stack.exportState().deployment.resources).toEqual([]);
});
