/** Finds the file of a Pulumi project, and the native plugin in it. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRecord } from "../values/walk";
import { PACKAGE_NAME } from "./nativeNames";

/** The names of a project file, in Pulumi's order. */
const PROJECT_FILES = ["Pulumi.json", "Pulumi.yaml", "Pulumi.yml"];

/** The project file in a directory. */
export function projectFileIn(directory: string): string | undefined {
  return PROJECT_FILES.map((name) => join(directory, name)).find(existsSync);
}

/** The project file of a program, as Pulumi finds it: in its directory or in one above it. */
export function projectFileOf(directory: string): string | undefined {
  const parent = dirname(directory);
  return projectFileIn(directory) ?? (parent === directory ? undefined : projectFileOf(parent));
}

/** Whether a project names the native plugin: under `plugins`, or under `packages`. */
export function namesPlugin({ plugins, packages }: Readonly<Record<string, unknown>>): boolean {
  const providers = isRecord(plugins) ? plugins.providers : undefined;
  return (
    (Array.isArray(providers) && providers.some((one) => isRecord(one) && one.name === PACKAGE_NAME)) ||
    (isRecord(packages) && Object.hasOwn(packages, PACKAGE_NAME))
  );
}
