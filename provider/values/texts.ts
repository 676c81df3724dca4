/** Finds text that would not reach the service as the program means it. */
import { membersOf, type Path } from "./walk";

// JavaScript and JSON also allow half of a surrogate pair, which protobuf cannot encode: the SDK drops some halves silently
// and sends others, on which the engine fails with an error of its own.
const ILL_FORMED = "must be well-formed Unicode text: it contains half of a surrogate pair";

/** What Pulumi's SDKs return when an Output is converted to text: in a template literal, as JSON or in an f-string. */
const OUTPUT_TEXT = /Calling \S+ on an \[?Output\b/;

const FROM_OUTPUT =
  "contains an Output that became text before its value was known: use pulumi.interpolate, or in Python pulumi.Output.format";

export interface TextProblem {
  readonly path: Path;
  /** What is wrong, as text that follows the path. */
  readonly reason: string;
  /** The text itself, if it helps to find its place in the program. */
  readonly text?: string;
}

/** The problems of all text in a plain value, at any depth. Outputs and promises are not inspected. */
export function textProblems(value: unknown, path: Path = []): readonly TextProblem[] {
  if (typeof value !== "string")
    return membersOf(value).flatMap(([step, member]) => textProblems(member, [...path, step]));
  if (OUTPUT_TEXT.test(value)) return [{ path, reason: FROM_OUTPUT }];
  return value.isWellFormed() ? [] : [{ path, reason: ILL_FORMED, text: value }];
}
