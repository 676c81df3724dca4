/** Checks the names of options. */
import { suggestion } from "../../../provider/shapes/nearestName";

/**
 * Requires that all options exist. A misspelt one would have no effect, and only TypeScript would report it.
 *
 * @throws Error that names the option, and those that exist.
 */
export function requireKnownOptions(command: string, options: object, known: object): void {
  const names = Object.keys(known);
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    throw new Error(
      `${name} is not an option of ${command}; allowed: ${names.join(", ")}${suggestion(name, names)}`,
    );
  }
}
