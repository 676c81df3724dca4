/** JSON in files and in the output of commands. */
import { UserError } from "../../provider/errors";

/**
 * Characters that are invisible, change the direction of text, or could begin a command of a CI runner, such as
 * `##vso[…]`. The exceptions are the variation selectors of emoji.
 */
const ESCAPED =
  /[[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\p{Cc}\p{Co}]--[\u{fe00}-\u{fe0f}\n]]|#(?=#\w*\[)/gv;

/** A value as JSON that people can read and terminals can show. Programs can contain it as source text. */
export function jsonText(value: unknown, indent?: number): string {
  const inUnits = (text: string) =>
    text.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return JSON.stringify(value, null, indent).replaceAll(ESCAPED, inUnits);
}

export function jsonDocument(value: unknown): string {
  return `${jsonText(value, 2)}\n`;
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
