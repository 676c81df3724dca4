/** The directory of the compile cache: one that only the user can write to, or none. */
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileCache } from "../../../testing/engine/process/compileCache";
import { startNode } from "../../../testing/engine/process/nodeProcess";

const user = process.getuid?.() ?? -1;
const onUnix = process.platform === "win32" ? test.skip : test;

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "compile-cache-"));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

function path() {
  return join(parent, `pulumi-test-engine-cache-${user}`);
}

onUnix("the directory is created with access for the user only, and reused", () => {
  expect(compileCache({ parent })).toEqual({ NODE_COMPILE_CACHE: path() });
  expect(lstatSync(path()).mode & 0o777).toBe(0o700);
  writeFileSync(join(path(), "kept"), "");
  expect(compileCache({ parent })).toEqual({ NODE_COMPILE_CACHE: path() });
  expect(existsSync(join(path(), "kept"))).toBe(true);
});

onUnix.each([0o770, 0o702, 0o750, 0o705])("a directory with mode %o is not used", (mode) => {
  mkdirSync(path());
  chmodSync(path(), mode);
  expect(compileCache({ parent })).toEqual({});
});

onUnix("a directory is not used if other users can replace it", () => {
  chmodSync(parent, 0o777);
  expect(compileCache({ parent })).toEqual({});
  chmodSync(parent, 0o1777);
  expect(compileCache({ parent })).toEqual({ NODE_COMPILE_CACHE: path() });
});

test("no directory is used if it cannot be created", () => {
  expect(compileCache({ parent: join(parent, "absent") })).toEqual({});
});

test("the processes of the engine use this directory", async () => {
  const lines: string[] = [];
  const script = "console.log(JSON.stringify(process.env.NODE_COMPILE_CACHE ?? null)); process.exit();";
  const { NODE_COMPILE_CACHE: _, ...environment } = process.env;
  const { exited } = startNode(["--eval", script], {
    directory: process.cwd(),
    environment,
    onLine: (line, stream) => stream === "stdout" && lines.push(line),
  });
  await exited;
  expect(JSON.parse(lines.join("\n"))).toBe(compileCache().NODE_COMPILE_CACHE ?? null);
});
