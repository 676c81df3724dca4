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

/** @throws RunError for an option that a function ignores: it would use another provider. */
export function requireOptions(name: string, options: object): void {
  const unknown = Object.keys(options ?? {}).find((option) => !OPTIONS.includes(option));
  if (unknown !== undefined)
    throw runError(`${unknown} is not an option of ${name}; allowed: ${OPTIONS.join(", ")}.`);
}

/** @throws RunError if options follow the first ones: a function without arguments is called as if it had some. */
export function requireNoArguments(name: string, given: ArrayLike<unknown> = []): void {
  if (given.length > 1)
    throw runError(`${name} has no arguments: pass the options first, as in ${name}({ provider }).`);
}
