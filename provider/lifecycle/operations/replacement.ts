/** The inputs that cannot change in place: a change replaces the object. */
import { checkValue } from "../../values/check";
import type { Fields } from "../../values/schema";
import type { Replacement, ResourceDescription } from "../description";
import { digest } from "../ledger/facts";
import type { Properties } from "../properties";

/**
 * The inputs that have changed, or may have, and cannot change in place: none of a new resource. A missing or invalid value
 * in the state was edited, which is no evidence of a change, and a replacement deletes the object.
 */
export function replacingInputs(
  { inputs: { shape }, replaceOnChanges }: ResourceDescription,
  { before, inputs, isUnknown }: Pick<Replacement, "before" | "inputs" | "isUnknown">,
): string[] {
  return Object.entries(shape as Fields)
    .filter(([name]) => replaceOnChanges.includes(name) && inputs[name] !== before[name])
    .filter(([name, field]) => checkValue(field, before[name], { isUnknown }).length === 0)
    .map(([name]) => name);
}

/** The digest of the inputs that cannot change in place. */
export function fixedIn(names: readonly string[], properties: Properties): string {
  return digest(names.map((name) => properties[name]));
}
