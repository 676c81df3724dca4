/** The progress of a command, in a terminal. */
import { Writable } from "node:stream";
import { type Progress, processConsole, withProgress } from "../../../cli/terminal/console";

/** What is printed during the work, without escape sequences. */
async function printedBy(work: (progress: Progress) => unknown): Promise<string> {
  let text = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const stderr = Object.assign(stream, { isTTY: true, columns: 80 });
  return await withProgress({ ...processConsole, stderr }, "Reading", async (progress) => {
    work(progress);
    return text;
  });
}

test.each<[string, (progress: Progress) => unknown]>([
  ["not known", () => {}],
  ["zero", (progress) => progress.setTotal(0)],
])("there is no bar if the number of steps is %s", async (_, work) => {
  expect(await printedBy(work)).toBe("");
});

test("the bar starts empty", async () => {
  const printed = await printedBy((progress) => progress.setTotal(2));
  expect(printed).toContain("0 of 2");
  expect(printed).not.toContain("=");
});
