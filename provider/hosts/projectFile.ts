/** Finds the file of a Pulumi project. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

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
