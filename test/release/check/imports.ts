/** Which file imports which, as the compiler sees it: imports of types count. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { preProcessFile } from "typescript";

export const ROOT = resolve(__dirname, "..", "..", "..");

/** The files of this repository that match a pattern, in the same order everywhere. */
export function filesIn(pattern: string): readonly string[] {
  return globSync(pattern, { cwd: ROOT }).sort();
}

/** The files that a file imports from, or mentions the types of. */
export function importsOf(file: string): string[] {
  const { importedFiles } = preProcessFile(readFileSync(join(ROOT, file), "utf8"));
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith("."))
    .flatMap(({ fileName }) => {
      const path = join(dirname(file), fileName);
      return [`${path}.ts`, join(path, "index.ts")].filter((one) => existsSync(join(ROOT, one)));
    });
}
