/** The names of properties in the language of the program, for messages about its declarations. */
import { readFileSync } from "node:fs";
import { projectFileOf } from "../projectFile";

/** Matches a project file with the runtime Python, in any form. A parser would be a dependency of the plugin. */
const PYTHON =
  /(?:^|[{,])\s*["']?runtime["']?\s*:\s*(\{\s*["']?name["']?\s*:\s*)?["']?python\b|^\s+["']?name["']?\s*:\s*["']?python["']?\s*,?\s*$/m;

/** Names a property as the program of a project does: in snake_case in Python, otherwise unchanged. */
export type PropertyNaming = (name: string) => string;

/** The naming of the project in or above a directory. Without a project file, names are unchanged. */
export function namingOf(directory: string): PropertyNaming {
  const file = projectFileOf(directory);
  const isPython = file !== undefined && PYTHON.test(readFileSync(file, "utf8"));
  return isPython ? inSnakeCase : (name) => name;
}

function inSnakeCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
