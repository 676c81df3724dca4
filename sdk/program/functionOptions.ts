/** The options of functions, which nothing else checks in a program whose types are not checked. */
import { runError } from "./runError";

/** Pulumi's options. Those that concern only a plugin have no effect on the dynamic host. */
const OPTIONS: readonly string[] = [
  "provider",
  "parent",
  "dependsOn",
  "async",
  "version",
  "pluginDownloadURL",
];

/**
 * Requires that a function gets options, and none that it ignores: it would use another provider.
 *
 * @param others what follows the options. A function without arguments may be called as if it had some.
 * @throws RunError
 */
export function requireOptions(name: string, options: object, others: readonly unknown[] = []): void {
  if (others.length > 0)
    throw runError(`${name} has no arguments: pass the options first, as in ${name}({ provider }).`);
  const unknown = Object.keys(options ?? {}).find((option) => !OPTIONS.includes(option));
  if (unknown !== undefined)
    throw runError(`${unknown} is not an option of ${name}; allowed: ${OPTIONS.join(", ")}.`);
}
