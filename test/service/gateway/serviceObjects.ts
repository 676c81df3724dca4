/** The objects in requests and responses of the service: where they are, and how they are named. */

/** An object of the service. Some have no name, and projects are in no project. */
export interface ServiceObject {
  readonly id: string;
  readonly path: string;
  readonly name: string | undefined;
  readonly projectId: string | undefined;
}

type Json = { readonly [name: string]: unknown };

/** All names that a body gives. A link repeats those of applications and domains. */
export function namesIn(body: unknown): string[] {
  const { suffix, dynamic_link_name, ...fields } = (body ?? {}) as Json;
  const infos = [fields.apple_info, fields.android_info].map((info) => (info as Json | null)?.app_name);
  const others = suffix === undefined ? [fields.project_name, fields.hostname, ...infos] : [];
  return [dynamic_link_name, ...others].filter((name) => typeof name === "string");
}

/** The objects that a response shows: one, or a list. */
export function objectsIn(answer: unknown): ServiceObject[] {
  const { projects, applications, custom_domains, links } = (answer ?? {}) as Json;
  return [answer, projects, applications, custom_domains, links].flat().flatMap((object) => {
    const { id, organization_id, project_id, ...fields } = (object ?? {}) as Json;
    // Each kind has a field that no other one has.
    const places = {
      project_name: `organizations/${organization_id}/projects`,
      app_type: "applications",
      retry_count: "custom-domains",
      suffix: "links",
    };
    const place = Object.entries(places).find(([field]) => field in fields)?.[1];
    const about = { name: namesIn(object)[0], projectId: project_id as string | undefined };
    return place === undefined ? [] : [{ id: `${id}`, path: `/api/v2/${place}/${id}`, ...about }];
  });
}
