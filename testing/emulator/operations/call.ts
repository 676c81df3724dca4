// What an operation is given, what it gives back, and the look-ups that all of them share. Whatever is not in the
// credential's Organization does not exist for the caller.
import type { Application, Credential, CustomDomain, Link, Project } from "../entities";
import { Refusal } from "../refusal";
import { existing, type Service } from "../world";

/** One request that is authenticated, allowed and valid. */
export interface Call {
  service: Service;
  credential: Credential;
  path: { readonly [name: string]: string };
  query: { readonly [name: string]: unknown };
  /** The body, its names in camelCase. It was checked before, so an operation may state its type. */
  body: unknown;
}

/** What an operation answers. */
export interface Answer {
  status: 200 | 201 | 204;
  body?: object;
}

/** One operation. Throws a `Refusal` when it answers with an error. */
export type Handler = (call: Call) => Answer;

/** 200. */
export function ok(body: object): Answer {
  return { status: 200, body };
}

/** 201. */
export function created(body: object): Answer {
  return { status: 201, body };
}

/** 204. */
export const noContent: Answer = { status: 204 };

/** Makes sure that the organization of the path is the credential's. */
export function checkOrganization({ credential, path }: Call): string {
  if (path.organization_id?.toLowerCase() !== credential.organizationId) {
    throw new Refusal(404, "Organization not found.");
  }
  return credential.organizationId;
}

/** The Project with an id. */
export function projectWithId({ service, credential }: Call, id: string | undefined): Project {
  const project = service.world.projects.get(id?.toLowerCase() ?? "");
  if (project?.organizationId !== credential.organizationId) throw new Refusal(404, "Project not found.");
  return project;
}

/** The Project of a path that names Organization and Project. */
export function projectOfPath(call: Call): Project {
  checkOrganization(call);
  return projectWithId(call, call.path.project_id);
}

/** The Application with an id. */
export function applicationWithId(call: Call, id: string | undefined): Application {
  return ownedByCaller(call, call.service.world.applications.get(id?.toLowerCase() ?? ""), "Application");
}

/** The Custom Domain with an id. */
export function customDomainWithId(call: Call, id: string | undefined): CustomDomain {
  return ownedByCaller(call, call.service.world.customDomains.get(id?.toLowerCase() ?? ""), "Custom domain");
}

/** The Link with an id. */
export function linkWithId(call: Call, id: string | undefined): Link {
  return ownedByCaller(call, call.service.world.links.get(id?.toLowerCase() ?? ""), "Link");
}

/** The thing itself when it is in the credential's Organization, else a 404 that does not tell the two cases apart. */
export function ownedByCaller<Entity extends { projectId: string }>(
  { service, credential }: Call,
  entity: Entity | undefined,
  kind: string,
): Entity {
  if (
    entity === undefined ||
    existing(service.world.projects, entity.projectId).organizationId !== credential.organizationId
  ) {
    throw new Refusal(404, `${kind} not found.`);
  }
  return entity;
}
