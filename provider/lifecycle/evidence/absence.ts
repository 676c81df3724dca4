/**
 * Decides whether an object that was not found was deleted, or never existed. A single 404 does not prove it, because reads may lag
 * behind writes, so the list of its project or organization must lack it as well: see docs/internals/service.md.
 */
import { NotFoundError } from "../../client/errors";
import { UserError } from "../../errors";
import { withArticle } from "../../values/phrases";
import { isUuid } from "../../values/uuid";
import { existsInService, ownerOf, titleOfId } from "../creates";
import type { OperationContext } from "../description";
import type { Properties } from "../properties";
import { ifVisible, type Lists, type LookupTarget, listObjects, PROJECT_KIND, projectsOf } from "./lists";

/** What the lists show about an object that was not found. */
export type Absence =
  /** They lack it, or its project no longer exists. */
  | { readonly is: "gone" }
  /** One contains it, or its project, which was not found either: the fact that contradicts the 404, as a clause. */
  | { readonly is: "listed"; readonly where: string }
  /** None can confirm the 404: why not, as a clause. */
  | { readonly is: "unconfirmed"; readonly why: string };

/** What the 404 of an object of a state means. */
export type Missing = Absence & { readonly notFound: NotFoundError };

const GONE: Absence = { is: "gone" };

/** Looks for an object of the state in the list of its parent. If the key cannot list projects, the 404 of that list decides. */
export async function confirmAbsence(target: LookupTarget, lists = listsFor(target)): Promise<Absence> {
  const { parentId } = target.description;
  return parentId === undefined || isUuid(target.state[parentId])
    ? await confirmAbsenceIn(target, lists)
    : { is: "unconfirmed", why: `the state has no valid ${parentId}, so no list can confirm it` };
}

function listsFor(target: LookupTarget): Lists {
  return {
    list: () => listObjects(target),
    projects: () => listObjects({ ...target, description: PROJECT_KIND }),
  };
}

/** Requires that an object of the state that was not found is gone. @throws UserError if it may exist. */
export function requireGone(
  { description: { title }, uuid }: Pick<LookupTarget, "description" | "uuid">,
  notFound: NotFoundError,
  absence: Absence,
): void {
  const doubt = doubtIn(absence, `${title} ${uuid} stays in the state`);
  if (doubt === "") return;
  const ifDeleted = ` If ${title} ${uuid} was deleted, remove it from the state with \`pulumi state delete\`.`;
  const next = absence.is === "listed" ? "" : ifDeleted;
  throw new UserError(`${notFound.message}${doubt}${next}`, { cause: notFound });
}

/** Why a 404 does not count, as further lines. Empty if the object is gone. The consequence is a clause. */
function doubtIn(absence: Absence, consequence: string): string {
  if (absence.is === "gone") return "";
  return absence.is === "listed"
    ? `\nHowever, ${absence.where}. One of the responses is outdated, so ${consequence}. Run this again later.`
    : `\nOnly one response says so: ${absence.why}.`;
}

/** Looks in the lists, and returns the error for a UUID that a user has given: that there is none only if the lists lack it. */
export async function explainNotFound(
  target: LookupTarget,
  notFound: NotFoundError,
  known?: Absence,
): Promise<UserError> {
  const { context, uuid, advice, description } = target;
  const { title } = description;
  const absence = known ?? (await confirmAbsenceAnywhere(target));
  const doubt = doubtIn(absence, `it is not known whether ${title} ${uuid} exists`);
  if (absence.is === "listed") return new UserError(`${notFound.message}${doubt}`, { cause: notFound });
  const absent = `There is no ${title} ${uuid} in organization ${context.organizationId}. Check that this is the UUID of ${withArticle(titleOfId(description))}, and that the API key and apiUrl are those of the organization that owns it. If it was created a moment ago, run this again in a minute.`;
  return new UserError(`${absent}${advice === undefined ? "" : ` ${advice}`}${doubt}`, { cause: notFound });
}

/** The same for a project. */
export async function explainProjectNotFound(
  context: OperationContext,
  projectId: string,
  notFound: NotFoundError,
): Promise<UserError> {
  return await explainNotFound({ description: PROJECT_KIND, context, uuid: projectId, state: {} }, notFound);
}

/** Looks for an object by its UUID alone: in the list of the project that it is declared in, and then in those of all projects. */
export async function confirmAbsenceAnywhere(target: LookupTarget): Promise<Absence> {
  const { context, state, description } = target;
  const { title, parentId, list } = description;
  if (list === undefined && ownerOf(description) === undefined)
    return { is: "unconfirmed", why: `${title}s are not listed to confirm it` };
  const among = (place: Properties) => {
    const there = { ...target, state: place };
    return confirmAbsenceIn(there, listsFor(there));
  };
  const isDeclared = parentId !== undefined && isUuid(state[parentId]);
  const declared = isDeclared ? await among(state) : GONE;
  if (declared.is !== "gone") return declared;
  const places = await ifVisible(context, "projects:read", () => placesFor(target));
  if (places === undefined)
    return { is: "unconfirmed", why: "without the scope projects:read, no list can confirm it" };
  const all = await Promise.all(places.map(among));
  return all.find(({ is }) => is !== "gone") ?? GONE;
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

/** Looks in the list of one place. If that is not found, its project counts, if the key can list the projects. */
async function confirmAbsenceIn(target: LookupTarget, lists: Lists): Promise<Absence> {
  const { description, context, uuid, state } = target;
  const { title, parentId, list } = description;
  if (list === undefined) return await confirmAbsenceByOwner(target);
  const { objects, requestId } = await lists.list();
  const project = parentId === undefined ? undefined : String(state[parentId]).toLowerCase();
  const where = project === undefined ? "the organization" : `project ${project}`;
  if (objects?.has(uuid.toLowerCase()))
    return {
      is: "listed",
      where: `the list of the ${title}s of ${where} contains it (request ${requestId})`,
    };
  if (objects !== undefined || project === undefined) return GONE;
  const projects = await ifVisible(context, "projects:read", lists.projects);
  if (!projects?.objects?.has(project)) return GONE;
  return {
    is: "listed",
    where: `the list of the projects contains ${where} (request ${projects.requestId}), although its ${title}s were not found (request ${requestId})`,
  };
}

/** Looks for the owner of a resource without a list. A setting that is not found is not set, whether its owner exists or not. */
async function confirmAbsenceByOwner({ description, context, uuid }: LookupTarget): Promise<Absence> {
  const owner = ownerOf(description);
  if (owner === undefined || existsInService(description)) return GONE;
  try {
    const among = await ifVisible(context, "projects:read", () => owner.list(context));
    if (among?.some((each) => each.uuid === uuid.toLowerCase()) !== true) return GONE;
    return { is: "listed", where: `a list of the ${owner.title}s of the organization contains it` };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return {
      is: "listed",
      where: `the list of the projects contains one whose ${owner.title}s were not found (request ${error.requestId})`,
    };
  }
}
