/** Writing several files writes all of them or none. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import fs from "node:fs/promises";
import { join } from "node:path";
import { writeFiles } from "../../../cli/terminal/writeFiles";
import { newDirectory } from "../directories";

const NEW = { "a.ts": "new a", "b.ts": "new b", "c.ts": "new c" };

/** The content of a directory: the text of each file, and the kind of anything else. */
function contentOf(directory: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(directory, { withFileTypes: true })
      .filter(({ name }) => name !== "node_modules")
      .map((entry) => {
        if (entry.isDirectory()) return [entry.name, "directory"];
        if (entry.isSymbolicLink()) return [entry.name, "link"];
        return [entry.name, readFileSync(join(directory, entry.name), "utf8")];
      }),
  );
}

afterEach(() => jest.restoreAllMocks());

/** Makes a rename fail, as on Windows for a file that another program has open. */
function failingRename(failsFor: (to: string) => boolean): void {
  const rename = fs.rename;
  jest.spyOn(fs, "rename").mockImplementation(async (from, to) => {
    if (failsFor(String(to))) throw Object.assign(new Error("EBUSY: in use"), { code: "EBUSY" });
    await rename(from, to);
  });
}

test("a new directory appears with all its files, with the permissions of any new directory", async () => {
  const parent = newDirectory();
  mkdirSync(join(parent, "made"));
  await writeFiles(join(parent, "deep", "estate"), NEW);
  expect(contentOf(join(parent, "deep", "estate"))).toEqual(NEW);
  expect(readdirSync(join(parent, "deep"))).toEqual(["estate"]);
  expect(statSync(join(parent, "deep", "estate")).mode).toBe(statSync(join(parent, "made")).mode);
});

test("a directory that exists gets the files, and keeps its other files", async () => {
  const directory = newDirectory();
  writeFileSync(join(directory, "other"), "kept");
  await writeFiles(directory, NEW);
  expect(contentOf(directory)).toEqual({ ...NEW, other: "kept" });
});

test("files in directories are written with their directories, or not at all", async () => {
  const files = { "europe/a.ts": "a", "europe/deep/b.ts": "b", "asia/c.ts": "c" };
  const texts = (directory: string) =>
    Object.fromEntries(Object.keys(files).map((name) => [name, readFileSync(join(directory, name), "utf8")]));
  const parent = newDirectory();
  await writeFiles(join(parent, "new"), files);
  expect(texts(join(parent, "new"))).toEqual(files);

  const directory = join(parent, "existing");
  mkdirSync(join(directory, "asia"), { recursive: true });
  writeFileSync(join(directory, "asia", "mine"), "kept");
  failingRename((to) => to.endsWith("c.ts"));
  await expect(writeFiles(directory, files)).rejects.toThrow(/failed: EBUSY.* Nothing was changed\.$/);
  expect(readdirSync(directory)).toEqual(["asia"]);
  expect(readdirSync(join(directory, "asia"))).toEqual(["mine"]);
  jest.restoreAllMocks();
  await writeFiles(directory, files);
  expect(texts(directory)).toEqual(files);
  await expect(writeFiles(directory, files)).rejects.toThrow(
    `${directory} already has 3 files with the same names, so nothing was written: europe/a.ts, europe/deep/b.ts and asia/c.ts. Replace them with --force, or choose another directory.`,
  );
});

test("with force, files are replaced", async () => {
  const directory = newDirectory();
  writeFileSync(join(directory, "b.ts"), "old b");
  await writeFiles(directory, NEW, { force: true });
  expect(contentOf(directory)).toEqual(NEW);
});

test("of many existing files, the message names the first", async () => {
  const directory = newDirectory();
  const files = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`${index}.ts`, ""]));
  await writeFiles(directory, files);
  await expect(writeFiles(directory, files)).rejects.toThrow(
    "12 files with the same names, so nothing was written: 0.ts, 1.ts, 2.ts, 3.ts, 4.ts and 7 more. Replace",
  );
});

test("a dry run writes nothing", async () => {
  const directory = newDirectory();
  await writeFiles(join(directory, "new"), NEW, { dryRun: true });
  await writeFiles(directory, NEW, { dryRun: true });
  expect(contentOf(directory)).toEqual({});
});

// Root can write to every file.
const isRoot = process.getuid?.() === 0;
const onlyUnprivileged = isRoot ? test.skip : test;
const ALREADY = /already has 2 files with the same names, so nothing was written: b\.ts and c\.ts\. /;
const NO_FILE = /c\.ts is not a file and cannot be replaced, so nothing was written\. Move it, /;

type Refusal = [string, Parameters<typeof writeFiles>[2], (path: string) => unknown, RegExp];
const READ_ONLY: Refusal = [
  "a read-only file, with force",
  { force: true },
  (path) => writeFileSync(path, "old c", { mode: 0o400 }),
  /c\.ts is read-only, so nothing was written\. Make it writable, /,
];

test.each<Refusal>([
  ["a dangling link, without force", {}, (path) => symlinkSync(`${path}x`, path), ALREADY],
  ["a directory, in a dry run", { dryRun: true }, mkdirSync, ALREADY],
  ["a directory, with force", { force: true }, mkdirSync, NO_FILE],
  ["a directory, in a dry run with force", { force: true, dryRun: true }, mkdirSync, NO_FILE],
  ...(isRoot ? [] : [READ_ONLY]),
])("nothing is written if one file exists and another is %s", async (_, options, prepare, message) => {
  const directory = newDirectory();
  writeFileSync(join(directory, "b.ts"), "old b");
  prepare(join(directory, "c.ts"));
  const before = contentOf(directory);
  await expect(writeFiles(directory, NEW, options)).rejects.toThrow(message);
  expect(contentOf(directory)).toEqual(before);
});

onlyUnprivileged("a directory that is not writable fails with one sentence", async () => {
  const directory = newDirectory();
  chmodSync(directory, 0o500);
  await expect(writeFiles(directory, NEW)).rejects.toThrow(
    /^Writing to \S+ failed: EACCES: .*\. Nothing was changed\.$/,
  );
  chmodSync(directory, 0o700);
});

test("a file instead of the directory is rejected", async () => {
  const file = join(newDirectory(), "estate");
  writeFileSync(file, "kept");
  await expect(writeFiles(file, NEW)).rejects.toThrow(`${file} is a file. Specify a directory.`);
  await expect(writeFiles(join(file, "deeper"), NEW)).rejects.toThrow(
    /^Writing to \S+ failed: ENOTDIR: .*\. Nothing was changed\.$/,
  );
  expect(readFileSync(file, "utf8")).toBe("kept");
});

test("when replacing a file fails, the files before it are restored and new ones are removed", async () => {
  const directory = newDirectory();
  writeFileSync(join(directory, "a.ts"), "old a");
  writeFileSync(join(directory, "c.ts"), "old c");
  failingRename((to) => to === join(directory, "c.ts"));
  await expect(writeFiles(directory, NEW, { force: true })).rejects.toThrow(
    `Writing to ${directory} failed: EBUSY: in use. Nothing was changed.`,
  );
  expect(contentOf(directory)).toEqual({ "a.ts": "old a", "c.ts": "old c" });
});

test("a file that cannot be restored is kept, and the message says where", async () => {
  const directory = newDirectory();
  writeFileSync(join(directory, "a.ts"), "old a");
  writeFileSync(join(directory, "c.ts"), "old c");
  let renames = 0;
  failingRename(() => {
    renames += 1;
    return renames > 1;
  });
  const message = await writeFiles(directory, NEW, { force: true }).catch((error: Error) => error.message);
  const [, kept = ""] =
    /^Writing to \S+ failed: EBUSY: in use\. The earlier content of a\.ts could not be restored; it is in (\S+)\.$/.exec(
      String(message),
    ) ?? [];
  expect(readFileSync(join(kept, "a.ts"), "utf8")).toBe("old a");
});

test("a link is replaced by the file, and its target is unchanged", async () => {
  const directory = newDirectory();
  writeFileSync(join(directory, "elsewhere"), "kept");
  symlinkSync(join(directory, "elsewhere"), join(directory, "a.ts"));
  await writeFiles(directory, NEW, { force: true });
  expect(lstatSync(join(directory, "a.ts")).isFile()).toBe(true);
  expect(contentOf(directory)).toEqual({ ...NEW, elsewhere: "kept" });
});
