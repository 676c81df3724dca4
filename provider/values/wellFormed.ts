/**
 * Finds text that is not well-formed Unicode. JavaScript and JSON also allow half of a surrogate pair, which protobuf
 * cannot encode: the SDK drops some halves silently and sends others, on which the engine fails with an error of its
 * own.
 */
import { membersOf, type Path, pathText } from "./walk";

/** The violation, as text that follows the path. */
export const ILL_FORMED = "must be well-formed Unicode text: it contains half of a surrogate pair";

/**
 * The path of the first ill-formed text in a plain value, such as `appleInfo.appName`; undefined if there is none.
 * Outputs and promises are not inspected.
 */
export function illFormedPath(value: unknown): string | undefined {
  const steps = stepsToIllFormed(value);
  return steps && pathText(steps);
}

function stepsToIllFormed(value: unknown): Path | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : [];
  for (const [step, member] of membersOf(value)) {
    const steps = stepsToIllFormed(member);
    if (steps !== undefined) return [step, ...steps];
  }
  return undefined;
}
