/** Selects objects of an organization by name and type. */
import { domainToUnicode } from "node:url";
import { identityKey, parentKeyOf } from "../objects/identity";
import { KINDS, type KindName } from "../objects/kinds";
import { appNameOf, objectName } from "../objects/objectName";
import { type Inventory, type InventoryObject, objectsOf } from "../service/inventory";

/** What to select. Without any of these, everything. */
export interface InventoryFilter {
  /** Patterns of names. Default: every name. */
  readonly include?: readonly string[] | undefined;
  /** Patterns of names that are not selected, even if they are included. Default: none. */
  readonly exclude?: readonly string[] | undefined;
  /** Default: all types. */
  readonly kinds?: readonly KindName[] | undefined;
}

/**
 * Selects objects, including those that no program can declare.
 *
 * A pattern matches a whole name, regardless of case. `*` stands for any number of characters and `?` for one; no other
 * character has a meaning. The names of an object are its own and that of its project. So a project's name selects the
 * project and everything in it, and the name of an application or a custom domain selects only that object; its project
 * is not selected with it.
 *
 * @returns the keys of the selected objects.
 */
export function selectedObjects(inventory: Inventory, filter: InventoryFilter): ReadonlySet<string> {
  const include = filter.include?.map(expressionFor);
  const exclude = (filter.exclude ?? []).map(expressionFor);
  const objects = objectsOf(inventory);
  const byKey = new Map(objects.map((object) => [identityKey(object), object]));
  const isMatch = (object: InventoryObject, patterns: readonly RegExp[]) => {
    const parent = byKey.get(parentKeyOf(object) ?? "");
    const names = [object, ...(parent === undefined ? [] : [parent])].flatMap(namesOf);
    return patterns.some((expression) => names.some((name) => expression.test(name)));
  };
  const selected = objects.filter(
    (object) =>
      (filter.kinds?.includes(object.kind) ?? true) &&
      (include === undefined || isMatch(object, include)) &&
      !isMatch(object, exclude),
  );
  return new Set(selected.map(identityKey));
}

/** The selected objects of an inventory, without the problems of the others. */
export function selectedPart(inventory: Inventory, selected: ReadonlySet<string>): Inventory {
  const part = (objects: readonly InventoryObject[]) =>
    objects.filter((object) => selected.has(identityKey(object)));
  const others = new Set(
    objectsOf(inventory)
      .map(identityKey)
      .filter((key) => !selected.has(key)),
  );
  return {
    ...inventory,
    objects: part(inventory.objects),
    undeclarable: part(inventory.undeclarable),
    links: new Map(
      [...inventory.links].filter(([uuid]) => selected.has(identityKey({ kind: "project", uuid }))),
    ),
    problems: inventory.problems.filter((problem) => !others.has(identityKey(problem))),
  };
}

/** The names that an object can be selected by, in the same normalization as patterns. */
function namesOf(object: InventoryObject): readonly string[] {
  const [name, appName] = [objectName(object), appNameOf(object)];
  const names = [name, ...(appName === undefined ? [] : [appName])];
  const inUnicode = KINDS[object.kind].description.uniqueBy === "hostname" ? [domainToUnicode(name)] : [];
  return [...names, ...inUnicode].map((one) => one.normalize());
}

function expressionFor(pattern: string): RegExp {
  const parts = pattern.normalize().match(/\*+|\?|[^*?]+/g) ?? [];
  const sources = parts.map((part) =>
    part.startsWith("*") ? ".*" : part === "?" ? "." : part.replaceAll(/[\\^$.+()[\]{}|/]/g, "\\$&"),
  );
  return new RegExp(`^${sources.join("")}$`, "isu");
}
