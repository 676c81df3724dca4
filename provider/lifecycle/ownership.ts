/** Ensures that an object is changed, or considered deleted, only with a key of the organization that owns it. */
import { UserError } from "../errors";
import type { Identity, Session } from "../session/session";
import { capitalized } from "../values/phrases";

/** Requires that the key belongs to the organization of the state. Sends only the session's lookup. @throws UserError */
export async function requireOrganization(
  session: Session,
  owner: unknown,
  subject: string,
): Promise<Identity> {
  const identity = await session.identity();
  const { organizationId } = identity;
  if (isAnother(owner, organizationId)) throw anotherOrganization(subject, owner, organizationId);
  return identity;
}

/** Whether a known owner is another organization. A state that was edited can have its UUID in upper case. */
function isAnother(owner: unknown, organizationId: string): boolean {
  return owner != null && String(owner).toLowerCase() !== organizationId;
}

/** Requires that the key has the organization of all known objects: a forced replacement creates before objects are compared. */
export function requireKnownOrganization(
  owners: ReadonlySet<string>,
  organizationId: string,
  title: string,
): void {
  const owner = [...owners].find((each) => isAnother(each, organizationId));
  if (owner === undefined) return;
  throw new UserError(
    `No ${title} was created: the API key belongs to organization ${organizationId}, but this stack has objects of organization ${owner}. ${useKeyOf(owner)}`,
  );
}

/** Requires that the key belongs to the organization that the provider has managed so far. @throws UserError */
export function requireProviderOrganization(owner: unknown, organizationId: string): void {
  if (!isAnother(owner, organizationId)) return;
  throw new UserError(
    `The resources of this provider belong to organization ${owner}, but the API key belongs to organization ${organizationId}. ${useKeyOf(owner)} To manage organization ${organizationId} as well, declare a Provider with another name. If its resources belong to organization ${organizationId}, because a command with another key has recorded the wrong one, declare a Provider with another name for them as well. If this provider has no resources, remove it from the state with \`pulumi state delete\`.`,
  );
}

/**
 * Requires that a 404 was sent to a key of the organization that owns the object. The service responds alike for an object of
 * another organization, so that of the key is looked up again. @throws UserError if the object may still exist.
 */
export async function requireOwnersKey(session: Session, owner: unknown, subject: string): Promise<void> {
  if (owner == null)
    throw new UserError(
      `The service does not find ${subject}, and the state does not contain the organization that owns it, so it may still exist in another organization. If it was deleted, remove it from the state with \`pulumi state delete\`.`,
    );
  const { organizationId } = await session.lookUpIdentity();
  if (isAnother(owner, organizationId)) throw anotherOrganization(subject, owner, organizationId);
}

function anotherOrganization(subject: string, owner: unknown, organizationId: string): UserError {
  return new UserError(
    `${capitalized(subject)} belongs to organization ${owner}, but the API key belongs to organization ${organizationId}. ${useKeyOf(owner)}`,
  );
}

function useKeyOf(owner: unknown): string {
  return `Use a key of organization ${owner}: set the environment variable or the provider that this stack was deployed with. To move the stack to another organization on purpose, see docs/errors.md of pulumi-dynamiclink.`;
}
