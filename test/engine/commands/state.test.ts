/** Export and import of states. */
import { note, thing, thingStacks, thingUrn } from "../things";

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
