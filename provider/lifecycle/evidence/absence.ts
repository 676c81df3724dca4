/**
 * Decides whether an object that was not found was deleted, or never existed. A single 404 does not prove it, because reads may lag
 * behind writes, so the list of its project or organization must lack it as well.
 */
import { NotFoundError } from "../../client/errors";
import { UserError } from "../../errors";
import { withArticle } from "../../values/phrases";
import { isUuid } from "../../values/uuid";
import type { OperationContext } from "../description";
import { objectKey } from "../ledger/facts";
import type { Properties } from "../properties";
import { type Lists, type LookupTarget, listObjects, PROJECT_KIND, projectsOf } from "./lists";
import { ifVisible } from "./visible";

/**
 * The error if a list contradicts a 404, so that the object may still exist. Undefined if the list of its parent lacks it,
 * or if its project no longer exists. If the key cannot list projects, the 404 of the project's list is the evidence.
 *
 * @throws UserError if the state does not name the list, so that no later one can confirm the 404.
 */
export async function contradictionOf(
  target: LookupTarget,
  notFound: NotFoundError,
  lists = listsFor(target),
): Promise<UserError | undefined> {
  const { description, uuid, state } = target;
  const { title, parentId } = description;
  if (parentId !== undefined && !isUuid(state[parentId])) {
    throw new UserError(
      `${notFound.message}\nThe state has no valid ${parentId}, so no list can confirm that ${title} ${uuid} was deleted. If it was, remove it from the state with \`pulumi state delete\`.`,
      { cause: notFound },
    );
  }
  const fact = await contradictingFact(target, lists);
  if (fact === undefined) return undefined;
  return new UserError(
    `${notFound.message}\nHowever, ${fact}. One of the responses is outdated, so ${title} ${uuid} stays in the state. Run this again later.`,
    { cause: notFound },
  );
}

function listsFor(target: LookupTarget): Lists {
  return {
    list: () => listObjects(target),
    projects: () => listObjects({ ...target, description: PROJECT_KIND }),
  };
}

/** The evidence of lists about an object that was not found. With neither property, they lack it. */
export interface Evidence {
  /** The fact that contradicts the 404, as a clause. */
  readonly contradiction?: string | undefined;
  /** Why no list can confirm the 404, as a clause. */
  readonly whyUnconfirmed?: string;
}

/**
 * The error for an object that was not found by the UUID that the user has given. It says that there is no such object
 * only if the lists lack it as well.
 */
export async function notFoundError(
  target: LookupTarget,
  notFound: NotFoundError,
  evidence?: Evidence,
): Promise<UserError> {
  const { context, uuid, advice } = target;
  const { title, idOf = { title } } = target.description;
  const { contradiction, whyUnconfirmed } = evidence ?? (await evidenceFor(target));
  if (contradiction !== undefined) {
    return new UserError(
      `${notFound.message}\nHowever, ${contradiction}. One of the responses is outdated, so it is not known whether ${title} ${uuid} exists. Run this again later.`,
      { cause: notFound },
    );
  }
  const absent = `There is no ${title} ${uuid} in organization ${context.organizationId}. Check that this is the UUID of ${withArticle(idOf.title)}, and that the API key and apiUrl are those of the organization that owns it. If it was created a moment ago, run this again in a minute.`;
  const doubt = whyUnconfirmed === undefined ? "" : `\nOnly one response says so: ${whyUnconfirmed}.`;
  return new UserError(`${absent}${advice === undefined ? "" : ` ${advice}`}${doubt}`, { cause: notFound });
}

/** The same error for a project. */
export async function projectNotFoundError(
  context: OperationContext,
  projectId: string,
  notFound: NotFoundError,
): Promise<UserError> {
  return await notFoundError({ description: PROJECT_KIND, context, uuid: projectId, state: {} }, notFound);
}

/** Looks for an object in the list of the project that it is declared in, and then in those of all projects. */
export async function evidenceFor(target: LookupTarget): Promise<Evidence> {
  const { context, state } = target;
  const { title, parentId, list, idOf } = target.description;
  if (list === undefined && idOf === undefined)
    return { whyUnconfirmed: `${title}s are not listed to confirm it` };
  const factIn = (place: Properties) => {
    const there = { ...target, state: place };
    return contradictingFact(there, listsFor(there));
  };
  const isDeclared = parentId !== undefined && isUuid(state[parentId]);
  const contradiction = isDeclared ? await factIn(state) : undefined;
  if (contradiction !== undefined) return { contradiction };
  const places = await ifVisible(context, "projects:read", () => placesFor(target));
  if (places === undefined)
    return { whyUnconfirmed: "without the scope projects:read, no list can confirm it" };
  const facts = await Promise.all(places.map(factIn));
  return { contradiction: facts.find((each) => each !== undefined) };
}

/** Where else an object may be, as states: in the organization, or in any project other than the declared one. */
async function placesFor({ description, context, state }: LookupTarget): Promise<readonly Properties[]> {
  const { parentId, list } = description;
  if (parentId === undefined || list === undefined) return [state];
  const declared = String(state[parentId]).toLowerCase();
  return (await projectsOf(context))
    .filter((project) => project.uuid !== declared)
    .map((project) => ({ [parentId]: project.uuid }));
}

/**
 * The fact that contradicts the 404, as a clause: a list has the object, or has its project, which was not found either. A
 * project that is not found is evidence as well, if the key cannot list the projects.
 */
async function contradictingFact(
  { description, context, uuid, state }: LookupTarget,
  lists: Lists,
): Promise<string | undefined> {
  const { title, parentId, list, idOf } = description;
  const id = uuid.toLowerCase();
  if (list === undefined) {
    try {
      const among = await ifVisible(context, "projects:read", async () => await idOf?.list(context));
      const hasIt = among?.some((each) => each.uuid === id);
      return hasIt ? `a list of the ${idOf?.title}s of the organization contains it` : undefined;
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      return `the list of the projects contains one whose ${idOf?.title}s were not found (request ${error.requestId})`;
    }
  }
  const { objects, requestId } = await lists.list();
  const project = parentId === undefined ? undefined : String(state[parentId]).toLowerCase();
  const where = project === undefined ? "the organization" : `project ${project}`;
  if (objects?.has(id)) {
    context.facts?.record({ is: "found", object: objectKey(title, id) });
    return `the list of the ${title}s of ${where} contains it (request ${requestId})`;
  }
  if (objects !== undefined || project === undefined) return undefined;
  const projects = await ifVisible(context, "projects:read", lists.projects);
  return projects?.objects?.has(project)
    ? `the list of the projects contains ${where} (request ${projects.requestId}), although its ${title}s were not found (request ${requestId})`
    : undefined;
}
