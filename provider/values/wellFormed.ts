/**
 * Finds text that is not well-formed Unicode. JavaScript and JSON also allow half of a surrogate pair, which protobuf
 * cannot encode: the SDK drops some halves silently and sends others, on which the engine fails with an error of its
 * own.
 */
import { membersOf, type Path } from "./walk";

/** The violation, as text that follows the path. */
export const ILL_FORMED = "must be well-formed Unicode text: it contains half of a surrogate pair";

/** The paths of ill-formed text in a plain value, such as `appleInfo.appName`. Outputs and promises are not inspected. */
export function illFormedPaths(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value === "string") return value.isWellFormed() ? [] : [path];
  return membersOf(value).flatMap(([step, member]) => illFormedPaths(member, [...path, step]));
}
