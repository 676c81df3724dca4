/** Files written as a whole: to a place beside the target first, then moved, so that none is ever half written. */
import { existsSync, statSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "../provider/userError";

/** Options of {@link writeFiles}. */
export interface WriteOptions {
  /** Whether files that exist are replaced. Default: no, and nothing is written when one exists. */
  readonly force?: boolean | undefined;
}

/**
 * Writes files into a directory, which is made where it is missing.
 *
 * @param files their texts by name.
 * @throws UserError that names the files which exist already.
 */
export async function writeFiles(
  directory: string,
  files: Readonly<Record<string, string>>,
  { force = false }: WriteOptions = {},
): Promise<void> {
  const target = resolve(directory);
  const names = Object.keys(files);
  const existing = names.filter((name) => existsSync(join(target, name)));
  if (existing.length > 0 && !force) {
    throw new UserError(
      `${existing.map((name) => join(directory, name)).join(", ")} exist${existing.length === 1 ? "s" : ""} already, so nothing was written. Name another place, or replace with --force.`,
    );
  }
  if (existsSync(target) && !statSync(target).isDirectory()) {
    throw new UserError(`${directory} is a file; name a directory.`);
  }
  await mkdir(dirname(target), { recursive: true });
  const draft = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(draft, name), text);
    await mkdir(target, { recursive: true });
    for (const name of names) await rename(join(draft, name), join(target, name));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
