/** Failures of providers, programs and commands, and the state after them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { testStack } from "../../../testing/engine";
import { holdTimers } from "../../support/processes/timers";
import {
  after,
  called,
  errorsOf,
  failure,
  note,
  OWN_HOSTS,
  openStacks,
  programPath,
  stepsOf,
  thing,
  urnOf,
} from "../things";

// The engine takes the timers of Node.js when it is loaded. Here, a test lets a time limit expire.
jest.mock("../../../testing/engine/process/realTimers", () => ({
  withRealTimers: <Result>(run: () => Promise<Result>) => run(),
  setTimeout: (callback: () => void, delayMs: number) => globalThis.setTimeout(callback, delayMs),
  clearTimeout: (timer: NodeJS.Timeout) => globalThis.clearTimeout(timer),
}));

const { stack, newStack } = openStacks();

test("inputs that the provider rejects fail preview and up, and nothing is deleted", async () => {
  await stack.deploy([thing("a"), thing("old")]);
  stack.declare([thing("a"), thing("b", { label: "" }, after("a"))]);

  const preview = await failure(stack.preview());
  expect(preview.message).toBe(
    `The preview failed:\n  error: ${urnOf("b")}: pulumi-nodejs:dynamic/things:Thing resource 'b' has a problem: label: must not be empty`,
  );
  const up = await failure(stack.up());
  expect(stepsOf(up.result)).toEqual(["same a"]);
  expect(stack.stateOf("old")).toBeDefined();
  expect(stack.stateOf("b")).toBeUndefined();
});

test("the error of a check, create, update, delete or read names its resource, and completed steps are kept", async () => {
  stack.declare([thing("a"), thing("b", { fail: "check" }, after("a"))]);
  expect(errorsOf(await failure(stack.up()))).toEqual(["b: the check broke"]);

  stack.declare([thing("a"), thing("b", { fail: "create" }, after("a")), thing("c", {}, after("b"))]);
  const created = await failure(stack.up());
  expect(errorsOf(created)).toEqual(["b: no room"]);
  expect(created.result.changes).toEqual({ same: 2 });

  expect(errorsOf(await failure(stack.deploy([thing("a", { fail: "update" })])))).toEqual(["a: too late"]);
  expect(stack.stateOf("a")?.inputs).not.toHaveProperty("fail");

  await stack.deploy([thing("a", { fail: "delete" })]);
  expect(errorsOf(await failure(stack.destroy()))).toEqual(["a: it is in use"]);
  expect(stack.stateOf("a")).toBeDefined();

  stack.declare([{ kind: "get", name: "g", inputs: { id: "nothing" } }]);
  expect(errorsOf(await failure(stack.preview()))).toEqual(["g: there is no thing nothing"]);
});

test("a resource that is created but not ready is saved, and the next up updates it even if it has not changed", async () => {
  stack.declare([thing("a", { fail: "init" })]);
  expect(errorsOf(await failure(stack.up()))).toEqual(["a: 1 error occurred:\n\t* still warming up"]);
  const outputs = { handle: "handle of a-1" };
  expect(stack.stateOf("a")).toMatchObject({ id: "a-1", initErrors: ["still warming up"], outputs });
  stack.calls();

  expect(errorsOf(await failure(stack.up()))).toHaveLength(1);
  expect(stack.calls()).toEqual(["configure ", "check a", "diff a-1", "update a-1"]);

  expect((await stack.deploy([thing("a")])).changes).toEqual({ same: 1, update: 1 });
  expect(stack.stateOf("a")).not.toHaveProperty("initErrors");
  // One that is not ready after an update keeps its old inputs.
  await failure(stack.deploy([thing("a", { size: 7, fail: "init" })]));
  expect(stack.stateOf("a")).toMatchObject({ inputs: { size: 1 }, outputs: { size: 7 } });
});

test("a program that throws fails with its own message, and nothing is deleted", async () => {
  await stack.deploy([thing("a"), thing("b")]);
  stack.declare([thing("a")], { fail: "the program broke" });
  const [error, ...others] = errorsOf(await failure(stack.up()));
  expect(error).toContain("the program broke");
  expect(others).toEqual(["The program failed; it reported its error above."]);
  expect(stack.stateOf("b")).toBeDefined();
});

test("two resources with the same name are rejected", async () => {
  stack.declare([thing("a"), thing("a")]);
  expect(errorsOf(await failure(stack.preview()))).toEqual([
    `a: There is more than one resource with the URN ${urnOf("a")}. Give it another name.`,
  ]);
});

test("a cancelled command ends and saves the operation in progress, and starts nothing else", async () => {
  const stack = newStack({}, OWN_HOSTS);
  const waiting = thing("b", { fail: "wait", ...note("a") });
  const up = failure(stack.deploy([thing("a"), waiting, thing("c", note("b"))]));
  await called(stack, "create b-1");
  stack.cancel();
  writeFileSync(join(stack.directory, "go.json"), "");
  expect(errorsOf(await up)).toEqual(["The command was cancelled."]);
  expect(stack.exportState().deployment).not.toHaveProperty("pending_operations");
  expect(["a", "b", "c"].map((name) => stack.stateOf(name)?.id)).toEqual(["a-1", "b-1", undefined]);
});

test.each([
  [
    "a killed host fails the operation in progress, as on a CLI, and leaves no pending operation",
    "killHosts",
    "b: error reading from server: EOF",
    [],
  ],
  [
    "a crash of the engine leaves a pending operation, and the next up creates the resource again",
    "crash",
    "The command was ended as by a crash.",
    [urnOf("b")],
  ],
] as const)("%s", async (_, end, error, pending) => {
  const stack = newStack({}, OWN_HOSTS);
  const up = failure(stack.deploy([thing("a"), thing("b", { fail: "hang", ...note("a") })]));
  await called(stack, "create b-1");
  stack[end]();
  expect(errorsOf(await up)).toEqual([error]);
  const { pending_operations: operations = [] } = stack.exportState().deployment;
  expect(operations).toMatchObject(pending.map((urn) => ({ type: "creating", resource: { urn } })));
  expect(stack.stateOf("a")).toBeDefined();
  expect(stack.stateOf("b")).toBeUndefined();

  const again = await stack.deploy([thing("a"), thing("b", note("a"))]);
  expect(again.changes).toEqual({ same: 2, create: 1 });
  const unknown = "The state has operations whose outcome is not known:";
  expect(again.diagnostics).toEqual(
    pending.map((urn) => ({
      severity: "warning",
      message: `${unknown} ${urn}, interrupted while creating.`,
    })),
  );
  expect(stack.stateOf("b")?.id).toBe("b-2");
});

test("a command that does not end fails after its time limit and reports what it waited for", async () => {
  const slow = newStack({ timeoutMs: 1_234_567 });
  using limits = holdTimers(1_234_567);
  const up = failure(slow.deploy([thing("a", { fail: "hang" })]));
  await called(slow, "create a-1");
  limits.expire();
  expect(errorsOf(await up)).toEqual([
    `The up did not end within 1234567 ms; it waited for create of ${urnOf("a")}.`,
  ]);
});

test("a program that does not exist is rejected with its path or the file names searched for", async () => {
  const absent = testStack({ program: join(programPath("things"), "absent") });
  await expect(absent).rejects.toThrow("There is no program at");
  writeFileSync(join(stack.directory, "package.json"), "{}");
  const empty = testStack({ program: stack.directory, project: "p" });
  await expect(empty).rejects.toThrow("looked for index.ts and index.js");
});

test("a second command is rejected while another one is running", async () => {
  stack.declare([thing("a")]);
  const preview = stack.preview();
  await expect(stack.preview()).rejects.toThrow("Another command of this stack is running.");
  await preview;
});
