/** Reads a file that the user specified as text. */
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { UserError } from "../../provider/errors";

/** In place of a file: standard input. */
const STANDARD_INPUT = "-";

/** More than any list or preview needs, and small enough for memory. */
const MAX_MEBIBYTES = 32;

export interface ReadOptions {
  /** What the file `-` stands for. Default: a file of that name. */
  readonly stdin?: Readable;
  /** The maximum size of the file. Default: 32. */
  readonly maxMebibytes?: number;
}

/** Reads a file. @throws UserError with the name of the file. */
export async function readText(
  file: string,
  { stdin, maxMebibytes = MAX_MEBIBYTES }: ReadOptions = {},
): Promise<string> {
  const input = file === STANDARD_INPUT ? stdin : undefined;
  const subject = input === undefined ? file : titleOf(file);
  const content = await contentOf(input ?? createReadStream(file), { subject, maxMebibytes });
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

/** Reads a stream up to the maximum size: a file may be an endless pipe or device. */
async function contentOf(
  source: Readable,
  { subject, maxMebibytes }: { readonly subject: string; readonly maxMebibytes: number },
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of source) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > maxMebibytes * 1024 * 1024) break;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UserError(
      code === "ENOENT" ? `There is no file ${subject}.` : `${subject} cannot be read: ${message}.`,
      { cause: error },
    );
  }
  if (bytes > maxMebibytes * 1024 * 1024)
    throw new UserError(`${subject} is larger than ${maxMebibytes} MiB, the limit of this command.`);
  return Buffer.concat(chunks);
}
