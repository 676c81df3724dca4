/** Reads the objects of an organization: its projects, and what is in them. */
import type { Scope } from "../../provider/client";
import { ForbiddenError, NotFoundError } from "../../provider/client/errors";
import { UserError } from "../../provider/errors";
import { readExisting } from "../../provider/lifecycle/adoption";
import { listOf } from "../../provider/lifecycle/create/wanted";
import type { Found, OperationContext } from "../../provider/lifecycle/description";
import type { Reading } from "../../provider/lifecycle/operations/objects";
import { requireScopes } from "../../provider/session/session";
import { CONTENT_KINDS, KIND_NAMES, KINDS, type KindName, pluralOf } from "../objects/kinds";
import { type Aged, byAge } from "../objects/logicalNames";
import { objectName } from "../objects/objectName";
import type { Progress } from "../terminal/console";
import { type ImportProblem, importability } from "./importability";
import type { Organization } from "./organization";

/** The number of links on a page of a list. */
const LINKS_PAGE_SIZE = 100;

export interface InventoryObject extends Aged {
  readonly kind: KindName;
  readonly reading: Reading;
}

/** Something that was omitted, or that needs review. */
export interface Problem {
  readonly kind: KindName | "link";
  /** The object, or the project whose objects are missing. */
  readonly uuid?: string;
  /** Present if the problem is that of an object. */
  readonly object?: ProblemObject;
  readonly message: string;
}

/** The object of a problem, as people know it. Its names are safe to print. */
export interface ProblemObject extends Omit<ImportProblem, "message"> {
  readonly name: string;
  readonly projectName?: string;
}

export interface Inventory {
  /** What a program can declare: in the order of the kinds, each from the oldest to the newest. */
  readonly objects: readonly InventoryObject[];
  /** Objects that no program can declare, each with a problem. Those that are being deleted are among them. */
  readonly undeclarable: readonly InventoryObject[];
  /** The kinds of which some objects could not be read, each with a problem. */
  readonly incomplete: ReadonlySet<KindName>;
  /** The number of links of each project, by its UUID; empty unless links are counted. */
  readonly links: ReadonlyMap<string, number>;
  readonly problems: readonly Problem[];
}

/** What to read. */
export interface InventoryOptions {
  /** UUIDs of projects. Default: all. */
  readonly projects: readonly string[] | undefined;
  /** Projects are always read, because the others are in them. Default: all kinds. */
  readonly kinds?: readonly KindName[] | undefined;
  /** Whether to count links, with one request per hundred links of a project. */
  readonly links: boolean;
}

/** Something that is read in each project: the objects of a kind, or the number of links. */
interface Part {
  readonly kind: Problem["kind"];
  readonly plural: string;
  readonly scopes: readonly Scope[];
  /** @throws NotFoundError if the project does not exist. */
  read(projectId: string): Promise<readonly Found[] | number>;
}

/** What was read of a part. Absent if the service forbids it. */
interface PartContent {
  readonly kind: Problem["kind"];
  readonly value?: readonly Found[] | number;
  readonly problem?: Problem;
}

interface ProjectContent {
  readonly project: Found;
  /** Undefined if the project was deleted meanwhile. */
  readonly parts: readonly PartContent[] | undefined;
}

/**
 * Reads the objects of an organization: one request for the projects, and one for each kind in each of them. The client
 * limits how many are in flight. Objects that the key may not read, that are deleted meanwhile, or that cannot be declared
 * are reported as problems; all others are returned.
 *
 * @throws UserError when projects cannot be listed, or a requested project does not exist.
 */
export async function readInventory(
  organization: Organization,
  options: InventoryOptions,
  progress: Progress,
): Promise<Inventory> {
  const { description } = KINDS.project;
  await requireScopes(organization.session, description.scopes.read, `listing ${pluralOf("project")}`);
  const listed = await listOf({ description, context: organization, inputs: {} });
  const projects = await choose(organization, listed, options.projects);
  const { allowed, refused } = await allowedParts(organization, partsOf(organization, options));
  progress.setTotal(projects.length * allowed.length);
  const contents = await Promise.all(byAge(projects).map((project) => contentOf(project, allowed, progress)));
  return await inventoryOf(organization, contents, refused);
}

/** What to read in each project. */
function partsOf(context: Organization, { kinds = CONTENT_KINDS, links }: InventoryOptions): Part[] {
  const { client, organizationId, signal } = context;
  const content = CONTENT_KINDS.filter((kind) => kinds.includes(kind)).map((kind): Part => {
    const { description } = KINDS[kind];
    return {
      kind,
      plural: pluralOf(kind),
      scopes: description.scopes.read,
      read: (projectId) =>
        listOf({ description, context, inputs: { [description.parentId ?? ""]: projectId } }),
    };
  });
  async function countLinks(projectId: string): Promise<number> {
    let count = 0;
    const request = { organizationId, projectId, limit: LINKS_PAGE_SIZE };
    for await (const _link of client.eachProjectLink(request, { signal })) count += 1;
    return count;
  }
  const counting: Part = { kind: "link", plural: "links", scopes: ["links:read"], read: countLinks };
  return links ? [...content, counting] : content;
}

/** The parts that the scopes of the key allow, and a problem for each of the others. */
async function allowedParts({ session }: Organization, parts: readonly Part[]) {
  const checked = await Promise.all(
    parts.map(async (part): Promise<{ readonly allowed?: Part; readonly refused?: Problem }> => {
      const { kind, plural, scopes } = part;
      try {
        await requireScopes(session, scopes, `listing ${plural}`);
        return { allowed: part };
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        return { refused: { kind, message: `No ${plural} were read. ${error.message}` } };
      }
    }),
  );
  return {
    allowed: checked.flatMap(({ allowed }) => allowed ?? []),
    refused: checked.flatMap(({ refused }) => refused ?? []),
  };
}

/** Reads what is in a project. */
async function contentOf(
  project: Found,
  parts: readonly Part[],
  progress: Progress,
): Promise<ProjectContent> {
  const { uuid } = project;
  const results = await Promise.allSettled(
    parts.map(async ({ kind, read }): Promise<PartContent> => {
      try {
        return { kind, value: await read(uuid) };
      } catch (error) {
        if (!(error instanceof ForbiddenError)) throw error;
        return { kind, problem: { kind, uuid, message: error.message } };
      } finally {
        progress.increment();
      }
    }),
  );
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined && !(failed.reason instanceof NotFoundError)) throw failed.reason;
  const read = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  return { project, parts: failed === undefined ? read : undefined };
}

/** Puts everything that was read together, and selects what a program can declare. */
async function inventoryOf(
  organization: Organization,
  contents: readonly ProjectContent[],
  refused: readonly Problem[],
): Promise<Inventory> {
  const present = contents.filter(({ parts }) => parts !== undefined);
  const deleted = contents.filter(({ parts }) => parts === undefined);
  const read = present.flatMap(({ project, parts = [] }) => parts.map((part) => ({ project, ...part })));
  const notRead = [...refused, ...read.flatMap(({ problem }) => problem ?? [])];
  const found = KIND_NAMES.flatMap((kind) =>
    byAge(
      kind === "project"
        ? present.map(({ project }) => project)
        : read.flatMap((part) => (part.kind === kind && typeof part.value === "object" ? part.value : [])),
    ).map((one) => ({ kind, one })),
  );
  const examined = await examine(organization, found, contents);
  return {
    objects: examined.filter(({ isDeclarable }) => isDeclarable).map(({ object }) => object),
    undeclarable: examined.filter(({ isDeclarable }) => !isDeclarable).map(({ object }) => object),
    incomplete: new Set([
      ...(deleted.length > 0 ? KIND_NAMES : []),
      ...notRead.flatMap(({ kind }) => (kind === "link" ? [] : [kind])),
    ]),
    links: new Map(
      read.flatMap(({ project, value }) =>
        typeof value === "number" ? [[project.uuid, value] as const] : [],
      ),
    ),
    problems: [
      ...notRead,
      ...deleted.map(({ project: { uuid } }) => ({
        kind: "project" as const,
        uuid,
        message: `Project ${uuid} was deleted while it was being read, so it was omitted.`,
      })),
      ...examined.flatMap(({ problem }) => problem ?? []),
    ].toSorted(byKindAndUuid),
  };
}

/** An object, and whether a program can declare it. */
interface Examined {
  readonly object: InventoryObject;
  readonly isDeclarable: boolean;
  readonly problem?: Problem;
}

/** Decides which objects a program can declare. */
async function examine(
  organization: Organization,
  found: readonly { readonly kind: KindName; readonly one: Found }[],
  contents: readonly ProjectContent[],
): Promise<readonly Examined[]> {
  const readingOf = (kind: KindName, one: Found) => KINDS[kind].imported(organization.organizationId, one);
  const projectNames = new Map(
    contents.map(({ project }) => [
      project.uuid,
      objectName({ kind: "project", reading: readingOf("project", project) }),
    ]),
  );
  return await Promise.all(
    found.map(async ({ kind, one }): Promise<Examined> => {
      const { uuid, createdAt } = one;
      const imported = readingOf(kind, one);
      const { reading, problem } = await importability(organization, { kind, reading: imported });
      const object = { kind, reading: reading ?? imported, uuid, createdAt };
      const isDeclarable = reading !== undefined;
      if (problem === undefined) return { object, isDeclarable };
      const { message, ...rest } = problem;
      const projectName = projectNames.get(String(imported.inputs.projectId));
      const names = { name: objectName(object), ...(projectName !== undefined && { projectName }) };
      const about = { ...organization.client.sanitized(names), ...rest };
      return { object, isDeclarable, problem: { kind, uuid, object: about, message } };
    }),
  );
}

/** All objects of an inventory, including those that no program can declare. */
export function objectsOf({ objects, undeclarable }: Inventory): readonly InventoryObject[] {
  return [...objects, ...undeclarable];
}

/** The requested projects. One that the list lacks is read. @throws UserError if it does not exist. */
async function choose(
  context: OperationContext,
  projects: readonly Found[],
  wanted: readonly string[] | undefined,
): Promise<readonly Found[]> {
  if (wanted === undefined) return projects;
  const byUuid = new Map(projects.map((project) => [project.uuid, project]));
  const uuids = [...new Set(wanted.map((uuid) => uuid.toLowerCase()))];
  return await Promise.all(
    uuids.map(
      async (uuid) =>
        byUuid.get(uuid) ??
        readExisting({ description: KINDS.project.description, context, uuid, state: {} }),
    ),
  );
}

/** Orders problems, since requests complete in any order. */
function byKindAndUuid(one: Problem, other: Problem): number {
  const key = ({ kind, uuid = "", message }: Problem) => `${kind} ${uuid} ${message}`;
  return key(one) < key(other) ? -1 : Number(key(one) > key(other));
}
