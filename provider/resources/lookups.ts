/**
 * Looks up objects by UUID. Programs have a function of the same name for each lookup, and openapi.yaml an operation.
 * The results have all fields of the object, in camelCase.
 */
import type { Application, CustomDomain, Link } from "../client";
import { systemClock } from "../client/client";
import { NotFoundError } from "../client/errors";
import { UserError } from "../errors";
import type { OperationContext, ResourceDescription } from "../lifecycle/description";
import { notFoundError } from "../lifecycle/evidence/absence";
import type { ListedKind } from "../lifecycle/evidence/lists";
import { explained } from "../lifecycle/explain";
import { type Identity, requireScopes, type Session } from "../session/session";
import { checkUuid } from "../shapes/uuid";
import { withArticle } from "../shapes/words";
import { applicationDescription } from "./application";
import { customDomainDescription } from "./customDomain";
import { type ProjectProperties, projectDescription, projectProperties } from "./project";

/** Arguments of a lookup. */
export interface LookUpArgs {
  /** UUID of the object. */
  readonly id: string;
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
  const failures = checkUuid(id);
  if (failures.length > 0) throw new UserError(`id of the ${title}: ${failures.join("\n")}`);
  const uuid = id.toLowerCase();
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
  return { client, organizationId, scopes, signal, report() {}, clock: systemClock, mayShow: () => false };
}
