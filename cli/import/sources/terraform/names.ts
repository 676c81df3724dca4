/** Logical names of resources, from their addresses in a Terraform state. */
import { hyphenated } from "../../../objects/logicalNames";
import type { TerraformAddress } from "./address";

/** The maximum number of characters of a name, without a part of a UUID. */
const MAX_NAME_LENGTH = 100;

/** An object to name. Names are unique within a kind. */
export interface Addressed {
  readonly kind: string;
  readonly address: TerraformAddress;
  readonly uuid: string;
}

/**
 * Names objects: modules, name and keys, joined by hyphens. If several objects of a kind would have the same name, all
 * of them get the beginning of their UUIDs. So a name does not depend on the order of the objects.
 *
 * @example
 * // module.brand["north"].dynamiclink_project.this is named brand-north-this.
 */
export function namesFromAddresses<Item extends Addressed>(items: readonly Item[]): Map<Item, string> {
  const wanted = new Map(items.map((item) => [item, wantedName(item)]));
  /** How much of the UUID each name contains: nothing, its first part, or all. */
  const levels = new Map(items.map((item) => [item, 0]));
  const nameOf = (item: Item) => {
    const parts = [undefined, item.uuid.split("-")[0], item.uuid];
    return [wanted.get(item), parts[levels.get(item) ?? 0]].filter((part) => part !== undefined).join("-");
  };
  for (;;) {
    const groups = [...Map.groupBy(items, (item) => `${item.kind} ${nameOf(item)}`).values()];
    const clashes = groups.flatMap((group) =>
      group.length > 1 ? group.filter((item) => (levels.get(item) ?? 0) < 2) : [],
    );
    if (clashes.length === 0) return new Map(items.map((item) => [item, nameOf(item)]));
    for (const item of clashes) levels.set(item, (levels.get(item) ?? 0) + 1);
  }
}

function wantedName({ kind, address: { modules, name, key } }: Addressed): string {
  const parts = [...modules, { name, key }].flatMap((step) => [step.name, String(step.key ?? "")]);
  const words = parts.map(hyphenated).filter((part) => part !== "");
  return [...words.join("-")].slice(0, MAX_NAME_LENGTH).join("").replace(/-$/, "") || hyphenated(kind);
}
