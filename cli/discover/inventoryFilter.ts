/** Selects objects of an organization by name and type. */
import { domainToUnicode } from "node:url";
import { keyOf } from "../compare/comparison";
import type { KindName } from "../objects/kinds";
import { objectName } from "../objects/objectName";
import { type Inventory, type InventoryObject, objectsOf } from "../service/inventory";

/** What to select. Without any of these, everything. */
export interface InventoryFilter {
  /** Patterns of names. Default: every name. */
  readonly include?: readonly string[] | undefined;
  /** Patterns of names that are not selected, even if they are included. Default: none. */
  readonly exclude?: readonly string[] | undefined;
  /** Default: all types. */
  readonly type?: readonly KindName[] | undefined;
}

/**
 * Selects objects, including those that no program can declare.
 *
 * A pattern matches a whole name, regardless of case. `*` stands for any number of characters and `?` for one; no other
 * character has a meaning. The names of an object are its own and that of its project. So a project's name selects the
 * project and everything in it, and the name of an application or a custom domain selects only that object; its project
 * is not selected with it.
 *
 * @returns the UUIDs of the selected objects.
 */
export function selectedObjects(inventory: Inventory, filter: InventoryFilter): ReadonlySet<string> {
  const include = filter.include?.map(expressionFor);
  const exclude = (filter.exclude ?? []).map(expressionFor);
  const objects = objectsOf(inventory);
  const projects = new Map(objects.filter(({ kind }) => kind === "project").map((one) => [one.uuid, one]));
  const isMatch = (object: InventoryObject, patterns: readonly RegExp[]) => {
    const project = projects.get(String(object.reading.inputs.projectId));
    const names = [object, ...(project === undefined ? [] : [project])].flatMap(namesOf);
    return patterns.some((expression) => names.some((name) => expression.test(name)));
  };
  const selected = objects.filter(
    (object) =>
      (filter.type?.includes(object.kind) ?? true) &&
      (include === undefined || isMatch(object, include)) &&
      !isMatch(object, exclude),
  );
  return new Set(selected.map(({ uuid }) => uuid));
}

/** The selected objects of an inventory, without the problems of the others. */
export function selectedPart(inventory: Inventory, selected: ReadonlySet<string>): Inventory {
  const part = (objects: readonly InventoryObject[]) => objects.filter(({ uuid }) => selected.has(uuid));
  const others = new Set(objectsOf(inventory).flatMap((one) => (selected.has(one.uuid) ? [] : [keyOf(one)])));
  return {
    ...inventory,
    projects: part(inventory.projects),
    applications: part(inventory.applications),
    customDomains: part(inventory.customDomains),
    undeclarable: part(inventory.undeclarable),
    links: new Map([...inventory.links].filter(([uuid]) => selected.has(uuid))),
    problems: inventory.problems.filter((problem) => !others.has(keyOf(problem))),
  };
}

/** The names that an object can be selected by, in the same normalization as patterns. */
function namesOf(object: InventoryObject): readonly string[] {
  const { appleInfo, androidInfo } = object.reading.inputs;
  const { appName } = (appleInfo ?? androidInfo ?? {}) as { readonly appName?: string | null };
  const name = objectName(object);
  const names = [name, ...(appName ? [appName] : [])];
  return (object.kind === "customDomain" ? [name, domainToUnicode(name)] : names).map((one) =>
    one.normalize(),
  );
}

function expressionFor(pattern: string): RegExp {
  const parts = pattern.normalize().match(/\*+|\?|[^*?]+/g) ?? [];
  const sources = parts.map((part) =>
    part.startsWith("*") ? ".*" : part === "?" ? "." : part.replaceAll(/[\\^$.+()[\]{}|/]/g, "\\$&"),
  );
  return new RegExp(`^${sources.join("")}$`, "isu");
}
