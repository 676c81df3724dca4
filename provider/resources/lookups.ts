/**
 * Looks up objects by UUID, and lists them. Programs have a function of the same name for each of these. The results have
 * all fields of the objects, in camelCase.
 */
import type { Application, CustomDomain, Link } from "../client";
import { systemClock } from "../client/client";
import { NotFoundError } from "../client/errors";
import { UserError } from "../errors";
import type { OperationContext, ResourceDescription } from "../lifecycle/description";
import { notFoundError, projectNotFoundError } from "../lifecycle/evidence/absence";
import type { ListedKind } from "../lifecycle/evidence/lists";
import { explained } from "../lifecycle/explain";
import { type Identity, requireScopes, type Session } from "../session/session";
import { withArticle } from "../values/phrases";
import { checkUuid } from "../values/uuid";
import { applicationDescription } from "./application";
import { customDomainDescription } from "./customDomain";
import { type ProjectProperties, projectDescription, projectProperties } from "./project";

/** Arguments of a lookup. */
export interface LookUpArgs {
  /** UUID of the object. */
  readonly id: string;
}

/** Arguments of a list. */
export interface ListArgs {
  /** UUID of the project. */
  readonly projectId: string;
}

/** Looks up a project. Needs the scope projects:read. */
export async function getProject(session: Session, args: LookUpArgs): Promise<ProjectProperties> {
  return await lookUp(session, args, projectDescription, async (organizationId, projectId) =>
    projectProperties(await session.client.getProject({ organizationId, projectId })),
  );
}

/** Looks up an application. Needs the scope applications:read. */
export async function getApplication(session: Session, args: LookUpArgs): Promise<Application> {
  return await lookUp(session, args, applicationDescription, (_organizationId, applicationId) =>
    session.client.getApplication({ applicationId }),
  );
}

/** Looks up a custom domain, with its verification records. Needs the scope domains:read. */
export async function getCustomDomain(session: Session, args: LookUpArgs): Promise<CustomDomain> {
  return await lookUp(session, args, customDomainDescription, (_organizationId, customDomainId) =>
    session.client.getCustomDomain({ customDomainId }),
  );
}

/** Looks up a link. Needs the scope links:read. */
export async function getLink(session: Session, args: LookUpArgs): Promise<Link> {
  // There may be very many links, so no list confirms that one does not exist.
  return await lookUp(
    session,
    args,
    { title: "link", scopes: { read: ["links:read"] } },
    (_organizationId, linkId) => session.client.getLink({ linkId }),
  );
}

/** Lists the projects of the organization. Needs the scope projects:read. */
export async function getProjects(session: Session): Promise<{ readonly projects: ProjectProperties[] }> {
  return await explained(async () => {
    const { organizationId } = await scopesToList(session, projectDescription);
    const projects = await session.client.listProjects({ organizationId });
    return { projects: projects.map(projectProperties) };
  });
}

/** Lists the applications of a project. Needs the scope applications:read. */
export async function getApplications(
  session: Session,
  args: ListArgs,
): Promise<{ readonly applications: Application[] }> {
  const applications = await listed(session, args, applicationDescription, session.client.listApplications);
  return { applications };
}

/** Lists the custom domains of a project. Needs the scope domains:read. */
export async function getCustomDomains(
  session: Session,
  args: ListArgs,
): Promise<{ readonly customDomains: CustomDomain[] }> {
  const customDomains = await listed(
    session,
    args,
    customDomainDescription,
    session.client.listCustomDomains,
  );
  return { customDomains };
}

/** Lists the objects of a kind in a project. @throws UserError if the organization does not have the project. */
async function listed<Value>(
  session: Session,
  args: ListArgs,
  kind: LookedUpKind,
  list: (project: ListArgs & { readonly organizationId: string }) => Promise<Value[]>,
): Promise<Value[]> {
  const projectId = requireUuid("projectId", args.projectId);
  return await explained(async () => {
    const identity = await scopesToList(session, kind);
    try {
      return await list({ organizationId: identity.organizationId, projectId });
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      throw await projectNotFoundError(contextOf(session, identity), projectId, error);
    }
  });
}

async function scopesToList(session: Session, { title, scopes }: LookedUpKind): Promise<Identity> {
  return await requireScopes(session, scopes.read, `listing ${title}s`);
}

function requireUuid(what: string, value: string): string {
  const failures = checkUuid(value);
  if (failures.length > 0) throw new UserError(`${what}: ${failures.join("\n")}`);
  return value.toLowerCase();
}

/** What a lookup needs of the description of a kind. */
interface LookedUpKind extends ListedKind {
  readonly scopes: Pick<ResourceDescription["scopes"], "read">;
}

async function lookUp<Value>(
  session: Session,
  { id }: LookUpArgs,
  kind: LookedUpKind,
  get: (organizationId: string, uuid: string) => Promise<Value>,
): Promise<Value> {
  const { title } = kind;
  const uuid = requireUuid(`id of the ${title}`, id);
  return await explained(async () => {
    const identity = await requireScopes(session, kind.scopes.read, `looking up ${withArticle(title)}`);
    try {
      return await get(identity.organizationId, uuid);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      throw await notFoundError(
        { description: kind, context: contextOf(session, identity), uuid, state: {} },
        error,
      );
    }
  });
}

/** The context of reads outside a resource. */
function contextOf({ client }: Session, { organizationId, scopes }: Identity): OperationContext {
  const { signal } = new AbortController();
  return { client, organizationId, scopes, signal, report() {}, clock: systemClock };
}
