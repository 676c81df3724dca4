/** Programs of tests in temporary directories. */
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { directoryWith, type ProgramDirectory } from "../../package/unpackedProgram";

const MODULES = resolve(__dirname, "..", "..", "..", "node_modules");

/** Creates a directory with these files, by path, that resolves the packages of this checkout. */
export function programWith(files: Readonly<Record<string, string>>): ProgramDirectory {
  const directory = directoryWith(files);
  symlinkSync(MODULES, join(directory.path, "node_modules"));
  return directory;
}
