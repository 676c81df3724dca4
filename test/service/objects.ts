/** The objects in requests and responses: what identifies them, and what they are named. */
import type { OwnObject } from "./journal";

/** A JSON object. */
type Json = { readonly [name: string]: unknown };

/** The lists in responses. */
const LISTS = ["projects", "applications", "custom_domains", "links"];

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** All names that a body gives an object. */
export function namesIn(body: unknown): string[] {
  if (!isJson(body)) return [];
  const infos = [body.apple_info, body.android_info].filter(isJson).map(({ app_name }) => app_name);
  const names = [body.project_name, body.hostname, body.dynamic_link_name, ...infos];
  return names.filter((name) => typeof name === "string");
}

/** The objects that a response shows: one, or a list. */
export function objectsIn(answer: unknown): (OwnObject & { readonly projectId: string | undefined })[] {
  if (!isJson(answer)) return [];
  const shown = [answer, ...LISTS.flatMap((list) => answer[list] ?? [])];
  return shown.filter(isJson).flatMap((object) => {
    const path = pathOf(object);
    if (path === undefined) return [];
    const projectId = object.project_id as string | undefined;
    return [{ id: String(object.id), path, name: namesOf(object)[0], projectId }];
  });
}

/** A link repeats the names of applications and domains: only its own is its name. */
function namesOf(object: Json): string[] {
  return namesIn("suffix" in object ? { dynamic_link_name: object.dynamic_link_name } : object);
}

/** The path of an object, by a field that only its kind has. */
function pathOf({ id, organization_id, ...fields }: Json): string | undefined {
  if ("project_name" in fields) return `/api/v2/organizations/${organization_id}/projects/${id}`;
  if ("app_type" in fields) return `/api/v2/applications/${id}`;
  if ("retry_count" in fields) return `/api/v2/custom-domains/${id}`;
  return "suffix" in fields ? `/api/v2/links/${id}` : undefined;
}
