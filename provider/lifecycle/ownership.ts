/** The organization guard: an object is only touched, or taken for deleted, under the organization that owns it. */
import type { Identity, Session } from "../session/session";
import { capitalized } from "../shapes/words";
import { UserError } from "./errors";

/** The hidden property of the state that names the owning organization. It is in users' state: never renamed. */
export const ORGANIZATION_PROPERTY = "__organization";

/**
 * Refuses to go on when the state belongs to another organization than the key. Costs no request beyond the
 * session's own.
 */
export async function requireOrganization(
  session: Session,
  owner: unknown,
  subject: string,
): Promise<Identity> {
  const identity = await session.identity();
  const { organizationId } = identity;
  if (owner != null && owner !== organizationId) throw anotherOrganization(subject, owner, organizationId);
  return identity;
}

/**
 * Refuses to create anything while the run has met objects of another organization: a forced replacement creates
 * before anything else compares the organizations.
 */
export function requireKnownOrganization(
  owners: ReadonlySet<string>,
  organizationId: string,
  title: string,
): void {
  const owner = [...owners].find((each) => each !== organizationId);
  if (owner === undefined) return;
  throw new UserError(
    `No ${title} was created: the API key belongs to organization ${organizationId}, but this stack has objects of organization ${owner}. ${useKeyOf(owner)}`,
  );
}

/**
 * Decides what a 404 means. The service answers the same for an object that is gone and for one of another
 * organization, so the key is looked up again. Returns when the object is surely gone.
 *
 * @throws UserError in every other case.
 */
export async function confirmGone(session: Session, owner: unknown, subject: string): Promise<void> {
  if (owner == null) {
    throw new UserError(
      `The service does not know ${subject}, and the state does not say which organization owned it, so it may belong to another organization and still be there. If it is really gone, remove it from the state with \`pulumi state delete\`.`,
    );
  }
  const { organizationId } = await session.lookUpIdentity();
  if (organizationId !== owner) throw anotherOrganization(subject, owner, organizationId);
}

/** The error for an object that someone named and the organization does not have. */
export function notFoundIn(organizationId: string, title: string, uuid: string, cause: unknown): UserError {
  return new UserError(
    `There is no ${title} ${uuid} in organization ${organizationId}. Check the UUID, and that the API key is one of the organization that owns it.`,
    { cause },
  );
}

function anotherOrganization(subject: string, owner: unknown, organizationId: string): UserError {
  return new UserError(
    `${capitalized(subject)} belongs to organization ${owner}, but the API key belongs to organization ${organizationId}. ${useKeyOf(owner)}`,
  );
}

function useKeyOf(owner: unknown): string {
  return `Use a key of organization ${owner}: set the environment variable or the provider that this stack was deployed with.`;
}
