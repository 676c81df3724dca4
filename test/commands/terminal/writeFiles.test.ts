/** Writing files to a new directory writes all of them or none. */
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import fs from "node:fs/promises";
import { join } from "node:path";
import { requireEmpty, writeFiles } from "../../../cli/terminal/writeFiles";
import { newDirectory } from "../directories";
import { filesIn } from "../generatedProgram";

const FILES = { "a.ts": "a", "b.ts": "b" };

afterEach(() => jest.restoreAllMocks());

test.each<[string, (directory: string) => void]>([
  ["that is empty", (directory) => mkdirSync(directory, { recursive: true })],
  [
    "that a symbolic link leads to",
    (directory) => {
      mkdirSync(`${directory}-target`, { recursive: true });
      symlinkSync(`${directory}-target`, directory);
    },
  ],
])("a directory %s gets the files", async (_, create) => {
  const directory = join(newDirectory(), "deep", "new");
  create(directory);
  await writeFiles(directory, FILES);
  expect(filesIn(directory)).toEqual(FILES);
});

test.each<[string, (directory: string) => void, RegExp]>([
  [
    "is not empty",
    (directory) => {
      mkdirSync(directory);
      symlinkSync("nowhere", join(directory, "a.ts"));
    },
    /new is not empty, so nothing was written\. Specify a new or an empty directory with --out\.$/,
  ],
  ["is a file", (directory) => writeFileSync(directory, ""), /ENOTDIR/],
])("nothing is written if the directory %s", async (_, create, message) => {
  const parent = newDirectory();
  const directory = join(parent, "new");
  create(directory);
  await expect(requireEmpty(directory)).rejects.toThrow(message);
  await expect(writeFiles(directory, FILES)).rejects.toThrow(message);
  expect(existsSync(join(parent, "nowhere"))).toBe(false);
  expect(existsSync(join(directory, "b.ts"))).toBe(false);
});

test.each([
  ["of a new directory, with the directory", false, []],
  ["of a directory that existed, which stays", true, []],
])("a file that cannot be written removes the others %s", async (_, exists, left) => {
  const parent = newDirectory();
  const directory = join(parent, "new");
  if (exists) mkdirSync(directory);
  const write = fs.writeFile;
  jest.spyOn(fs, "writeFile").mockImplementation(async (path, ...rest) => {
    if (String(path).endsWith("b.ts")) throw new Error("ENOSPC: no space left");
    await write(path, ...rest);
  });
  await expect(writeFiles(directory, FILES)).rejects.toThrow(
    /^Writing to .*new failed: ENOSPC: no space left\. Nothing was written\.$/,
  );
  expect(existsSync(directory) ? readdirSync(directory) : []).toEqual(left);
  expect(existsSync(directory)).toBe(exists);
});

test("a symbolic link that appears meanwhile is not followed", async () => {
  const directory = join(newDirectory(), "new");
  const make = fs.mkdir;
  jest.spyOn(fs, "mkdir").mockImplementation(async (path, options) => {
    const made = await make(path, options);
    symlinkSync("nowhere", join(directory, "a.ts"));
    return made;
  });
  await expect(writeFiles(directory, FILES)).rejects.toThrow(/EEXIST/);
  expect(existsSync(join(directory, "nowhere"))).toBe(false);
});
