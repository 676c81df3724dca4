/** Writes several files atomically: all of them or none, and each one completely. */
import { constants, type Stats } from "node:fs";
import { access, cp, lstat, mkdir, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "../../provider/errors";
import { counted, enumerated } from "../../provider/values/phrases";

export interface WriteOptions {
  /** Whether existing files are replaced. Default: no; then nothing is written if one exists. */
  readonly force?: boolean | undefined;
  /** Whether to only check that the files can be written. Default: no. */
  readonly dryRun?: boolean | undefined;
}

/** How many existing files a message names. */
const MAX_NAMES_SHOWN = 5;

type Files = Readonly<Record<string, string>>;

/**
 * Writes files to a directory, which is created if it is missing. If one cannot be written, the previous content is
 * restored. Only a process that is killed while it moves the files into place leaves some of them.
 *
 * @param files their texts by name. A name may contain directories, separated by slashes; missing ones are created.
 * @throws UserError with the path that is in the way.
 */
export async function writeFiles(
  directory: string,
  files: Files,
  { force = false, dryRun = false }: WriteOptions = {},
): Promise<void> {
  try {
    const target = resolve(directory);
    const found = await present(stat(target));
    if (found === undefined) return dryRun ? undefined : await createDirectory(target, files);
    if (!found.isDirectory()) throw new UserError(`${directory} is a file. Specify a directory.`);
    const taken = await takenNames(target, Object.keys(files));
    if (taken.length > 0 && !force) throw alreadyThere(directory, taken);
    for (const name of taken) await requireReplaceable(join(target, name), join(directory, name));
    if (!dryRun) await replaceFiles(target, files, taken);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw failure(directory, error, "Nothing was changed.");
  }
}

function alreadyThere(directory: string, names: readonly string[]): UserError {
  const [first = "", ...others] = names;
  if (others.length === 0) {
    return new UserError(
      `${join(directory, first)} already exists, so nothing was written. Replace it with --force, or choose another path.`,
    );
  }
  const shown = names.slice(0, MAX_NAMES_SHOWN);
  const more = names.length - shown.length;
  return new UserError(
    `${directory} already has ${counted(names.length, "file")} with the same names, so nothing was written: ${enumerated([...shown, ...(more > 0 ? [`${more} more`] : [])])}. Replace them with --force, or choose another directory.`,
  );
}

function failure(directory: string, cause: unknown, state: string): UserError {
  return new UserError(`Writing to ${directory} failed: ${(cause as Error).message}. ${state}`, { cause });
}

/** The result of a `stat`, or undefined if nothing is there. */
async function present(stats: Promise<Stats>): Promise<Stats | undefined> {
  try {
    return await stats;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The names that exist, including broken symbolic links. */
async function takenNames(target: string, names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(names.map(async (name) => await present(lstat(join(target, name)))));
  return names.filter((_, index) => found[index] !== undefined);
}

async function requireReplaceable(path: string, shown: string): Promise<void> {
  const found = await lstat(path);
  if (found.isSymbolicLink()) return;
  if (!found.isFile()) {
    throw new UserError(
      `${shown} is not a file and cannot be replaced, so nothing was written. Move it, or choose another path.`,
    );
  }
  // On most systems, a rename would replace it anyway.
  await access(path, constants.W_OK).catch((error: unknown) => {
    throw new UserError(
      `${shown} is read-only, so nothing was written. Make it writable, or choose another path.`,
      { cause: error },
    );
  });
}

/** Creates the directory with its files, in one step. */
async function createDirectory(target: string, files: Files): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await withDraft(join(dirname(target), `.${basename(target)}-`), async (draft) => {
    // The draft itself has the permissions of a temporary directory.
    const whole = join(draft, "whole");
    await mkdir(whole);
    await writeAll(whole, files);
    await rename(whole, target);
  });
}

/** Moves the files into place one by one. If one fails, those before it are undone. */
async function replaceFiles(target: string, files: Files, taken: readonly string[]): Promise<void> {
  // Inside the target, which may be a mount point, because files cannot be renamed across file systems.
  await withDraft(join(target, ".dynamiclink-"), async (draft, keep) => {
    const [fresh, before] = [join(draft, "fresh"), join(draft, "before")];
    await mkdir(fresh);
    await mkdir(before);
    await writeAll(fresh, files);
    for (const name of taken) await cp(join(target, name), join(before, name), { verbatimSymlinks: true });
    const placed: string[] = [];
    const created: string[] = [];
    try {
      for (const name of Object.keys(files)) {
        const first = await mkdir(dirname(join(target, name)), { recursive: true });
        if (first !== undefined) created.push(first);
        await rename(join(fresh, name), join(target, name));
        placed.push(name);
      }
    } catch (cause) {
      const lost: string[] = [];
      for (const name of placed) {
        const restored = taken.includes(name)
          ? rename(join(before, name), join(target, name))
          : rm(join(target, name));
        await restored.catch(() => lost.push(name));
      }
      for (const path of created) await rm(path, { recursive: true, force: true });
      if (lost.length === 0) throw cause;
      keep();
      throw failure(
        target,
        cause,
        `The earlier content of ${lost.join(", ")} could not be restored; it is in ${before}.`,
      );
    }
  });
}

async function writeAll(directory: string, files: Files): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

/** Runs work with a temporary directory, which is removed afterwards unless `keep` is called. */
async function withDraft(
  prefix: string,
  work: (draft: string, keep: () => void) => Promise<void>,
): Promise<void> {
  const draft = await mkdtemp(prefix);
  let isKept = false;
  try {
    await work(draft, () => {
      isKept = true;
    });
  } finally {
    if (!isKept) await rm(draft, { recursive: true, force: true });
  }
}
