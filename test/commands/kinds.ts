/** What `discover` sends for each kind of object, so that a new kind changes no test. */
import { CONTENT_KINDS, KINDS } from "../../cli/objects/kinds";

/** The requests with which all objects of one organization are read: one for each kind in each project. */
export function requestsFor(projects: number): Readonly<Record<string, number>> {
  const perProject = CONTENT_KINDS.map((kind) => {
    const { type, list } = KINDS[kind];
    return [list === undefined ? `get${type}` : `list${type}s`, projects] as const;
  });
  return { getCurrentApiCredential: 1, listProjects: 1, ...Object.fromEntries(perProject) };
}
