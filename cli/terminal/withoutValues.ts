/**
 * Removes from an error of the command-line parser what the user has typed, except the name of an option: it may be a
 * key, as in `--api-key=…`.
 */
export function withoutValues(message: string): string {
  return message
    .replace(/unknown option '(--[a-z-]+|-[a-z])?.*'/is, (_, name = "") => `unknown option '${name}'`)
    .replace(/(unknown command|argument|value) '.*'(?=$|\n| is invalid)/is, "$1");
}
