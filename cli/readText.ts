/** A file that the user named, as text. */
import { readFile } from "node:fs/promises";
import { UserError } from "../provider/userError";

/** Reads it. @throws UserError that names the file. */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UserError(
      code === "ENOENT" ? `There is no file ${file}.` : `${file} cannot be read: ${message}.`,
      { cause: error },
    );
  }
}
