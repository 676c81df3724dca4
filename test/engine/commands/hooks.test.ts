/** Error hooks: functions of the program that the engine calls when an operation has failed. */
import type { TestResult } from "../../../testing/engine";
import { SEPARATE_PROCESSES } from "../../../testing/engine/commands/processes";
import { again, errorsOf, failure, retried, thing, thingStacks } from "../things";

const { stack, newStack } = thingStacks();

/** The messages of the hooks' work, without those of processes. */
function warnings({ diagnostics }: TestResult): string[] {
  return diagnostics.filter(({ severity }) => severity === "warning").map(({ message }) => message);
}

test("an error hook repeats a failed create in the same step, without another check or diff", async () => {
  const hooks = [again(5)];
  const result = await stack.deploy([thing("a", { fail: "create", times: 2 }, retried("again"))], { hooks });
  expect(result.changes).toEqual({ create: 2 });
  expect(stack.calls()).toEqual([
    "configure ",
    "check a",
    "create failed",
    'hook again a newInputs:1 create 1 ["no room"]',
    "create failed",
    'hook again a newInputs:1 create 2 ["no room"]',
    "create a-1",
  ]);
  expect(warnings(result)).toEqual([
    "retrying create due to on-error hook request (1/100)",
    "retrying create due to on-error hook request (2/100)",
  ]);
  expect(stack.stateOf("a")?.resourceHooks).toEqual({ OnError: ["again"] });
});

test("an error hook in the state repeats a failed deletion while the program runs that registers it", async () => {
  await stack.deploy([thing("a", { fail: "delete", times: 1 }, retried("again"))], { hooks: [again(5)] });
  const result = await stack.deploy([], { hooks: [again(5)] });
  expect(result.changes).toEqual({ same: 1, delete: 1 });
  expect(stack.calls()).toEqual([
    "configure ",
    "delete a-1",
    'hook again a a-1 oldInputs:1 oldOutputs:1 delete 1 ["it is in use"]',
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

test("two hooks cannot have the same name", async () => {
  const stack = newStack({}, SEPARATE_PROCESSES);
  const failed = await failure(stack.deploy([thing("a")], { hooks: [again(1), again(0)] }));
  const messages = failed.result.diagnostics.map(({ message }) => message).join("\n");
  expect(messages).toContain('resource hook already registered for name "again"');
});
