/** The reference pages match the code. */

import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generatedFiles } from "../../../scripts/referencePages";
import { ROOT } from "../package/unpackedProgram";

const files = generatedFiles();

test.each([...files])("%s is up to date with `npm run docs`", (path, text) => {
  const file = join(ROOT, path);
  expect(existsSync(file) ? readFileSync(file, "utf8") : "").toBe(text);
});

test("every page of a resource belongs to one", () => {
  const committed = globSync("docs/resources/*", { cwd: ROOT });
  expect(committed.length).toBeGreaterThan(0);
  expect(committed.filter((path) => !files.has(path.replaceAll("\\", "/")))).toEqual([]);
});

test.each([...files].filter(([path]) => path.startsWith("docs/")))(
  "every field in %s has a description for users",
  (_path, text) => {
    expect(text.split("\n").filter((line) => /^\|.*\| {1,2}\|$/.test(line))).toEqual([]);
    expect(text).not.toMatch(/Reference \d|@link|(?<!`)undefined/);
  },
);
