/** Reading the files that users give as text. */
import { join } from "node:path";
import { parseJson } from "../../../cli/terminal/json";
import { readText } from "../../../cli/terminal/readText";
import { fileWith, newDirectory } from "../directories";

test("a file is read as UTF-8, without a byte order mark, and may be empty", async () => {
  expect(await readText(fileWith("\ufefftype,name\n쇼핑 😀"))).toBe("type,name\n쇼핑 😀");
  expect(await readText(fileWith(""))).toBe("");
});

test("a file in Latin-1 is rejected, because its characters would be lost", async () => {
  const path = fileWith(Buffer.from("caf\u00e9", "latin1"));
  await expect(readText(path)).rejects.toThrow(`${path} is not UTF-8 text. Save it as UTF-8.`);
});

test("a missing file or a directory fails with one sentence", async () => {
  const directory = newDirectory();
  const absent = join(directory, "absent");
  await expect(readText(absent)).rejects.toThrow(`There is no file ${absent}.`);
  await expect(readText(directory)).rejects.toThrow(
    /^\S+ cannot be read: EISDIR: illegal operation on a directory, read\b.*\.$/,
  );
});

test.each([
  ['{"key": canary-1}', "list.json is not JSON: Unexpected token 'c'."],
  [`${" ".repeat(99)}canary-1${" ".repeat(99)}`, "list.json is not JSON: Unexpected token 'c'."],
  ['["canary-1"', /^list\.json is not JSON: [^"]*\.$/],
])("a text that is not JSON, such as %j, is rejected without being shown", (text, message) => {
  expect(() => parseJson(text, "list.json")).toThrow(message);
});
