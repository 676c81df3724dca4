/** Replacements, and the order of their steps. */
import { note, owner, stepsOf, thing, thingStacks, thingUrn } from "../things";

const { stack } = thingStacks();

test("a replacement is created first, then dependents are updated or replaced, and old resources are deleted last", async () => {
  await stack.deploy([thing("a", { kind: "x" }), thing("b", note("a")), thing("c", owner("a"))]);

  const up = await stack.deploy([thing("a", { kind: "y" }), thing("b", note("a")), thing("c", owner("a"))]);
  expect(up.changes).toEqual({ same: 1, replace: 2, update: 1 });
  expect(stepsOf(up).slice(0, 2)).toEqual(["create-replacement a", "replace a"]);
  expect(stepsOf(up).slice(-2)).toEqual(["delete-replaced c", "delete-replaced a"]);
  expect(up.steps.find(({ operation }) => operation === "replace")?.diff).toEqual({
    replaceKeys: ["kind"],
    changedKeys: ["kind"],
  });
  const calls = stack.calls();
  expect(calls.slice(0, 5)).toEqual(["configure ", "check a", "diff a-1", "check a", "create a-2"]);
  expect(calls.slice(-2)).toEqual(["delete c-1", "delete a-1"]);
});

test("a replacement that deletes first also deletes the dependents that it replaces, and no others", async () => {
  const rest = [thing("b", note("a")), thing("c", owner("a")), thing("d", owner("c"))];
  await stack.deploy([thing("a", { kind: "x", deleteFirst: true }), ...rest]);

  stack.declare([thing("a", { kind: "y", deleteFirst: true }), ...rest]);
  const preview = await stack.preview();
  expect(preview.changes).toEqual({ same: 1, replace: 3, update: 1 });
  expect(stack.calls().slice(0, 7)).toEqual([
    "configure ",
    "check a",
    "diff a-1",
    "check a",
    "diff b-1",
    "diff c-1",
    "diff d-1",
  ]);

  const up = await stack.up();
  expect(up.changes).toEqual({ same: 1, replace: 3, update: 1 });
  expect(stepsOf(up).slice(0, 5)).toEqual([
    "delete-replaced d",
    "delete-replaced c",
    "delete-replaced a",
    "replace a",
    "create-replacement a",
  ]);
  expect(stack.calls().slice(4, 11)).toEqual([
    "diff b-1",
    "diff c-1",
    "diff d-1",
    "delete d-1",
    "delete c-1",
    "delete a-1",
    "create a-2",
  ]);
});

test("the option deleteBeforeReplace overrides the order of the provider", async () => {
  await stack.deploy([thing("a", { kind: "x" })]);
  stack.declare([thing("a", { kind: "y" }, { deleteBeforeReplace: true })]);
  expect(stepsOf(await stack.up())).toEqual(["delete-replaced a", "replace a", "create-replacement a"]);
  stack.declare([thing("a", { kind: "z", deleteFirst: true }, { deleteBeforeReplace: false })]);
  expect(stepsOf(await stack.up())).toEqual(["create-replacement a", "replace a", "delete-replaced a"]);
});

test("the next up completes a replacement whose creation failed after the deletion", async () => {
  await stack.deploy([thing("a", { kind: "x" })]);
  stack.declare([thing("a", { kind: "y", fail: "create" }, { deleteBeforeReplace: true })]);
  await expect(stack.up()).rejects.toThrow("no room");
  expect(stack.stateOf("a")).toMatchObject({
    id: "a-1",
    pendingReplacement: true,
  });

  stack.declare([thing("a", { kind: "y" }, { deleteBeforeReplace: true })]);
  expect(stepsOf(await stack.up())).toEqual(["replace a", "create-replacement a"]);
  expect(stack.calls()).not.toContain("delete a-1");
});

test("a replacement that is not ready takes the place of the old resource, which the next up deletes", async () => {
  await stack.deploy([thing("a", { kind: "x" })]);
  stack.declare([thing("a", { kind: "y", fail: "init" })]);
  await expect(stack.up()).rejects.toThrow("still warming up");
  expect(stack.stateOf("a")).toMatchObject({ id: "a-2", initErrors: ["still warming up"] });
  expect(stack.calls()).not.toContain("delete a-1");

  expect((await stack.deploy([thing("a", { kind: "y" })])).changes).toEqual({ same: 1, update: 1 });
  expect(stack.calls()).toContain("delete a-1");
});

test("up with replace replaces the given resources, changed or not", async () => {
  await stack.deploy([thing("a"), thing("b")]);
  stack.calls();
  expect((await stack.up({ replace: [thingUrn("a")] })).changes).toEqual({ same: 2, replace: 1 });
  expect(stack.calls()).toEqual(expect.arrayContaining(["create a-2", "delete a-1"]));
});
