/** Directories in which commands run. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Directory, programWith } from "../release/package/programs";

/** A new directory in which programs find their packages; removed after the tests of a file. */
export function newDirectory(): string {
  const directory = programWith({});
  directories.push(directory);
  return directory.path;
}

/** A new file with a text, or a value as JSON; in a directory of its own. */
export function fileWith(content: string | Buffer | object, name = "state.json"): string {
  const path = join(newDirectory(), name);
  const isText = typeof content === "string" || Buffer.isBuffer(content);
  writeFileSync(path, isText ? content : JSON.stringify(content));
  return path;
}

const directories: Directory[] = [];

afterAll(() => {
  for (const directory of directories.splice(0)) directory.remove();
});
