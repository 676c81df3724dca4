/** The reference pages match the code. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { indexes, referencePages } from "../../scripts/referencePages";

const ROOT = resolve(__dirname, "..", "..");
const DOCS = join(ROOT, "docs");
const pages = referencePages();

test.each([...pages])("docs/%s is up to date with `npm run docs`", (path, text) => {
  expect(existsSync(join(DOCS, path)) ? readFileSync(join(DOCS, path), "utf8") : "").toBe(text);
});

test.each([...indexes()])("%s is up to date with `npm run docs`", (path, text) => {
  expect(readFileSync(join(ROOT, path), "utf8")).toBe(text);
});

test("every reference page belongs to a resource or function", () => {
  const committed = ["resources", "functions"].flatMap((directory) =>
    readdirSync(join(DOCS, directory)).map((file) => `${directory}/${file}`),
  );
  expect(committed.filter((path) => !pages.has(path))).toEqual([]);
});

test("every field has a description for users", () => {
  for (const [path, text] of pages) {
    expect({ path, empty: text.split("\n").filter((line) => /^\|.*\| {1,2}\|$/.test(line)) }).toEqual({
      path,
      empty: [],
    });
    expect(text).not.toMatch(/Reference \d|@link|undefined/);
  }
});
