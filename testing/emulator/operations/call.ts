/**
 * The arguments and results of operations, and the lookups that they share. Objects outside the credential's
 * Organization do not exist for the caller.
 */
import { ServiceError } from "../wire/serviceError";
import type { Application, Credential, CustomDomain, Link, Mutable, Project } from "../world/entities";
import { projectOf, type Service } from "../world/world";

/** A request that is authenticated, authorized and valid. */
export interface Call {
  readonly service: Service;
  readonly credential: Credential;
  readonly path: { readonly [name: string]: string };
  readonly query: { readonly [name: string]: unknown };
  /** The body, with names in camelCase. It is already validated, so an operation may assert its type. */
  readonly body: unknown;
}

/** An operation. Returns the body of its success, if that has one. @throws ServiceError to respond with an error. */
export type Handler = (call: Call) => unknown;

/** Requires that the Organization in the path is the credential's. Returns its id. */
export function checkOrganization({ credential, path }: Call): string {
  if (path.organization_id?.toLowerCase() !== credential.organizationId)
    throw new ServiceError(404, "Organization not found.");
  return credential.organizationId;
}

/** The objects of each collection. */
export interface Objects {
  readonly projects: Mutable<Project>;
  readonly applications: Mutable<Application>;
  readonly customDomains: Mutable<CustomDomain>;
  readonly links: Mutable<Link>;
}

const TITLES: Readonly<Record<keyof Objects, string>> = {
  projects: "Project",
  applications: "Application",
  customDomains: "Custom domain",
  links: "Link",
};

/** The object with an id. Otherwise a 404, the same for an id that does not exist and one of another Organization. */
export function objectWithId<Name extends keyof Objects>(
  call: Call,
  kind: Name,
  id: string | undefined,
): Objects[Name] {
  const entity: Objects[keyof Objects] | undefined = call.service.world[kind].get(id?.toLowerCase() ?? "");
  requireOwned(call, kind, entity);
  return entity as Objects[Name];
}

/** The Project of a path with an Organization and a Project. */
export function projectOfPath(call: Call): Mutable<Project> {
  checkOrganization(call);
  return objectWithId(call, "projects", call.path.project_id);
}

/** Requires that the credential's Organization has, or had, an object. */
export function requireOwned<
  Entity extends { readonly projectId?: string; readonly organizationId?: string },
>(
  { service: { world }, credential }: Call,
  kind: keyof Objects,
  entity: Entity | undefined,
): asserts entity is Entity {
  const { projectId } = entity ?? {};
  const owner = projectId === undefined ? entity : projectOf(world, { projectId });
  if (owner?.organizationId !== credential.organizationId) throw notFound(kind);
}

export function notFound(kind: keyof Objects): ServiceError {
  return new ServiceError(404, `${TITLES[kind]} not found.`);
}
