/** The files of a generated program. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ImportFile } from "../../testing/engine";

const TSC = resolve(__dirname, "..", "..", "node_modules", "typescript-native", "bin", "tsc");

/** Its import file. */
export function importFileIn(directory: string): ImportFile {
  return JSON.parse(readFileSync(join(directory, "import.json"), "utf8")) as ImportFile;
}

/** Its files, by name. */
export function filesIn(directory: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(directory, name), "utf8")] as const)
      .sort(),
  );
}

/** Compiles it. */
export function typeCheck(directory: string): void {
  execFileSync(process.execPath, [TSC, "--project", directory], { stdio: "pipe" });
}
