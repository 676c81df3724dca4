/** Creates directories for temporary files that no other user of the machine can read or write. */
import { lstatSync, mkdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const OTHERS_MAY_ACCESS = 0o077;
const OTHERS_MAY_WRITE = 0o022;
/** In a sticky directory such as `/tmp`, only its owner and the owner of an entry may rename or delete the entry. */
const STICKY = 0o1000;
const ROOT = 0;

/**
 * Returns a directory that only this user can access, and creates it if necessary. Undefined if another user may
 * control it or its parent, if it cannot be created, and on Windows, where files have no owner and mode to verify.
 *
 * @param name the name of the directory; the user ID is appended.
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
    // Links are not followed: a link of another user could point to any directory of this user.
    const found = lstatSync(directory);
    const isPrivate = found.isDirectory() && found.uid === user && (found.mode & OTHERS_MAY_ACCESS) === 0;
    return isPrivate && protectsEntries(parent, user) ? directory : undefined;
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

/** Whether no other user can replace a directory that this user has created in the parent. */
function protectsEntries(parent: string, user: number): boolean {
  const { uid, mode } = statSync(parent);
  return [ROOT, user].includes(uid) && ((mode & OTHERS_MAY_WRITE) === 0 || (mode & STICKY) !== 0);
}
