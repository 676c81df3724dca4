/** The files of a generated program. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { KindName } from "../../cli/objects/kinds";
import { programSource } from "../../cli/program/programSource";
import type { Properties } from "../../provider/lifecycle/properties";

const TSC = resolve(__dirname, "..", "..", "node_modules", "typescript-native", "bin", "tsc");

export const FILE_NAMES = ["Pulumi.yaml", "package.json", "tsconfig.json", "index.ts"];

/** A declaration as `discover` writes it. Its format is in programSource.test.ts. */
export function declared(
  kind: KindName,
  name: string,
  uuid: string,
  { variable, ...inputs }: Properties & { readonly variable?: string },
): string {
  const source = programSource([{ kind, name, variable, inputs, options: { import: uuid } }]);
  return source.replace(/^import .*\n\n/, "");
}

export function filesIn(directory: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(directory, name), "utf8")] as const)
      .sort(),
  );
}

export function typeCheck(directory: string): void {
  execFileSync(process.execPath, [TSC, "--project", directory], { stdio: "pipe" });
}
