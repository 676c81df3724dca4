/** The names of entries in an import file. Pulumi uses them as variables in the code that it generates. */
import { hyphenated, NAMES_IN_USE, variableName } from "../objects/logicalNames";

/** What Pulumi accepts as a variable. It converts hyphens to what the language accepts. */
const VARIABLE = /^[_\p{ID_Start}][\p{ID_Continue}-]*$/u;

/** Names that the language in which Pulumi writes code for all others has already. It escapes words of those itself. */
const UNUSABLE = new Set(["null", "true", "false", ...NAMES_IN_USE]);

/** The name of an entry: the wanted one, or a similar one if that is taken or cannot be a variable. */
export function entryName(wanted: string, isTaken: (name: string) => boolean): string {
  const name = VARIABLE.test(wanted) ? wanted : variableName(hyphenated(wanted));
  let free = name;
  for (let number = 2; UNUSABLE.has(free) || isTaken(free); number += 1) free = `${name}${number}`;
  return free;
}
