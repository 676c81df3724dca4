/** Resource options. */
import { errorsOf, failure, group, inside, note, stepsOf, thing, thingStacks, thingUrn } from "../things";

const { stack } = thingStacks();

test("a protected resource is neither deleted nor replaced, its error names it, and other resources are deleted", async () => {
  await stack.deploy([thing("a", {}, { protect: true }), thing("b"), thing("c")]);

  const refused = await failure(stack.deploy([thing("b")]));
  expect(errorsOf(refused)).toEqual([
    `a: ${thingUrn("a")} is protected and is not deleted. Remove the option protect, or the option import, which implies it, and update first.`,
  ]);
  expect(stepsOf(refused.result)).toEqual(["same b", "delete c"]);
  expect(errorsOf(await failure(stack.preview()))).toHaveLength(1);

  expect(errorsOf(await failure(stack.deploy([thing("a", { kind: "new" }, { protect: true })])))).toEqual([
    `a: ${thingUrn("a")} is protected and is not replaced. Remove the option protect first, or the option import, which implies it.`,
  ]);
  expect((await stack.deploy([thing("a", { kind: "new" })])).changes).toMatchObject({ replace: 1 });
});

test("an alias finds a resource under its former name, parent or type", async () => {
  await stack.deploy([group("g"), thing("a", {}, inside("g")), thing("b", note("a"))]);

  stack.declare([
    group("h", { aliases: [{ name: "g" }] }),
    thing("a", {}, inside("h")),
    thing("b2", { label: "b", ...note("a") }, { aliases: [{ name: "b" }] }),
  ]);
  expect((await stack.up()).changes).toEqual({ same: 4 });

  stack.declare([
    thing("a", {}, { aliases: [{ parent: "urn:pulumi:test::things::things:index:Group::h" }] }),
    thing("b2", { label: "b", ...note("a") }),
  ]);
  expect((await stack.up()).changes).toEqual({ same: 3, delete: 1 });
  const names = stack.resources.map(({ urn }) => urn.split("::").at(-1));
  expect(names?.toSorted()).toEqual(["a", "b2", "default", "things-test"]);
});

test("ignoreChanges keeps the old values at its paths", async () => {
  await stack.deploy([thing("a", { size: 1, tags: { x: 1, y: 1 }, list: [1, 2] })]);
  const ignoreChanges = ["size", "tags.x", "list[0]", "more"];
  stack.declare([thing("a", { size: 2, tags: { x: 2, y: 1 }, list: [3, 2], more: 1 }, { ignoreChanges })]);
  await stack.preview({ expectNoChanges: true });
  const { resources } = await stack.deploy([
    thing("a", { size: 2, tags: { x: 2, y: 2 }, list: [3, 4] }, { ignoreChanges }),
  ]);
  expect(resources.find(({ name }) => name === "a")?.inputs).toMatchObject({
    size: 1,
    tags: { x: 1, y: 2 },
    list: [1, 4],
  });
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

test("an option that the engine does not support fails with an error that names it", async () => {
  stack.declare([thing("a", {}, { import: "a-1" })]);
  await expect(stack.preview()).rejects.toThrow(
    'pulumi-nodejs:dynamic/things:Thing "a" uses the option import, which the test engine does not support.',
  );
});
