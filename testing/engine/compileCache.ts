/**
 * The directory where Node.js keeps compiled code for later processes. Node.js runs the code in it, so only the user
 * may have write access.
 */
import { privateDirectory } from "../../provider/hosts/privateDirectory";

/** The variable that sets the directory. Without a directory that only the user can write to, there is none. */
export function compileCache(options?: Parameters<typeof privateDirectory>[1]): {
  readonly NODE_COMPILE_CACHE?: string;
} {
  const directory = privateDirectory("pulumi-test-engine-cache", options);
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: directory };
}
