/**
 * Decides whether an object that was not found was deleted, or never existed. A single 404 does not prove it, because reads may lag
 * behind writes, so the list of its project or organization must lack it as well.
 */
import { NotFoundError } from "../../client/errors";
import { notingRequests } from "../../client/notingRequests";
import { UserError } from "../../errors";
import { isUuid } from "../../shapes/uuid";
import type { Found, OperationContext, ResourceDescription } from "../description";
import { notFoundIn } from "../ownership";
import type { Properties } from "../properties";
import { ifVisible } from "./visible";

/** The object that was not found. */
interface ListedObject {
  readonly uuid: string;
  readonly state: Properties;
}

/** What the service responded to a list. */
export interface Listing {
  /** The listed objects by UUID; undefined if the service does not find the project that should be listed. */
  readonly objects: ReadonlyMap<string, Found> | undefined;
  /** The id of the request, for the service's support. */
  readonly requestId: string;
}

/** The lists that are evidence for an object. */
export interface Lists {
  /** Lists the objects of the same kind in the same project or organization. */
  list(): Promise<Listing>;
  /** Lists the projects of the organization. */
  projects(): Promise<Listing>;
}

/** Lists the objects of a kind in the project or organization of one of them. */
export async function listObjects(
  { list, parentId }: ResourceDescription,
  context: OperationContext,
  state: Properties,
): Promise<Listing> {
  return await listing(
    context,
    async (noting) => (await list?.(noting, state)) ?? [],
    parentId !== undefined,
  );
}

/** Lists the projects of the organization, without their properties. */
export async function listProjects(context: OperationContext): Promise<Listing> {
  return await listing(context, async ({ client, organizationId, signal }) =>
    (await client.listProjects({ organizationId }, { signal })).map(({ id: uuid, createdAt }) => ({
      uuid,
      createdAt,
      properties: {},
    })),
  );
}

/** Sends a list request. If it is the list of a project, the service may not find that project. */
async function listing(
  context: OperationContext,
  list: (context: OperationContext) => Promise<readonly Found[]>,
  ofProject = false,
): Promise<Listing> {
  let requestId = "";
  const client = notingRequests(context.client, (id) => {
    requestId = id;
  });
  try {
    const found = await list({ ...context, client });
    return { objects: new Map(found.map((one) => [one.uuid, one] as const)), requestId };
  } catch (error) {
    if (!ofProject || !(error instanceof NotFoundError)) throw error;
    return { objects: undefined, requestId };
  }
}

/**
 * The error if a list contradicts a 404, so that the object may still exist. Undefined if the list of its parent lacks it,
 * or if its project no longer exists. If the key cannot list projects, the 404 of the project's list is the evidence.
 */
export async function contradictionOf(
  description: ResourceDescription,
  context: OperationContext,
  object: ListedObject,
  notFound: NotFoundError,
  lists = listsFor(description, context, object.state),
): Promise<UserError | undefined> {
  const { title, parentId } = description;
  const { uuid, state } = object;
  if (parentId !== undefined && !isUuid(state[parentId])) {
    return new UserError(
      `${notFound.message}\nThe state has no valid ${parentId}, so no list can confirm that ${title} ${uuid} was deleted. If it was, remove it from the state with \`pulumi state delete\`.`,
      { cause: notFound },
    );
  }
  const fact = await contradictingFact(description, context, object, lists);
  if (fact === undefined) return undefined;
  return new UserError(
    `${notFound.message}\nHowever, ${fact}. One of the responses is outdated, so ${title} ${uuid} stays in the state. Run this again later.`,
    { cause: notFound },
  );
}

function listsFor(description: ResourceDescription, context: OperationContext, state: Properties): Lists {
  return { list: () => listObjects(description, context, state), projects: () => listProjects(context) };
}

/**
 * The error for an object that was not found by the UUID that the user has given. It says that there is no such object
 * only if the lists lack it as well: that of its project, or of every project if its project is not known.
 */
export async function notFoundError(
  description: ResourceDescription,
  context: OperationContext,
  { uuid, state }: ListedObject,
  notFound: NotFoundError,
): Promise<UserError> {
  const { title } = description;
  const absent = notFoundIn(context.organizationId, title, uuid, notFound);
  const states = await statesInProjects(description, context, state);
  if (states === undefined)
    return new UserError(
      `${absent.message}\nOnly one response says so: without the scope projects:read, no list can confirm it.`,
      { cause: notFound },
    );
  const facts = await Promise.all(
    states.map((each) =>
      contradictingFact(description, context, { uuid, state: each }, listsFor(description, context, each)),
    ),
  );
  const fact = facts.find((each) => each !== undefined);
  if (fact === undefined) return absent;
  return new UserError(
    `${notFound.message}\nHowever, ${fact}. One of the responses is outdated, so it is not known whether ${title} ${uuid} exists. Run this again later.`,
    { cause: notFound },
  );
}

/** What an object can have as its project: what it has, or any project. Undefined if the key cannot list the projects. */
async function statesInProjects(
  { parentId }: ResourceDescription,
  context: OperationContext,
  state: Properties,
): Promise<readonly Properties[] | undefined> {
  if (parentId === undefined || isUuid(state[parentId])) return [state];
  const projects = await ifVisible(context, "projects:read", () => listProjects(context));
  return projects && [...(projects.objects?.keys() ?? [])].map((project) => ({ [parentId]: project }));
}

async function contradictingFact(
  { title, parentId, list, listedAmong, idOf = title }: ResourceDescription,
  context: OperationContext,
  { uuid, state }: ListedObject,
  lists: Lists,
): Promise<string | undefined> {
  if (list === undefined) {
    const among = await ifVisible(context, "projects:read", async () => await listedAmong?.(context));
    const isListed = among?.some((each) => each.uuid === uuid.toLowerCase());
    return isListed ? `a list of the ${idOf}s of the organization contains it` : undefined;
  }
  const { objects, requestId } = await lists.list();
  const project = parentId === undefined ? undefined : String(state[parentId]).toLowerCase();
  const where = project === undefined ? "the organization" : `project ${project}`;
  if (objects !== undefined) {
    const isListed = objects.has(uuid.toLowerCase());
    return isListed ? `the list of the ${title}s of ${where} contains it (request ${requestId})` : undefined;
  }
  const projects = await ifVisible(context, "projects:read", lists.projects);
  return project !== undefined && projects?.objects?.has(project)
    ? `the list of the projects contains ${where} (request ${projects.requestId}), although its ${title}s were not found (request ${requestId})`
    : undefined;
}
