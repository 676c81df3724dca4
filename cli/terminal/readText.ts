/** Reads a file that the user specified as text. */
import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { UserError } from "../../provider/errors";

/** In place of a file: standard input. */
const STANDARD_INPUT = "-";

/** Reads a file. @param stdin what the file `-` stands for. Default: a file of that name. @throws UserError with its name. */
export async function readText(file: string, stdin?: Readable): Promise<string> {
  const input = file === STANDARD_INPUT ? stdin : undefined;
  const subject = input === undefined ? file : titleOf(file);
  const content = await (input === undefined ? readFile(file) : buffer(input)).catch((error: Error) => {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UserError(
      code === "ENOENT" ? `There is no file ${subject}.` : `${subject} cannot be read: ${message}.`,
      { cause: error },
    );
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch (error) {
    throw new UserError(`${subject} is not UTF-8 text. Save it as UTF-8.`, { cause: error });
  }
}

/** The name of a file for messages, if `-` stands for standard input. */
export function titleOf(file: string): string {
  return file === STANDARD_INPUT ? "Standard input" : file;
}
