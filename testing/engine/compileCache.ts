/**
 * Where Node keeps compiled code between the processes of a test. Node runs what it finds there, so nobody but the
 * user may be able to write to it.
 */
import { privateDirectory } from "../../provider/hosts/privateDirectory";

/** The variable that names the directory. Empty, so that nothing is kept, where it could be another user's. */
export function compileCache(options?: Parameters<typeof privateDirectory>[1]): {
  readonly NODE_COMPILE_CACHE?: string;
} {
  const directory = privateDirectory("pulumi-test-engine-cache", options);
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: directory };
}
