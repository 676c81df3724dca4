/** What `discover` sends and prints for each kind of object, so that a new kind changes no test. */
import { CONTENT_KINDS, KIND_NAMES, KINDS, type KindName, pluralOf } from "../../cli/objects/kinds";

/** The requests with which all objects of one organization are read: one for each kind in each project. */
export function requestsFor(projects: number): Readonly<Record<string, number>> {
  const perProject = CONTENT_KINDS.map((kind) => {
    const { type, list } = KINDS[kind].description;
    return [list === undefined ? `get${type}` : `list${type}s`, projects] as const;
  });
  return { getCurrentApiCredential: 1, listProjects: 1, ...Object.fromEntries(perProject) };
}

/** The numbers of objects in the first line of the report. */
export function countsOf(counts: Partial<Record<KindName, number>>): string {
  return KIND_NAMES.map((kind) => {
    const count = counts[kind] ?? 0;
    return `${count} ${count === 1 ? KINDS[kind].description.title : pluralOf(kind)}`;
  }).join(", ");
}

/** A list of the kinds in a text, such as `project, application or custom domain`. */
export function listed(names: readonly string[], conjunction: "and" | "or"): string {
  return `${names.slice(0, -1).join(", ")} ${conjunction} ${names.at(-1)}`;
}
