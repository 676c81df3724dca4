/** The names of properties in the language of the program, for messages about its declarations. */
import { projectFileOf, runsPython } from "../projectFile";

/** Names a property as the program of a project does: in snake_case in Python, otherwise unchanged. */
export type PropertyNaming = (name: string) => string;

/** The naming of the project in or above a directory. Without a project file, names are unchanged. */
export function namingOf(directory: string): PropertyNaming {
  const file = projectFileOf(directory);
  return file !== undefined && runsPython(file) ? inSnakeCase : (name) => name;
}

function inSnakeCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
