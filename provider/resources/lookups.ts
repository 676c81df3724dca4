/**
 * Looks up objects by UUID. Programs have a function of the same name for each lookup, and openapi.yaml an operation.
 * The results have all fields of the object, in camelCase.
 */
import type { Application, CustomDomain, Link, Scope } from "../client";
import { NotFoundError } from "../client/errors";
import { UserError } from "../errors";
import { explain } from "../lifecycle/explain";
import { notFoundIn } from "../lifecycle/ownership";
import { requireScopes, type Session } from "../session/session";
import { checkUuid } from "../shapes/uuid";
import { withArticle } from "../shapes/words";
import { type ProjectProperties, projectProperties } from "./project";

/** Arguments of a lookup. */
export interface LookUpArgs {
  /** UUID of the object. */
  readonly id: string;
}

/** Looks up a project. Needs the scope projects:read. */
export async function getProject(session: Session, args: LookUpArgs): Promise<ProjectProperties> {
  return await lookUp(session, args, "project", "projects:read", async (organizationId, projectId) =>
    projectProperties(await session.client.getProject({ organizationId, projectId })),
  );
}

/** Looks up an application. Needs the scope applications:read. */
export async function getApplication(session: Session, args: LookUpArgs): Promise<Application> {
  return await lookUp(session, args, "application", "applications:read", (_organizationId, applicationId) =>
    session.client.getApplication({ applicationId }),
  );
}

/** Looks up a custom domain, with its verification records. Needs the scope domains:read. */
export async function getCustomDomain(session: Session, args: LookUpArgs): Promise<CustomDomain> {
  return await lookUp(session, args, "custom domain", "domains:read", (_organizationId, customDomainId) =>
    session.client.getCustomDomain({ customDomainId }),
  );
}

/** Looks up a link. Needs the scope links:read. */
export async function getLink(session: Session, args: LookUpArgs): Promise<Link> {
  return await lookUp(session, args, "link", "links:read", (_organizationId, linkId) =>
    session.client.getLink({ linkId }),
  );
}

async function lookUp<Value>(
  session: Session,
  { id }: LookUpArgs,
  title: string,
  scope: Scope,
  get: (organizationId: string, uuid: string) => Promise<Value>,
): Promise<Value> {
  const failures = checkUuid(id);
  if (failures.length > 0) throw new UserError(`id of the ${title}: ${failures.join("\n")}`);
  try {
    const { organizationId } = await requireScopes(session, [scope], `looking up ${withArticle(title)}`);
    return await get(organizationId, id.toLowerCase());
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw explain(error);
    throw notFoundIn((await session.identity()).organizationId, title, id, error);
  }
}
