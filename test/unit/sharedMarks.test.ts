/** Marks that the provider processes of a run share: which processes see them, for how long, and where they are stored. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sharedMarks } from "../../provider/hosts/sharedMarks";

let place: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "dynamiclink-marks-"));
});
afterEach(() => {
  rmSync(place, { recursive: true, force: true });
});

/** Starts a process that marks an object and runs until it is ended. */
async function marking(run: string, kind: string, mark: string) {
  const script = `
    const { sharedMarks } = require(${JSON.stringify(join(__dirname, "../../dist/provider/hosts/sharedMarks.js"))});
    sharedMarks(${JSON.stringify(run)}, ${JSON.stringify(kind)}).add(${JSON.stringify(mark)});
    console.log("marked");
    setInterval(() => {}, 60_000);
  `;
  const child = spawn(process.execPath, ["-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TMPDIR: place },
  });
  await once(child.stdout, "data");
  return {
    async end() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

// Windows has no file modes that show who owns a directory, so processes share nothing there.
const describeShared = process.getuid === undefined ? describe.skip : describe;

describeShared("marks", () => {
  test("are visible to every process of the run while the process that set them runs", async () => {
    const other = await marking("127.0.0.1:1", "held", "project a");
    expect(sharedMarks("127.0.0.1:1", "held", place).has("project a")).toBe(true);
    expect(sharedMarks("127.0.0.1:1", "held", place).has("project")).toBe(false);
    expect(sharedMarks("127.0.0.1:1", "kept", place).has("project a")).toBe(false);
    expect(sharedMarks("127.0.0.1:2", "held", place).has("project a")).toBe(false);
    await other.end();
    expect(sharedMarks("127.0.0.1:1", "held", place).has("project a")).toBe(false);
  });

  test("that a process deletes stay valid if another process has set them too", async () => {
    const marks = sharedMarks("127.0.0.1:1", "held", place);
    marks.add("project a");
    marks.delete("project a");
    marks.add("project b");
    expect(["project a", "project b"].map((mark) => marks.has(mark))).toEqual([false, true]);
    const seen = sharedMarks("127.0.0.1:1", "held", place);
    expect(["project a", "project b"].map((mark) => seen.has(mark))).toEqual([false, true]);
    const other = await marking("127.0.0.1:1", "held", "project a");
    expect([marks, seen].map((each) => each.has("project a"))).toEqual([true, true]);
    await other.end();
  });

  test("of killed processes are removed by the next process that sets a mark", async () => {
    await (await marking("127.0.0.1:1", "held", "project a")).end();
    sharedMarks("127.0.0.1:2", "held", place).add("project b");
    const directory = join(place, readdirSync(place)[0] as string);
    expect(readdirSync(directory).map((name) => name.split("-").at(-1))).toEqual([String(process.pid)]);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  test.each([
    ["is a link", (path: string) => symlinkSync(place, path)],
    [
      "is open to others",
      (path: string) => {
        mkdirSync(path);
        chmodSync(path, 0o770);
      },
    ],
  ])("stay in the process when the directory %s", async (_name, occupy) => {
    occupy(join(place, `pulumi-dynamiclink-runs-${process.getuid?.()}`));
    const marks = sharedMarks("127.0.0.1:1", "held", place);
    marks.add("project a");
    expect(marks.has("project a")).toBe(true);
    expect(sharedMarks("127.0.0.1:1", "held", place).has("project a")).toBe(false);
  });
});
