/** Rejects text that would not reach the provider unchanged. */
import { pathText } from "../../provider/values/walk";
import { ILL_FORMED, illFormedPaths } from "../../provider/values/wellFormed";
import { runError } from "./runError";

/**
 * Requires the logical name and the arguments to be well-formed Unicode.
 *
 * @param subject the name of the declaration in messages. Default: the logical name.
 * @throws RunError with the path of the ill-formed text.
 */
export function requireWellFormed(
  name: string,
  args: object,
  { subject = name }: { readonly subject?: string } = {},
): void {
  // JSON escapes the ill-formed text, so the name can be printed.
  if (illFormedPaths(name).length > 0) throw runError(`The name ${JSON.stringify(name)} ${ILL_FORMED}.`);
  const [path] = illFormedPaths(args);
  if (path !== undefined) throw runError(`${subject}: ${pathText(path)} ${ILL_FORMED}.`);
}
