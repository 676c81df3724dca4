/** Resource hooks: functions of the program that the engine calls before and after operations, and when one has failed. */
import type { TestResult } from "../../../testing/engine";
import { type DeclaredHook, errorsOf, failure, thing, thingStacks, thingUrn } from "../things";

const { stack } = thingStacks();

/** An error hook that asks for another attempt a few times. */
function again(retries: number, name = "again"): DeclaredHook {
  return { name, retries };
}

/** The option of a resource with error hooks. */
function retried(...names: string[]) {
  return { hooks: { onError: names.map((hook) => ({ hook })) } };
}

/** The messages of the hooks' work, without those of processes. */
function warnings({ diagnostics }: TestResult): string[] {
  return diagnostics.filter(({ severity }) => severity === "warning").map(({ message }) => message);
}

function stateOf(name: string) {
  return stack.stateOf(thingUrn(name));
}

test("an error hook repeats a failed create in the same step, without another check or diff", async () => {
  const hooks = [again(5)];
  const result = await stack.deploy([thing("a", { fail: "create", times: 2 }, retried("again"))], { hooks });
  expect(result.changes).toEqual({ create: 2 });
  expect(stack.calls()).toEqual([
    "configure ",
    "check a",
    "create failed",
    'hook again a newInputs:1 create ["no room"]',
    "create failed",
    'hook again a newInputs:1 create ["no room","no room"]',
    "create a-1",
  ]);
  expect(warnings(result)).toEqual([
    "retrying create due to on-error hook request (1/100)",
    "retrying create due to on-error hook request (2/100)",
  ]);
  expect(stateOf("a")?.resourceHooks).toEqual({ OnError: ["again"] });
});

test("all error hooks of a resource are asked, one that asks for another attempt is enough, and only the last error is shown", async () => {
  await stack.deploy([thing("a")]);
  const hooks = [again(1), again(0, "never")];
  const changed = thing("a", { size: 2, fail: "update", times: 3 }, retried("again", "never"));
  const failed = await failure(stack.deploy([changed], { hooks }));
  const event = "hook again a a-1 newInputs:2 oldInputs:1 oldOutputs:1 update";
  const never = event.replace("again", "never");
  expect(stack.calls()).toEqual([
    "configure ",
    "check a",
    "diff a-1",
    "update a-1",
    `${event} ["too late"]`,
    `${never} ["too late"]`,
    "update a-1",
    `${event} ["too late","too late"]`,
    `${never} ["too late","too late"]`,
  ]);
  expect(errorsOf(failed)).toEqual(["a: too late"]);
  expect(stateOf("a")).toMatchObject({ inputs: { size: 1 } });
});

test("an error hook in the state repeats a failed deletion while the program runs that registers it", async () => {
  await stack.deploy([thing("a", { fail: "delete", times: 1 }, retried("again"))], { hooks: [again(5)] });
  const result = await stack.deploy([], { hooks: [again(5)] });
  expect(result.changes).toEqual({ same: 1, delete: 1 });
  expect(stack.calls()).toEqual([
    "configure ",
    "delete a-1",
    'hook again a a-1 oldInputs:1 oldOutputs:1 delete ["it is in use"]',
    "delete a-1",
  ]);
});

test("without the program no error hook is asked, and the error is that of the deletion", async () => {
  await stack.deploy([thing("a", { fail: "delete", times: 1 }, retried("again"))], { hooks: [again(5)] });
  stack.calls();
  expect(errorsOf(await failure(stack.destroy()))).toEqual(["a: it is in use"]);
  expect(stack.calls()).toEqual(["configure ", "delete a-1"]);
  await stack.destroy();
});

test("a create that left a resource which is not ready is repeated too; the state has the last one", async () => {
  const unready = thing("a", { fail: "init", times: 2 }, retried("again"));
  expect(errorsOf(await failure(stack.deploy([unready], { hooks: [again(1)] })))).toEqual([
    "a: 1 error occurred:\n\t* still warming up",
  ]);
  expect(stack.calls().filter((call) => call.startsWith("create"))).toEqual(["create a-1", "create a-2"]);
  expect(stateOf("a")).toMatchObject({ id: "a-2", initErrors: ["still warming up"] });
});

test("an operation is repeated at most 99 times", async () => {
  const failed = await failure(
    stack.deploy([thing("a", { fail: "create", times: 200 }, retried("again"))], { hooks: [again(200)] }),
  );
  expect(stack.calls().filter((call) => call === "create failed")).toHaveLength(100);
  expect(errorsOf(failed)).toEqual(["a: maximum number of error hook retries reached"]);
  expect(warnings(failed.result).at(-1)).toBe("maximum number of error hook retries (100) reached");
});

test("the failure of an error hook is the error of a create", async () => {
  const hooks = [{ ...again(5), fail: "the hook broke" }];
  const failed = await failure(stack.deploy([thing("a", { fail: "create" }, retried("again"))], { hooks }));
  expect(errorsOf(failed)).toEqual([
    'a: error hooks execution failed: error hook "again" failed: the hook broke',
  ]);
});
