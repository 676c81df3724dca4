/** Commands from the first preview to destroy, refreshes, and the export and import of states. */
import { UNKNOWN_VALUE } from "../../../testing/engine";
import { note, OWN_HOSTS, openStacks, tamper, thing, urnOf, vanish } from "../things";

const { stack, newStack } = openStacks();

test("preview creates nothing, up creates, a second up changes nothing, and destroy deletes everything", async () => {
  stack.declare([thing("a"), thing("b", note("a"))], { outputs: { handle: { output: "b.handle" } } });

  const preview = await stack.preview();
  expect(preview.changes).toEqual({ create: 3 });
  expect(preview.outputs).toEqual({ handle: UNKNOWN_VALUE });
  expect(stack.calls()).toEqual(["configure ", "check a", "check b"]);
  expect(stack.resources).toEqual([]);

  const up = await stack.up();
  expect(up.changes).toEqual({ create: 3 });
  expect(up.outputs).toEqual({ handle: "handle of b-1" });
  expect(stack.calls()).toEqual(["configure ", "check a", "create a-1", "check b", "create b-1"]);

  expect((await stack.up({ expectNoChanges: true })).changes).toEqual({ same: 3 });
  expect(stack.calls()).toEqual(["configure ", "check a", "diff a-1", "check b", "diff b-1"]);

  expect((await stack.destroy()).changes).toEqual({ delete: 3 });
  expect(stack.calls()).toEqual(["configure ", "delete b-1", "delete a-1"]);
  expect(stack.resources).toEqual([]);
});

test("secrets stay secret through outputs, nested values, options and stack outputs", async () => {
  const pass = { secret: "s3cret" };
  const secretHandle = { additionalSecretOutputs: ["handle"] };
  const up = await stack.deploy(
    [
      thing("a", { pass, deep: { key: pass, open: 1 }, list: [1, pass] }, secretHandle),
      thing("b", note("a")),
    ],
    { outputs: { handle: { output: "a.handle" }, open: "yes" } },
  );

  const [a, b] = ["a", "b"].map((name) => up.resources.find((resource) => resource.name === name));
  expect(a?.secrets.toSorted()).toEqual([
    ...["inputs.deep.key", "inputs.list", "inputs.pass"],
    ...["outputs.deep.key", "outputs.handle", "outputs.list", "outputs.pass"],
  ]);
  expect(a?.inputs.pass).toBe("s3cret");
  expect(b?.secrets.toSorted()).toEqual(["inputs.note", "outputs.note"]);
  expect(up.outputs).toEqual({ handle: "handle of a-1", open: "yes" });
  expect(up.resources.find(({ name }) => name === "things-test")?.secrets).toEqual(["outputs.handle"]);
  expect(JSON.stringify(stack.exportState())).not.toContain("s3cret");
});

test("a command completes with one operation at a time", async () => {
  const serial = newStack({ parallel: 1 });
  expect((await serial.deploy([thing("a"), thing("b"), thing("c")])).changes).toEqual({ create: 4 });
});

test("the messages include the output of the program and the logs of hosts, with progress marked as ephemeral", async () => {
  const separate = newStack({}, OWN_HOSTS);
  const log = "hello from the program";
  const { diagnostics } = await separate.deploy([thing("a", { progress: "halfway" })], { log });
  expect(diagnostics).toHaveLength(2);
  expect(diagnostics).toContainEqual({ severity: "info", message: log });
  expect(diagnostics).toContainEqual({ severity: "info", message: "halfway", ephemeral: true });
});

test("expectNoChanges fails if there are changes, and reports the resources and their properties", async () => {
  await stack.deploy([thing("a"), thing("b", { label: "one" })]);
  stack.declare([thing("b", { label: "two", size: 2 }), thing("c", {}, { dependsOn: [{ resource: "b" }] })]);
  await expect(stack.preview({ expectNoChanges: true })).rejects.toThrow(`The preview failed:
  error: No changes were expected, but there are some (update: 1, create: 1, delete: 1):
    update b (pulumi-nodejs:dynamic/things:Thing): label, size
    create c (pulumi-nodejs:dynamic/things:Thing)
    delete a (pulumi-nodejs:dynamic/things:Thing)`);
});

test("refresh applies changes to the state, and the next up reverts them", async () => {
  await stack.deploy([thing("a"), thing("b", note("a"))]);
  expect((await stack.refresh({ expectNoChanges: true })).changes).toEqual({ same: 3 });
  tamper(stack.directory, "a-1", { size: 9 });
  stack.calls();

  const refresh = await stack.refresh();
  expect(refresh.changes).toEqual({ same: 2, update: 1 });
  const isA = ({ name }: { readonly name: string }) => name === "a";
  expect(refresh.steps.find(isA)).toMatchObject({ operation: "refresh", result: "update" });
  expect(refresh.resources.find(isA)).toMatchObject({ inputs: { size: 9 }, outputs: { size: 9 } });
  expect(stack.calls().toSorted()).toEqual(["configure ", "diff a-1", "diff b-1", "read a-1", "read b-1"]);
  expect((await stack.up()).changes).toEqual({ same: 2, update: 1 });
});

test("refresh removes a missing resource and all references to it from the state", async () => {
  await stack.deploy([thing("a"), thing("b", note("a"))]);
  vanish(stack.directory, "a-1");
  expect((await stack.refresh()).changes).toEqual({ same: 2, delete: 1 });
  expect(stack.stateOf("b")).not.toHaveProperty("dependencies");
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
  const inputs = { __provider: expect.any(String) };
  const outputs = { label: "a" };
  expect(stack.stateOf("g")).toMatchObject({ external: true, id: "a-1", inputs, outputs });

  expect((await stack.deploy([thing("a")])).changes).toEqual({ same: 2, discard: 1 });
  expect(stack.calls()).not.toContain("delete a-1");
});

test("a managed resource that becomes a read one is not deleted, and one that is managed again is created again", async () => {
  await stack.deploy([thing("a"), thing("b")]);
  stack.declare(["a", "b"].map((name) => ({ kind: "get", name, inputs: { id: "a-1" } })));
  expect((await stack.up()).changes).toEqual({ same: 1, replace: 1 });
  const calls = stack.calls();
  expect(calls).toContain("delete b-1");
  expect(calls).not.toContain("delete a-1");
  expect((await stack.deploy([thing("a")])).changes).toEqual({ same: 1, replace: 1, discard: 1 });
  expect(stack.calls()).toContain("create a-2");
});

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
  const type = "pulumi-nodejs:dynamic/things:Thing";
  expect(load(3, resource(urnOf("a"), { type, custom: true }))).toThrow("has no id");
  expect(load(3, resource(STACK_URN, { parent: urnOf("a") }))).toThrow("comes before its parent");
  const secret = {
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    ciphertext: "v1:x",
  };
  expect(load(3, resource(STACK_URN, { outputs: { secret } }))).toThrow("encrypted secrets");
});
