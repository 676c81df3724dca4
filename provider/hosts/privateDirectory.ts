/** Creates directories for temporary files that no other user of the machine can read or write. */
import { lstatSync, mkdirSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join, relative } from "node:path";
import { reasonOf } from "../errors";

const OTHERS_MAY_ACCESS = 0o077;
const OTHERS_MAY_WRITE = 0o022;
/** In a sticky directory such as `/tmp`, only its owner and the owner of an entry may rename or delete the entry. */
const STICKY = 0o1000;
const ROOT = 0;

/** Where {@link privateDirectory} looks, for tests. Default: what the system says. */
export interface PrivateDirectoryOptions {
  readonly parent?: string | undefined;
  /** The ID of this user. Null on Windows, where files have no owner and mode to verify. */
  readonly user?: number | null;
  /** The home directory of this user. */
  readonly home?: string;
}

/** A directory cannot be used, because another user may control it or because it cannot be created. */
export class DirectoryError extends Error {
  constructor(
    readonly directory: string,
    /** Why, as a clause, such as `it belongs to another user`. */
    readonly reason: string,
  ) {
    super(`${directory}: ${reason}`);
  }
}

/**
 * Returns a directory that only this user can access, and creates it if necessary.
 *
 * On Windows, only this user and administrators can access files in the user's profile, where the directory for
 * temporary files is by default.
 *
 * @param name the name of the directory; the user ID is appended.
 * @throws DirectoryError if another user may control it or its parent, or if it cannot be created.
 */
export function privateDirectory(
  name: string,
  { parent = tmpdir(), user = process.getuid?.() ?? null, home = homedir() }: PrivateDirectoryOptions = {},
): string {
  const directory = join(parent, user === null ? name : `${name}-${user}`);
  try {
    if (user === null && !isInside(home, parent))
      throw new DirectoryError(directory, `it is not in the profile of this user, ${home}`);
    createPrivately(directory);
    if (user === null) return directory;
    requireOwn(directory, user);
    requireProtected(parent, directory, user);
    return directory;
  } catch (error) {
    if (error instanceof DirectoryError) throw error;
    throw new DirectoryError(directory, `it cannot be created: ${reasonOf(error)}`);
  }
}

function isInside(outer: string, inner: string): boolean {
  const path = relative(outer, inner);
  return path !== "" && !path.startsWith("..") && !isAbsolute(path);
}

function createPrivately(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function requireOwn(directory: string, user: number): void {
  // Links are not followed: a link of another user could point to any directory of this user.
  const found = lstatSync(directory);
  if (!found.isDirectory()) throw new DirectoryError(directory, "it is not a directory");
  if (found.uid !== user) throw new DirectoryError(directory, "it belongs to another user");
  if ((found.mode & OTHERS_MAY_ACCESS) !== 0)
    throw new DirectoryError(directory, `other users can access it (mode ${modeOf(found)})`);
}

/** Requires that no other user can replace a directory that this user has created in the parent. */
function requireProtected(parent: string, directory: string, user: number): void {
  const found = statSync(parent);
  if (![ROOT, user].includes(found.uid))
    throw new DirectoryError(directory, `another user owns ${parent} and can replace it`);
  if ((found.mode & OTHERS_MAY_WRITE) !== 0 && (found.mode & STICKY) === 0)
    throw new DirectoryError(
      directory,
      `other users can replace it, because ${parent} has mode ${modeOf(found)} without the sticky bit`,
    );
}

function modeOf({ mode }: { readonly mode: number }): string {
  return (mode & 0o7777).toString(8).padStart(4, "0");
}
