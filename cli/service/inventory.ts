/** Reads objects of an organization: all of them, projects with what is in them, or single ones. */
import { ClientError, ForbiddenError, NotFoundError } from "../../provider/client/errors";
import { UserError } from "../../provider/errors";
import { listOf } from "../../provider/lifecycle/create/wanted";
import type { Found } from "../../provider/lifecycle/description";
import { ifFound } from "../../provider/lifecycle/evidence/lists";
import { isYoung } from "../../provider/lifecycle/evidence/youth";
import { imported, type Reading } from "../../provider/lifecycle/operations/read";
import { requireScopes } from "../../provider/session/session";
import { identityKey, type ObjectId, onceBy } from "../objects/identity";
import { CONTENT_KINDS, KIND_NAMES, KINDS, type KindName, pluralOf } from "../objects/kinds";
import { type Aged, byAge } from "../objects/logicalNames";
import type { StackObject } from "../pulumi/state";
import { importability } from "./importability";
import type { Organization } from "./organization";

export interface InventoryObject extends Aged {
  readonly kind: KindName;
  readonly reading: Reading;
  /** Why no program can declare it. */
  readonly problem?: string;
}

export interface Inventory {
  /** In the order of the kinds, each from the oldest to the newest. */
  readonly objects: readonly InventoryObject[];
  /** What could not be read, as messages. */
  readonly problems: readonly string[];
  /** The kinds of which some objects could not be read, and the identities of single ones. */
  readonly incomplete: ReadonlySet<string>;
}

interface FoundObject {
  readonly kind: KindName;
  readonly found: Found;
}

/**
 * Reads all objects of an organization: one request for the projects, and one for each kind in each of them. The client
 * limits how many are in flight.
 */
export async function readOrganization(organization: Organization): Promise<Inventory> {
  return await readProjects(organization, await listProjects(organization));
}

async function listProjects(organization: Organization): Promise<readonly Found[]> {
  await requireRead(organization, "project");
  return await listOf({ description: KINDS.project, context: organization, inputs: {} });
}

/**
 * Reads objects by UUID, projects with what is in them.
 *
 * @throws AggregateError of all UUIDs that no object has.
 */
export async function readSelected(organization: Organization, uuids: readonly string[]): Promise<Inventory> {
  const found = await Promise.all(uuids.map((uuid) => findObject(organization, uuid)));
  const missing = uuids.filter((_, index) => found[index] === undefined);
  const message = (uuid: string) =>
    `Organization ${organization.organizationId} has no object with the UUID ${uuid}. If a Provider of the stack has another key, name it with --provider. If it was created a moment ago, run this again in a minute.`;
  if (missing.length > 0) throw new AggregateError(missing.map((uuid) => new UserError(message(uuid))));
  const objects = found.filter((one) => one !== undefined);
  const projects = objects.filter(({ kind }) => kind === "project").map((one) => one.found);
  const inventory = projects.length === 0 ? NOTHING : await readProjects(organization, projects);
  const singles = objects.filter(({ kind }) => kind !== "project");
  return { ...inventory, objects: sorted([...inventory.objects, ...examined(organization, singles)]) };
}

/** Reads objects whose kinds are known. Those that the organization does not have are omitted. */
export async function readKnown(
  organization: Organization,
  ids: readonly ObjectId[],
): Promise<readonly InventoryObject[]> {
  const found = await Promise.all(ids.map((id) => readObject(organization, id)));
  return examined(
    organization,
    found.filter((one) => one !== undefined),
  );
}

/** Adds objects of stacks that the lists lack, because a list can be outdated. What is new may not be shown yet. */
export async function withUnlisted(
  organization: Organization,
  inventory: Inventory,
  ids: readonly StackObject[],
): Promise<Inventory> {
  const unread: (ObjectId & { readonly message: string })[] = [];
  const found = await Promise.all(
    ids.map(async (id) => {
      try {
        const known = await readKnown(organization, [id]);
        if (known.length === 0 && isYoung(organization, id.createdAt)) {
          const subject = `${KINDS[id.kind].title} ${id.uuid}`;
          const message = `The service does not show ${subject}, which was created a moment ago. Run this again in a minute.`;
          unread.push({ ...id, message });
        }
        return known;
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        unread.push({ ...id, message: error.message });
        return [];
      }
    }),
  );
  return {
    objects: sorted([...inventory.objects, ...found.flat()]),
    problems: [...inventory.problems, ...unread.map(({ message }) => message).sort()],
    incomplete: new Set([...inventory.incomplete, ...unread.map(identityKey)]),
  };
}

/** What to say of a project that is new: what is in it is not older. Undefined for others. */
export function noteIfNew(
  organization: Organization,
  project: Pick<Found, "uuid" | "createdAt">,
): string | undefined {
  return isYoung(organization, project.createdAt)
    ? `Project ${project.uuid} was created a moment ago, so the service may not show what is in it yet. Run this again in a minute.`
    : undefined;
}

const NOTHING: Inventory = { objects: [], problems: [], incomplete: new Set() };

/** Finds an object of any kind: a UUID does not say which it is. */
async function findObject(organization: Organization, uuid: string): Promise<FoundObject | undefined> {
  for (const kind of KIND_NAMES) {
    const found = await readObject(organization, { kind, uuid });
    if (found !== undefined) return found;
  }
  // Of a project that is new, the list may be the first to know.
  const listed = (await listProjects(organization)).find((project) => project.uuid === uuid);
  return listed && noteIfNew(organization, listed) ? { kind: "project", found: listed } : undefined;
}

async function readObject(organization: Organization, { kind, uuid }: ObjectId) {
  await requireRead(organization, kind);
  const found = await ifFound(KINDS[kind].read(organization, uuid, {}));
  return found && { kind, found };
}

async function readProjects(organization: Organization, projects: readonly Found[]): Promise<Inventory> {
  const notRead: { readonly kinds: readonly KindName[]; readonly message: string }[] = [];
  const readable: KindName[] = [];
  for (const kind of CONTENT_KINDS) {
    try {
      await requireRead(organization, kind);
      readable.push(kind);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      notRead.push({ kinds: [kind], message: `No ${pluralOf(kind)} were read. ${error.message}` });
    }
  }

  async function listIn(project: Found, kind: KindName): Promise<readonly FoundObject[]> {
    const { [kind]: description } = KINDS;
    const inputs = { [description.parentId ?? ""]: project.uuid };
    try {
      const found = await listOf({ description, context: organization, inputs });
      return found.map((one) => ({ kind, found: one }));
    } catch (error) {
      if (!(error instanceof ForbiddenError)) throw error;
      notRead.push({ kinds: [kind], message: error.message });
      return [];
    }
  }

  async function contentOf(project: Found): Promise<readonly FoundObject[]> {
    try {
      const content = await Promise.all(readable.map((kind) => listIn(project, kind)));
      return [{ kind: "project", found: project }, ...content.flat()];
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      const note = noteIfNew(organization, project);
      const omitted = `Project ${project.uuid} was deleted while it was being read, so it was omitted.`;
      notRead.push(note ? { kinds: CONTENT_KINDS, message: note } : { kinds: KIND_NAMES, message: omitted });
      return note ? [{ kind: "project", found: project }] : [];
    }
  }

  const found = (await Promise.all(projects.map(contentOf))).flat();
  return {
    objects: examined(organization, found),
    problems: notRead.map(({ message }) => message).sort(),
    incomplete: new Set(notRead.flatMap(({ kinds }) => kinds)),
  };
}

async function requireRead({ session }: Organization, kind: KindName): Promise<void> {
  await requireScopes(session, KINDS[kind].scopes.read, `reading ${pluralOf(kind)}`);
}

/** Decides which objects a program can declare. Sorts them. */
function examined(
  { organizationId, session }: Organization,
  objects: readonly FoundObject[],
): readonly InventoryObject[] {
  const read = objects.map(({ kind, found }) => {
    const { uuid, createdAt } = found;
    const reading = imported(KINDS[kind], organizationId, found);
    return { kind, uuid, createdAt, ...importability(session, { kind, reading }) };
  });
  return sorted(read);
}

/** Each object once: by kind, and then from the oldest. */
export function sorted(objects: readonly InventoryObject[]): readonly InventoryObject[] {
  const unique = onceBy(objects, identityKey);
  return KIND_NAMES.flatMap((kind) => byAge(unique.filter((object) => object.kind === kind)));
}
