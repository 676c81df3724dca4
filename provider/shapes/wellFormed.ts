/**
 * Finds text that is not well-formed Unicode. JavaScript and JSON also allow half of a surrogate pair, which protobuf
 * cannot encode: the SDK drops some halves silently and sends others, on which the engine fails with an error of its
 * own.
 */

/** The violation, as text that follows the path. */
export const ILL_FORMED = "must be well-formed Unicode text: it contains half of a surrogate pair";

/**
 * The path of the first ill-formed text in a plain value, such as `appleInfo.appName`; undefined if there is none.
 * Outputs and promises are not inspected.
 */
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
