/**
 * Where Node keeps compiled code between the processes of a test. Node runs what it finds there, so nobody but the
 * user may be able to write to it.
 */
import { lstatSync, mkdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const OTHERS_MAY_ACCESS = 0o077;
const OTHERS_MAY_WRITE = 0o022;
/** In a sticky directory, as `/tmp` is, only its owner and theirs may rename or delete what users create. */
const STICKY = 0o1000;
const ROOT = 0;

/**
 * The variable that names the directory. Empty, so that nothing is kept, where the directory or its parent could be
 * another user's, and on Windows, where files have neither the owner nor the mode that would show it.
 */
export function compileCache({
  parent = tmpdir(),
  user = process.getuid?.() ?? null,
}: {
  readonly parent?: string;
  readonly user?: number | null;
} = {}): { readonly NODE_COMPILE_CACHE?: string } {
  if (user === null) return {};
  const directory = join(parent, `pulumi-test-engine-cache-${user}`);
  try {
    createPrivately(directory);
    // Links are not followed: another user's could lead into any directory of this one.
    const found = lstatSync(directory);
    const isPrivate = found.isDirectory() && found.uid === user && (found.mode & OTHERS_MAY_ACCESS) === 0;
    return isPrivate && keepsItsEntries(parent, user) ? { NODE_COMPILE_CACHE: directory } : {};
  } catch {
    // A cache only saves time.
    return {};
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
