/** A file that the user named, as text. */
import { createReadStream } from "node:fs";
import { UserError } from "../provider/lifecycle/errors";

/** More than any list or preview has, and little enough to be held in memory. */
const MAX_MEBIBYTES = 32;

/** Reads it. @throws UserError that names the file. */
export async function readText(file: string): Promise<string> {
  const content = await beginningOf(file, MAX_MEBIBYTES * 1024 * 1024 + 1);
  if (content.length > MAX_MEBIBYTES * 1024 * 1024) {
    throw new UserError(
      `${file} is larger than ${MAX_MEBIBYTES} MiB, which is more than this command reads. Split it.`,
    );
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch (error) {
    throw new UserError(`${file} is not UTF-8 text. Save it as UTF-8.`, { cause: error });
  }
}

/** Its first bytes: what is read may be a pipe or a device that never ends. */
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

/** The value of a JSON text. @throws UserError that names the text, and repeats nothing of it: it may hold a key. */
export function parseJson(text: string, subject: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = (error as Error).message.replace(/, (\.\.\.)?".*$/s, "");
    throw new UserError(`${subject} is not JSON: ${reason}.`);
  }
}
