/** Adds to an object in messages the name that people know. The dynamic host adds none: it does not know what is secret. */
import type { Sanitizer } from "../../client/sanitized";
import type { ResourceDescription } from "../../lifecycle/description";
import type { PropertyValues } from "./wire";

/** @param sent the properties in a request about the object, the state first. */
export function naming(
  { title, uniqueBy = "" }: ResourceDescription,
  id: string,
  sent: readonly (PropertyValues | undefined)[],
  sanitized: Sanitizer,
): Sanitizer {
  const [name] = sent.flatMap((each) => each?.values[uniqueBy] ?? []);
  const isSecret = sent.some((each) => each?.secrets.includes(uniqueBy));
  if (id === "" || name === undefined || isSecret) return (text) => text;
  const mention = new RegExp(`(?<=${title} )${id}`, "i");
  return (text) => text.replace(mention, (uuid) => `${sanitized(String(name))} (${uuid})`);
}
