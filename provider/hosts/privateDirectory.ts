/** Directories for temporary files that no other user of the machine can read or write. */
import { lstatSync, mkdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const OTHERS_MAY_ACCESS = 0o077;
const OTHERS_MAY_WRITE = 0o022;
/** In a sticky directory, as `/tmp` is, only its owner and theirs may rename or delete what users create. */
const STICKY = 0o1000;
const ROOT = 0;

/**
 * A directory of this user alone, created when it is missing. Undefined where it or its parent could be another
 * user's, where it cannot be created, and on Windows, where files have neither the owner nor the mode that would show
 * it.
 *
 * @param name what the directory is for; the user's number is appended.
 */
export function privateDirectory(
  name: string,
  {
    parent = tmpdir(),
    user = process.getuid?.() ?? null,
  }: { readonly parent?: string; readonly user?: number | null } = {},
): string | undefined {
  if (user === null) return undefined;
  const directory = join(parent, `${name}-${user}`);
  try {
    createPrivately(directory);
    // Links are not followed: another user's could lead into any directory of this one.
    const found = lstatSync(directory);
    const isPrivate = found.isDirectory() && found.uid === user && (found.mode & OTHERS_MAY_ACCESS) === 0;
    return isPrivate && keepsItsEntries(parent, user) ? directory : undefined;
  } catch {
    return undefined;
  }
}

function createPrivately(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Whether no other user can put another directory in the place of one that this user has in it. */
function keepsItsEntries(parent: string, user: number): boolean {
  const { uid, mode } = statSync(parent);
  return [ROOT, user].includes(uid) && ((mode & OTHERS_MAY_WRITE) === 0 || (mode & STICKY) !== 0);
}
