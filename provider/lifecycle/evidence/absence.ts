/**
 * Decides whether an object that was not found was deleted, or never existed. A single 404 does not prove it, because reads may lag
 * behind writes, so the list of its project or organization must lack it as well.
 */
import { NotFoundError } from "../../client/errors";
import { notingRequests } from "../../client/notingRequests";
import { UserError } from "../../errors";
import { isUuid } from "../../shapes/uuid";
import { withArticle } from "../../shapes/words";
import type { Found, OperationContext, ResourceDescription } from "../description";
import type { Properties } from "../properties";
import { ifVisible } from "./visible";

/** A kind of objects as far as evidence needs its description. */
export interface ListedKind extends Pick<ResourceDescription, "title" | "parentId" | "idOf" | "listedAmong"> {
  /** Lists the objects of the project of a state, or of the organization. */
  list?(context: OperationContext, state: object): Promise<readonly Found<object>[]>;
}

/** An object of which it is not known whether it exists, with the context in which it is looked for. */
export interface Sought<Kind extends ListedKind = ListedKind> {
  readonly description: Kind;
  readonly context: OperationContext;
  readonly uuid: string;
  readonly state: Properties;
  /** What to do if it does not exist, as a sentence. */
  readonly advice?: string | undefined;
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
export async function listObjects({ description, context, state }: Omit<Sought, "uuid">): Promise<Listing> {
  const { list, parentId } = description;
  return await listing(
    context,
    async (noting) => ((await list?.(noting, state)) ?? []) as readonly Found[],
    parentId !== undefined,
  );
}

/** Lists the projects of the organization, without their properties. */
export async function listProjects(context: OperationContext): Promise<Listing> {
  return await listing(context, projectsOf);
}

async function projectsOf({ client, organizationId, signal }: OperationContext): Promise<Found[]> {
  const projects = await client.listProjects({ organizationId }, { signal });
  return projects.map(({ id: uuid, createdAt }) => ({ uuid, createdAt, properties: {} }));
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
  sought: Sought,
  notFound: NotFoundError,
  lists = listsFor(sought),
): Promise<UserError | undefined> {
  const { description, uuid, state } = sought;
  const { title, parentId } = description;
  if (parentId !== undefined && !isUuid(state[parentId])) {
    return new UserError(
      `${notFound.message}\nThe state has no valid ${parentId}, so no list can confirm that ${title} ${uuid} was deleted. If it was, remove it from the state with \`pulumi state delete\`.`,
      { cause: notFound },
    );
  }
  const fact = await contradictingFact(sought, lists);
  if (fact === undefined) return undefined;
  return new UserError(
    `${notFound.message}\nHowever, ${fact}. One of the responses is outdated, so ${title} ${uuid} stays in the state. Run this again later.`,
    { cause: notFound },
  );
}

function listsFor(sought: Sought): Lists {
  return { list: () => listObjects(sought), projects: () => listProjects(sought.context) };
}

/** What the lists say about an object that was not found. With neither property, they lack it. */
export interface Evidence {
  /** The fact that contradicts the 404, as a clause. */
  readonly contradiction?: string | undefined;
  /** Why no list can confirm the 404, as a clause. */
  readonly gap?: string;
}

/** Projects, for modules that do not know the descriptions. */
const PROJECTS: ListedKind = { title: "project", list: projectsOf };

/**
 * The error for an object that was not found by the UUID that the user has given. It says that there is no such object
 * only if the lists lack it as well.
 */
export async function notFoundError(
  sought: Sought,
  notFound: NotFoundError,
  evidence?: Evidence,
): Promise<UserError> {
  const { context, uuid, advice } = sought;
  const { title, idOf = title } = sought.description;
  const { contradiction, gap } = evidence ?? (await evidenceFor(sought));
  if (contradiction !== undefined) {
    return new UserError(
      `${notFound.message}\nHowever, ${contradiction}. One of the responses is outdated, so it is not known whether ${title} ${uuid} exists. Run this again later.`,
      { cause: notFound },
    );
  }
  const absent = `There is no ${title} ${uuid} in organization ${context.organizationId}. Check that this is the UUID of ${withArticle(idOf)}, and that the API key and apiUrl are those of the organization that owns it.`;
  const doubt = gap === undefined ? "" : `\nOnly one response says so: ${gap}.`;
  return new UserError(`${absent}${advice === undefined ? "" : ` ${advice}`}${doubt}`, { cause: notFound });
}

/** The same error for a project. */
export async function projectNotFoundError(
  context: OperationContext,
  projectId: string,
  notFound: NotFoundError,
): Promise<UserError> {
  return await notFoundError({ description: PROJECTS, context, uuid: projectId, state: {} }, notFound);
}

/** Looks for an object in the list of the project that it is declared in, and then in those of all projects. */
export async function evidenceFor(sought: Sought): Promise<Evidence> {
  const { context, state } = sought;
  const { title, parentId, list, listedAmong } = sought.description;
  if (list === undefined && listedAmong === undefined)
    return { gap: `${title}s are not listed to confirm it` };
  const factIn = (place: Properties) => {
    const there = { ...sought, state: place };
    return contradictingFact(there, listsFor(there));
  };
  const isDeclared = parentId !== undefined && isUuid(state[parentId]);
  const contradiction = isDeclared ? await factIn(state) : undefined;
  if (contradiction !== undefined) return { contradiction };
  const places = await ifVisible(context, "projects:read", () => placesFor(sought));
  if (places === undefined) return { gap: "without the scope projects:read, no list can confirm it" };
  const facts = await Promise.all(places.map(factIn));
  return { contradiction: facts.find((each) => each !== undefined) };
}

/** Where else an object may be, as states: in the organization, or in any project other than the declared one. */
async function placesFor({ description, context, state }: Sought): Promise<readonly Properties[]> {
  const { parentId, list } = description;
  if (parentId === undefined || list === undefined) return [state];
  const declared = String(state[parentId]).toLowerCase();
  return (await projectsOf(context))
    .filter((project) => project.uuid !== declared)
    .map((project) => ({ [parentId]: project.uuid }));
}

async function contradictingFact(
  { description, context, uuid, state }: Sought,
  lists: Lists,
): Promise<string | undefined> {
  const { title, parentId, list, listedAmong, idOf = title } = description;
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
