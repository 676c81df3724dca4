/** Reads a file that the user specified as text. */
import { createReadStream } from "node:fs";
import { UserError } from "../provider/lifecycle/errors";

/** More than any list or preview needs, and small enough for memory. */
const MAX_MEBIBYTES = 32;

/** Reads a file. @throws UserError with the name of the file. */
export async function readText(file: string): Promise<string> {
  const content = await beginningOf(file, MAX_MEBIBYTES * 1024 * 1024 + 1);
  if (content.length > MAX_MEBIBYTES * 1024 * 1024) {
    throw new UserError(`${file} is larger than ${MAX_MEBIBYTES} MiB, the limit of this command. Split it.`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch (error) {
    throw new UserError(`${file} is not UTF-8 text. Save it as UTF-8.`, { cause: error });
  }
}

/** Reads the first bytes of a file, which may be an endless pipe or device. */
async function beginningOf(file: string, length: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(file, { end: length - 1 })) chunks.push(chunk as Buffer);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UserError(
      code === "ENOENT" ? `There is no file ${file}.` : `${file} cannot be read: ${message}.`,
      { cause: error },
    );
  }
  return Buffer.concat(chunks);
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
