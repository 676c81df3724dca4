/** Resource options, targets, and replacements. */
import { by, errorsOf, failure, note, openStacks, owner, provider, stepsOf, thing, urnOf } from "../things";

const { stack } = openStacks();

test("a protected resource is neither deleted nor replaced, its error names it, and other resources are deleted", async () => {
  await stack.deploy([thing("a", {}, { protect: true }), thing("b"), thing("c")]);

  const refused = await failure(stack.deploy([thing("b")]));
  expect(errorsOf(refused)).toEqual([
    `a: ${urnOf("a")} is protected and is not deleted. Remove the option protect, or the option import, which implies it, and update first.`,
  ]);
  expect(stepsOf(refused.result)).toEqual(["same b", "delete c"]);
  expect(errorsOf(await failure(stack.preview()))).toHaveLength(1);

  expect(errorsOf(await failure(stack.deploy([thing("a", { kind: "new" }, { protect: true })])))).toEqual([
    `a: ${urnOf("a")} is protected and is not replaced. Remove the option protect first, or the option import, which implies it.`,
  ]);
  expect((await stack.deploy([thing("a", { kind: "new" })])).changes).toMatchObject({ replace: 1 });
});

test("ignoreChanges keeps the old values at its paths", async () => {
  await stack.deploy([thing("a", { size: 1, tags: { x: 1, y: 1 }, list: [1, 2] })]);
  const ignoreChanges = ["size", "tags.x", "list[0]", "more"];
  stack.declare([thing("a", { size: 2, tags: { x: 2, y: 1 }, list: [3, 2], more: 1 }, { ignoreChanges })]);
  await stack.preview({ expectNoChanges: true });
  await stack.deploy([thing("a", { size: 2, tags: { x: 2, y: 2 }, list: [3, 4] }, { ignoreChanges })]);
  expect(stack.stateOf("a")?.inputs).toMatchObject({ size: 1, tags: { x: 1, y: 2 }, list: [1, 4] });
});

test("replaceOnChanges turns a change at its paths into a replacement", async () => {
  const replaceOnChanges = ["tags.x"];
  await stack.deploy([thing("a", { tags: { x: 1, y: 1 } }, { replaceOnChanges })]);
  stack.declare([thing("a", { tags: { x: 1, y: 2 } }, { replaceOnChanges })]);
  expect((await stack.preview()).changes).toEqual({ same: 1, update: 1 });
  stack.declare([thing("a", { tags: { x: 2, y: 1 } }, { replaceOnChanges })]);
  expect((await stack.preview()).changes).toEqual({ same: 1, replace: 1 });
});

test("resources with retainOnDelete or deletedWith are removed from the state without a delete", async () => {
  await stack.deploy([
    thing("a"),
    thing("kept", {}, { retainOnDelete: true }),
    thing("swept", {}, { deletedWith: { resource: "a" } }),
    thing("held", {}, { dependsOn: [{ resource: "kept" }] }),
  ]);
  stack.calls();
  expect((await stack.destroy()).changes).toEqual({ delete: 5 });
  expect(stack.calls().toSorted()).toEqual(["configure ", "delete a-1", "delete held-1"]);
});

describe("targets", () => {
  beforeEach(async () => {
    await stack.deploy([thing("a"), thing("b")]);
    stack.calls();
  });

  const CHANGED = [thing("a", { size: 2 }), thing("b", { size: 2 }), thing("c")];
  const [a, b, c] = ["a", "b", "c"].map((name) => urnOf(name)) as [string, string, string];

  test.each([
    [{ target: [c] }, { same: 3, create: 1 }, ["create c-1"]],
    [{ exclude: [a, c] }, { same: 3, update: 1 }, ["diff b-1", "update b-1"]],
  ])("%j selects what changes, and the program gets the outputs of the others", async (...row) => {
    const [options, changes, calls] = row;
    stack.declare(CHANGED, { outputs: { handle: { output: "a.handle" } } });
    const up = await stack.up(options);
    expect(up.changes).toEqual(changes);
    expect(up.outputs).toEqual({ handle: "handle of a-1" });
    expect(stack.calls().filter((call) => !/^(configure|check)/.test(call))).toEqual(calls);
    expect(stack.stateOf("a")?.inputs).toMatchObject({ size: 1 });
  });

  test("a resource that is not included is neither deleted nor refreshed", async () => {
    stack.declare([]);
    expect((await stack.up({ refresh: true, target: [b] })).changes).toMatchObject({ delete: 1 });
    expect(stack.calls()).not.toContain("read a-1");
    expect(stack.stateOf("a")).toBeDefined();
  });

  test("a new resource that is not included fails the resources that need it", async () => {
    stack.declare([thing("a"), thing("b"), thing("c"), thing("d", note("c"))]);
    await expect(stack.up({ target: [urnOf("d")] })).rejects.toThrow(
      /needs .*::c, which this command does not create/,
    );
  });

  test("a resource that is not included cannot keep a provider that the program no longer uses, as with the CLI", async () => {
    stack.declare([provider("other", "key"), thing("a", {}, by("other")), thing("b", {}, by("other"))]);
    await expect(stack.up({ target: [b] })).rejects.toThrow(
      /for resource .*::a has not been registered yet, this is due to a change of providers mixed with --target/,
    );
    // The state stays valid.
    stack.importState(stack.exportState());
    expect(stack.stateOf("a")).toBeDefined();
  });
});

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
  const decided = ["configure ", "check a", "diff a-1", "check a", "diff b-1", "diff c-1", "diff d-1"];
  expect(stack.calls().slice(0, 7)).toEqual(decided);

  const up = await stack.up();
  expect(up.changes).toEqual({ same: 1, replace: 3, update: 1 });
  const deletions = ["delete-replaced d", "delete-replaced c", "delete-replaced a"];
  expect(stepsOf(up).slice(0, 5)).toEqual([...deletions, "replace a", "create-replacement a"]);
  const performed = [...decided, "delete d-1", "delete c-1", "delete a-1", "create a-2"];
  expect(stack.calls().slice(0, 11)).toEqual(performed);
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
  expect(stack.stateOf("a")).toMatchObject({ id: "a-1", pendingReplacement: true });

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
  expect((await stack.up({ replace: [urnOf("a")] })).changes).toEqual({ same: 2, replace: 1 });
  expect(stack.calls()).toEqual(expect.arrayContaining(["create a-2", "delete a-1"]));
});
