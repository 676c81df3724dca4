/**
 * Text that is well-formed Unicode. JavaScript and JSON also allow half of a surrogate pair, which protobuf cannot
 * carry: the SDK drops some halves silently and sends others, on which the engine ends with an error of its own.
 */

/** What is wrong with other text, in words that follow its path. */
export const ILL_FORMED = "must be well-formed Unicode text: it contains half of a surrogate pair";

/** Where a plain value holds other text, as in `appleInfo.appName`. Outputs and promises in it are not looked into. */
export function illFormedPath(value: unknown): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : "";
  for (const [name, item] of entriesOf(value)) {
    const path = illFormedPath(item);
    if (path !== undefined) return `${name}${path === "" || path.startsWith("[") ? "" : "."}${path}`;
  }
  return undefined;
}

function entriesOf(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.map((item, index) => [`[${index}]`, item]);
  const isPlain =
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? Object.entries(value) : [];
}
