/** Everything that a command writes passes through one filter. */
import { PassThrough } from "node:stream";
import { consoleOf } from "../../../cli/terminal/console";

const KEY = "canary-key-of-the-console";

function open() {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const console = consoleOf({ environment: {}, stdin: new PassThrough(), stdout, stderr, exit: () => {} });
  return { console, written: () => [String(stdout.read() ?? ""), String(stderr.read() ?? "")] };
}

test.each([
  ["escape sequences", "a\u001b[2Jb\u009b1m", "a [2Jb 1m"],
  ["carriage returns", "a\rb\r\n", "a b \n"],
  ["text that changes direction", "a\u202eb", "ab"],
  ["commands of CI runners", "##vso[task.complete]\n::error::x", "# #vso[task.complete]\n: :error::x"],
])("%s are removed from results, and lines and columns stay", (_, text, expected) => {
  const { console, written } = open();
  console.print(`A  ${text}\n\tB\n`);
  expect(written()[0]).toBe(`A  ${expected}\n B\n`);
});

test("the key is removed from results and messages once it is known", () => {
  const { console, written } = open();
  console.hide(KEY);
  console.print(`${KEY} ${encodeURIComponent(KEY)}\n`);
  console.message("error", `a ${KEY}`, [KEY]);
  expect(written()).toEqual(["*** ***\n", "error: a ***\n  ***\n"]);
});

test.each([
  ["error", "error: a b\n  c\n"],
  ["warning", "warning: a b\n  c\n"],
  ["note", "a b\n  c\n"],
] as const)("the message of an %s has one line, and one for each detail", (severity, expected) => {
  const { console, written } = open();
  console.message(severity, " a\n  b\n", ["c"]);
  expect(written()).toEqual(["", expected]);
});
