/** Writes files: all of them, or none. */
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../provider/errors";

/** Requires that nothing is in a directory, or that it does not exist. @throws UserError */
export async function requireEmpty(directory: string): Promise<void> {
  const name = await readdir(directory).then(
    ([first]) => first,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw failure(directory, error);
      return undefined;
    },
  );
  if (name !== undefined)
    throw new UserError(
      `${directory} is not empty, so nothing was written. Specify a new or an empty directory with --out.`,
    );
}

/**
 * Writes files to a directory that {@link requireEmpty} accepts. If one cannot be written, those before it are removed.
 *
 * @param files their texts by name.
 */
export async function writeFiles(directory: string, files: Readonly<Record<string, string>>): Promise<void> {
  await requireEmpty(directory);
  const created: string[] = [];
  try {
    const first = await mkdir(directory, { recursive: true });
    if (first !== undefined) created.push(first);
    for (const [name, text] of Object.entries(files)) {
      const path = join(directory, name);
      // Fails if something has the name by now, also a symbolic link.
      await writeFile(path, text, { flag: "wx" });
      created.push(path);
    }
  } catch (error) {
    for (const path of created.reverse()) await rm(path, { recursive: true, force: true });
    throw failure(directory, error);
  }
}

/** Replaces the text of a file: all of it, or nothing. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  try {
    await writeFile(draft, text, { flag: "wx" });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw failure(file, error);
  }
}

function failure(directory: string, cause: unknown): UserError {
  const reason = (cause as Error).message;
  return new UserError(`Writing to ${directory} failed: ${reason}. Nothing was written.`, { cause });
}
