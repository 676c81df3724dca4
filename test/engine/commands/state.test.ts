/** Export and import of states, and import files. */
import type { ImportEntry } from "../../../testing/engine";
import { entry, errorsOf, failure, note, thing, thingStacks, thingUrn } from "../things";

const { stack, newStack } = thingStacks();

const STACK_URN = "urn:pulumi:test::things::pulumi:pulumi:Stack::things-test";

test("an exported state can be imported with its secrets, and then nothing changes", async () => {
  const declared = [thing("a", { pass: { secret: "s3cret" } }), thing("b", note("a"))];
  await stack.deploy(declared);
  for (const showSecrets of [false, true]) {
    const exported = stack.exportState({ showSecrets });
    expect(exported.version).toBe(3);
    expect(JSON.stringify(exported).includes("s3cret")).toBe(showSecrets);
    const other = newStack({ environment: { THINGS: stack.directory } });
    other.declare(declared);
    other.importState(exported);
    await other.preview({ expectNoChanges: true });
  }
});

test("a state that is not valid for this stack is rejected with the reason", () => {
  const resource = (urn: string, more = {}) => ({ urn, custom: false, type: "pulumi:pulumi:Stack", ...more });
  const load =
    (version: number, ...resources: ReturnType<typeof resource>[]) =>
    () =>
      stack.importState({ version, deployment: { resources } });
  expect(load(2)).toThrow("The state has version 2; the test engine supports only version 3.");
  expect(load(3, resource("urn:pulumi:prod::things::pulumi:pulumi:Stack::things-prod"))).toThrow(
    "does not belong to the stack things/test",
  );
  expect(
    load(3, resource(thingUrn("a"), { type: "pulumi-nodejs:dynamic/things:Thing", custom: true })),
  ).toThrow("has no id");
  expect(load(3, resource(STACK_URN, { parent: thingUrn("a") }))).toThrow("comes before its parent");
  const secret = {
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    ciphertext: "v1:x:y",
  };
  expect(load(3, resource(STACK_URN, { outputs: { secret } }))).toThrow("encrypted secrets");
});

test("an import file adds resources to the state with only a check, protected unless protect is false", async () => {
  const file = { resources: [entry("b"), entry("a")] };
  const imported = await stack.importFile(file);
  expect(imported.changes).toEqual({ create: 1, import: 2 });
  expect(stack.calls()).toEqual(["configure ", "check b", "check a"]);
  expect(stack.stateOf("a")).toMatchObject({ id: "a-1", parent: STACK_URN, protect: true });

  stack.declare(["a", "b"].map((name) => thing(name, {}, { protect: true })));
  expect((await stack.preview({ expectNoChanges: true })).changes).toEqual({ same: 3 });

  expect((await stack.importFile(file)).changes).toEqual({ same: 3 });
  const refused = await failure(stack.importFile({ resources: [entry("a", { id: "a-2" })] }));
  expect(errorsOf(refused)).toEqual([`a: resource '${thingUrn("a")}' already exists`]);
  await stack.importFile({ resources: [entry("c")] }, { protect: false });
  expect(stack.stateOf("c")).not.toHaveProperty("protect");
});

test("all entries that cannot be imported are reported together, and nothing is imported", async () => {
  const { outputs: _, ...withoutOutputs } = entry("c");
  const { message } = await failure(
    stack.importFile({
      resources: [
        entry("a", { type: "aws:s3:Bucket" }),
        entry("b", { id: "" }),
        withoutOutputs,
        { ...entry("d"), parent: "a" } as ImportEntry,
        entry("e"),
        entry("e"),
      ],
    }),
  );
  expect(message).toContain(
    "resource 'a' of type 'aws:s3:Bucket' belongs to a package without a plugin here",
  );
  expect(message).toContain("resource 'b' of type 'pulumi-nodejs:dynamic/things:Thing' has no ID");
  expect(message).toContain("the dynamic-provider host cannot read a resource by its ID alone");
  expect(message).toContain("has the field parent, which the test engine does not support");
  expect(message).toContain("has the same URN as another entry");
  expect(stack.resources).toEqual([]);
});
