/** Selects objects of an organization by name and type. */
import { domainToUnicode } from "node:url";
import { keyOf } from "../compare/comparison";
import type { KindName } from "../objects/kinds";
import { objectName } from "../objects/objectName";
import { type Estate, type EstateObject, objectsOf } from "../service/inventory";

/** What to select. Without any of these, everything. */
export interface EstateFilter {
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
export function selectedObjects(estate: Estate, filter: EstateFilter): ReadonlySet<string> {
  const include = filter.include?.map(expressionFor);
  const exclude = (filter.exclude ?? []).map(expressionFor);
  const objects = objectsOf(estate);
  const projects = new Map(objects.filter(({ kind }) => kind === "project").map((one) => [one.uuid, one]));
  const isMatch = (object: EstateObject, patterns: readonly RegExp[]) => {
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

/** The selected objects of an estate, without the problems of the others. */
export function selectedPart(estate: Estate, selected: ReadonlySet<string>): Estate {
  const part = (objects: readonly EstateObject[]) => objects.filter(({ uuid }) => selected.has(uuid));
  const others = new Set(objectsOf(estate).flatMap((one) => (selected.has(one.uuid) ? [] : [keyOf(one)])));
  return {
    ...estate,
    projects: part(estate.projects),
    applications: part(estate.applications),
    customDomains: part(estate.customDomains),
    undeclarable: part(estate.undeclarable),
    links: new Map([...estate.links].filter(([uuid]) => selected.has(uuid))),
    problems: estate.problems.filter((problem) => !others.has(keyOf(problem))),
  };
}

/** The names that an object can be selected by, in the same normalization as patterns. */
function namesOf(object: EstateObject): readonly string[] {
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
