/** JSON in files and in the output of commands. */
import { UserError } from "../../provider/errors";

/** A value as JSON that people can read. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Parses JSON. @throws UserError with the subject, but without any of the text, which may contain a key. */
export function parseJson(text: string, subject: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = (error as Error).message.replace(/, (\.\.\.)?".*$/s, "");
    throw new UserError(`${subject} is not JSON: ${reason}.`);
  }
}
