/**
 * The arguments and results of operations, and the lookups that they share. Objects outside the credential's
 * Organization do not exist for the caller.
 */

import { ServiceError } from "../wire/serviceError";
import type { Application, Credential, CustomDomain, Link, Mutable, Project } from "../world/entities";
import { existing, type Service } from "../world/world";

/** A request that is authenticated, authorized and valid. */
export interface Call {
  readonly service: Service;
  readonly credential: Credential;
  readonly path: { readonly [name: string]: string };
  readonly query: { readonly [name: string]: unknown };
  /** The body, with names in camelCase. It is already validated, so an operation may assert its type. */
  readonly body: unknown;
}

/** The response of an operation. */
export interface Answer {
  readonly status: 200 | 201 | 204;
  readonly body?: object;
}

/** An operation. @throws ServiceError to respond with an error. */
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
export const NO_CONTENT: Answer = { status: 204 };

/** Requires that the Organization in the path is the credential's. Returns its id. */
export function checkOrganization({ credential, path }: Call): string {
  if (path.organization_id?.toLowerCase() !== credential.organizationId) {
    throw new ServiceError(404, "Organization not found.");
  }
  return credential.organizationId;
}

/** The Project with an id. */
export function projectWithId({ service, credential }: Call, id: string | undefined): Mutable<Project> {
  const project = service.world.projects.get(id?.toLowerCase() ?? "");
  if (project?.organizationId !== credential.organizationId)
    throw new ServiceError(404, "Project not found.");
  return project;
}

/** The Project of a path with an Organization and a Project. */
export function projectOfPath(call: Call): Mutable<Project> {
  checkOrganization(call);
  return projectWithId(call, call.path.project_id);
}

/** The Application with an id. */
export function applicationWithId(call: Call, id: string | undefined): Mutable<Application> {
  return ownedByCaller(call, call.service.world.applications.get(id?.toLowerCase() ?? ""), "Application");
}

/** The Custom Domain with an id. */
export function customDomainWithId(call: Call, id: string | undefined): Mutable<CustomDomain> {
  return ownedByCaller(call, call.service.world.customDomains.get(id?.toLowerCase() ?? ""), "Custom domain");
}

/** The Link with an id. */
export function linkWithId(call: Call, id: string | undefined): Mutable<Link> {
  return ownedByCaller(call, call.service.world.links.get(id?.toLowerCase() ?? ""), "Link");
}

/** The entity, if it is in the credential's Organization. Otherwise a 404, the same as for an id that does not exist. */
export function ownedByCaller<Entity extends { readonly projectId: string }>(
  { service, credential }: Call,
  entity: Entity | undefined,
  kind: string,
): Entity {
  if (
    entity === undefined ||
    existing(service.world.projects, entity.projectId).organizationId !== credential.organizationId
  ) {
    throw new ServiceError(404, `${kind} not found.`);
  }
  return entity;
}
