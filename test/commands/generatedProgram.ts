/** The files of a generated program. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { KindName } from "../../cli/objects/kinds";
import { programSource } from "../../cli/program/programSource";
import type { Properties } from "../../provider/lifecycle/properties";
import type { ImportFile } from "../../testing/engine";

const TSC = resolve(__dirname, "..", "..", "node_modules", "typescript-native", "bin", "tsc");

/** The files that `discover` writes, in this order. */
export const FILE_NAMES = ["Pulumi.yaml", "package.json", "tsconfig.json", "index.ts", "import.json"];

/** An import file. */
export function importFileAt(...path: readonly string[]): ImportFile {
  return JSON.parse(readFileSync(join(...path), "utf8")) as ImportFile;
}

/** The import file of a program. */
export function importFileIn(...directory: readonly string[]): ImportFile {
  return importFileAt(...directory, "import.json");
}

/** A declaration as the commands write it, by default of a protected object. Its format is in programSource.test.ts. */
export function declared(
  kind: KindName,
  name: string,
  inputs: Properties,
  {
    variable,
    options = { protect: true },
  }: { readonly variable?: string; readonly options?: Properties } = {},
): string {
  return programSource([{ kind, name, variable, inputs, options }]).replace(/^import .*\n\n/, "");
}

/** Writes a program of a user. */
export function writeProgram(directory: string, source: string): void {
  const files = {
    "Pulumi.yaml": "name: shops\nmain: index.ts\nruntime: {name: nodejs, options: {typescript: false}}\n",
    "package.json": JSON.stringify({ name: "shops", type: "module", main: "index.ts" }),
    "index.ts": source,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
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
