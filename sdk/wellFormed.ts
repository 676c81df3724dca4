/** Refuses, where it is declared, text that does not reach the provider as it is. */
import { ILL_FORMED, illFormedPath } from "../provider/shapes/wellFormed";
import { runError } from "./runError";

/**
 * Fails the program for a logical name or an argument that is not well-formed Unicode.
 *
 * @param subject what messages call the declaration.
 */
export function requireWellFormed(
  name: string,
  args: object,
  { subject = name }: { readonly subject?: string } = {},
): void {
  // As JSON the name is text that can be printed.
  if (illFormedPath(name) !== undefined) throw runError(`The name ${JSON.stringify(name)} ${ILL_FORMED}.`);
  const path = illFormedPath(args);
  if (path !== undefined) throw runError(`${subject}: ${path} ${ILL_FORMED}.`);
}
