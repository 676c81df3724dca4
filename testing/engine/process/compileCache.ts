/**
 * The directory where Node.js keeps compiled code for later processes. Node.js runs the code in it, so only the user
 * may have write access.
 */
import {
  DirectoryError,
  type PrivateDirectoryOptions,
  privateDirectory,
} from "../../../provider/hosts/privateDirectory";

/** The variable that sets the directory. Without a directory that only the user can write to, there is none. */
export function compileCache(options?: PrivateDirectoryOptions): {
  readonly NODE_COMPILE_CACHE?: string;
} {
  try {
    return { NODE_COMPILE_CACHE: privateDirectory("pulumi-test-engine-cache", options) };
  } catch (error) {
    if (error instanceof DirectoryError) return {};
    throw error;
  }
}
