/** Resources and functions of other packages, and the trace of all messages. */
import type { MockResourceArguments } from "../../../testing/engine";
import { type Declared, note, thing, thingStacks } from "../things";

function bucket(name: string, inputs: Record<string, unknown>): Declared {
  return { kind: "other", name, inputs };
}

const CALLER = { region: { call: "cloud:index:getRegion", with: { zone: "z" } } };

const { stack, newStack } = thingStacks();

test("resources of other packages return their inputs", async () => {
  const a = thing("a", { note: { output: "store.id" } });
  const up = await stack.deploy([bucket("store", { size: 3, pass: { secret: "x" } }), a]);
  expect(up.changes).toEqual({ create: 3 });
  expect(up.resources.find(({ name }) => name === "store")).toMatchObject({
    id: "store_id",
    outputs: { size: 3, pass: "x" },
    secrets: ["inputs.pass", "outputs.pass"],
  });
  expect(up.resources.find(({ name }) => name === "a")?.inputs).toMatchObject({ note: "store_id" });
  expect((await stack.deploy([bucket("store", { size: 4 }), a])).changes).toEqual({ same: 2, update: 1 });
  expect((await stack.destroy()).changes).toEqual({ delete: 3 });
});

test("mocks of resources and functions have the form of Pulumi's", async () => {
  const seen: MockResourceArguments[] = [];
  const stack = newStack({
    mocks: {
      newResource: (resource) => {
        seen.push(resource);
        return { id: "bucket-7", state: { ...resource.inputs, url: "https://store.example" } };
      },
      call: ({ token, inputs }) => ({ name: `${token} in ${inputs.zone}` }),
    },
  });
  stack.declare([bucket("store", { size: 3 })], { outputs: { url: { output: "store.url" }, ...CALLER } });
  expect((await stack.up()).outputs).toEqual({
    url: "https://store.example",
    region: { name: "cloud:index:getRegion in z" },
  });
  expect(seen).toEqual([{ type: "cloud:index:Bucket", name: "store", inputs: { size: 3 }, custom: true }]);
});

test("a function without a mock fails with an error that names it", async () => {
  stack.declare([], { outputs: CALLER });
  await expect(stack.preview()).rejects.toThrow(
    "The function cloud:index:getRegion is not supported by the test engine. Give it a mock (call).",
  );
});

test("every message is traced, and only messages to and from the host contain secrets in plain text", async () => {
  const messages: string[] = [];
  const stack = newStack({
    trace: ({ from, to, method, answer, payload }) =>
      messages.push(`${from} ${to} ${method} ${answer ? "answer" : "call"} ${JSON.stringify(payload)}`),
  });
  await stack.deploy([thing("a", { pass: { secret: "s3cret" } }), thing("b", note("a"))]);
  expect(messages.map((message) => message.split(" ", 4).join(" "))).toEqual(
    expect.arrayContaining([
      "program engine RegisterResource call",
      "engine host Configure call",
      "engine host Check call",
      "host engine Create answer",
      "engine program RegisterResource answer",
      "program engine SignalAndWaitForShutdown call",
    ]),
  );
  const marked = '{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":"s3cret"}';
  const leaks = messages.filter((message) => message.replaceAll(marked, "").includes("s3cret"));
  expect(leaks.length).toBeGreaterThan(0);
  expect(leaks.filter((message) => !/^(engine host|host engine)/.test(message))).toEqual([]);
});
