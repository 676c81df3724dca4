/** Reads the projects, applications and custom domains of an organization, from lists. */
import type { Scope } from "../../provider/client";
import { ForbiddenError, NotFoundError } from "../../provider/client/errors";
import type { Found } from "../../provider/lifecycle/description";
import { UserError } from "../../provider/lifecycle/errors";
import type { Reading } from "../../provider/lifecycle/operations";
import { notFoundIn } from "../../provider/lifecycle/ownership";
import { requireScopes } from "../../provider/session/session";
import { KIND_NAMES, KINDS, type KindName } from "../objects/kinds";
import { type Aged, byAge } from "../objects/logicalNames";
import { objectName } from "../objects/objectName";
import type { Progress } from "../terminal/console";
import { type ImportProblem, importability } from "./importability";
import type { Organization } from "./organization";

/** The number of links on a page of a list. */
const LINKS_PAGE_SIZE = 100;

/** An object of the service. */
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
  /** The name of its project. */
  readonly projectName?: string;
}

/** The objects of an organization, each kind from the oldest to the newest. */
export interface Inventory {
  readonly projects: readonly InventoryObject[];
  readonly applications: readonly InventoryObject[];
  readonly customDomains: readonly InventoryObject[];
  /** Objects that no program can declare, each with a problem. Those that are being deleted are among them. */
  readonly undeclarable: readonly InventoryObject[];
  /** The kinds of which some objects could not be read, each with a problem. */
  readonly incomplete: ReadonlySet<KindName>;
  /** The number of links of each project, by its UUID; empty unless links are counted. */
  readonly links: ReadonlyMap<string, number>;
  readonly problems: readonly Problem[];
}

/** Options of {@link readInventory}. */
export interface InventoryOptions {
  /** UUIDs of the projects to read. Default: all. */
  readonly projects?: readonly string[] | undefined;
  /** The kinds to read. Projects are always read, because the others are in them. Default: all. */
  readonly kinds?: readonly KindName[] | undefined;
  /** Whether to count links, with one request per hundred links of a project. Default: no. */
  readonly links?: boolean | undefined;
  readonly progress?: Progress | undefined;
}

/** The lists that are read for each project. */
const LISTED = [
  { kind: "application", plural: "applications", scope: "applications:read" },
  { kind: "customDomain", plural: "custom domains", scope: "domains:read" },
] as const;

/**
 * Reads the objects of an organization: one request for the projects, and two for each of them. The client limits how
 * many are in flight. Objects that the key may not read, that are deleted meanwhile, or that cannot be declared are
 * reported as problems; all others are returned.
 *
 * @throws UserError when projects cannot be listed, or a requested project does not exist.
 */
export async function readInventory(organization: Organization, options: InventoryOptions = {}): Promise<Inventory> {
  const { context, run } = organization;
  const { session } = run;
  const { client, organizationId, signal } = context;
  const problems: Problem[] = [];
  const undeclarable: InventoryObject[] = [];
  const incomplete = new Set<KindName>();

  async function allowed(kind: Problem["kind"], plural: string, scope: Scope): Promise<boolean> {
    try {
      await requireScopes(session, [scope], `listing ${plural}`);
      return true;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      if (kind !== "link") incomplete.add(kind);
      problems.push({ kind, message: `No ${plural} were read. ${error.message}` });
      return false;
    }
  }

  /** Reads something in a project. Undefined when the service forbids it. @throws NotFoundError */
  async function readIn<Value>(
    { kind, uuid }: { readonly kind: Problem["kind"]; readonly uuid: string },
    read: () => Promise<Value>,
  ): Promise<Value | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ForbiddenError)) throw error;
      if (kind !== "link") incomplete.add(kind);
      problems.push({ kind, uuid, message: error.message });
      return undefined;
    } finally {
      options.progress?.done();
    }
  }

  async function countLinks(projectId: string): Promise<number> {
    let count = 0;
    const request = { organizationId, projectId, limit: LINKS_PAGE_SIZE };
    for await (const _link of client.eachProjectLink(request, { signal })) count += 1;
    return count;
  }

  /** Selects the objects that a program can declare, from the oldest to the newest. */
  async function declarable(kind: KindName, found: readonly Found[]): Promise<InventoryObject[]> {
    const objects: InventoryObject[] = [];
    for (const one of byAge(found)) {
      const { uuid, createdAt } = one;
      const imported = KINDS[kind].imported(organizationId, one);
      const { reading, problem } = await importability(run, { kind, reading: imported });
      if (problem !== undefined) {
        const { message, ...rest } = problem;
        const projectName = projectNames.get(String(imported.inputs.projectId));
        const names = {
          name: objectName({ kind, reading: imported }),
          ...(projectName !== undefined && { projectName }),
        };
        problems.push({ kind, uuid, object: { ...client.printable(names), ...rest }, message });
      }
      const list = reading === undefined ? undeclarable : objects;
      list.push({ kind, reading: reading ?? imported, uuid, createdAt });
    }
    return objects;
  }

  await requireScopes(session, ["projects:read"], "listing projects");
  const projects = await listOf("project", {});
  const chosen = choose(projects, options.projects, organizationId);
  const projectNames = new Map(
    chosen.map((project) => {
      const reading = KINDS.project.imported(organizationId, project);
      return [project.uuid, objectName({ kind: "project", reading })] as const;
    }),
  );
  const kinds: KindName[] = [];
  for (const { kind, plural, scope } of LISTED) {
    const isWanted = options.kinds?.includes(kind) ?? true;
    if (isWanted && (await allowed(kind, plural, scope))) kinds.push(kind);
  }
  const counting = options.links === true && (await allowed("link", "links", "links:read"));
  options.progress?.addSteps(chosen.length * (kinds.length + Number(counting)));

  const contents = await Promise.all(
    byAge(chosen).map(async (project) => {
      const { uuid } = project;
      try {
        const lists = kinds.map(
          async (kind) =>
            [kind, await readIn({ kind, uuid }, () => listOf(kind, { projectId: uuid }))] as const,
        );
        const links = counting ? readIn({ kind: "link", uuid }, () => countLinks(uuid)) : undefined;
        const settled = await Promise.allSettled([...lists, links]);
        const failed = settled.find(({ status }) => status === "rejected");
        if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
        return { project, objects: new Map(await Promise.all(lists)), links: await links };
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        for (const kind of KIND_NAMES) incomplete.add(kind);
        problems.push({
          kind: "project",
          uuid,
          message: `Project ${uuid} was deleted while it was being read, so it was omitted.`,
        });
        return undefined;
      }
    }),
  );

  async function listOf(kind: KindName, inputs: { readonly projectId?: string }): Promise<Found[]> {
    return (await KINDS[kind].description.siblings?.(context, inputs)) ?? [];
  }

  const present = contents.filter((content) => content !== undefined);
  const listed = (kind: KindName) => present.flatMap(({ objects }) => objects.get(kind) ?? []);
  return {
    projects: await declarable(
      "project",
      present.map(({ project }) => project),
    ),
    applications: await declarable("application", listed("application")),
    customDomains: await declarable("customDomain", listed("customDomain")),
    undeclarable,
    incomplete,
    links: new Map(
      present.flatMap(({ project, links }) => (links === undefined ? [] : [[project.uuid, links] as const])),
    ),
    problems: problems.toSorted(byPlace),
  };
}

/** The objects of an inventory that a program can declare. */
export function declarableIn(inventory: Inventory): readonly InventoryObject[] {
  return [...inventory.projects, ...inventory.applications, ...inventory.customDomains];
}

/** All objects of an inventory, including those that no program can declare. */
export function objectsOf(inventory: Inventory): readonly InventoryObject[] {
  return [...declarableIn(inventory), ...inventory.undeclarable];
}

/** The requested projects. */
function choose(
  projects: readonly Found[],
  wanted: readonly string[] | undefined,
  organizationId: string,
): readonly Found[] {
  if (wanted === undefined) return projects;
  const byUuid = new Map(projects.map((project) => [project.uuid, project]));
  return [...new Set(wanted.map((uuid) => uuid.toLowerCase()))].map((uuid) => {
    const project = byUuid.get(uuid);
    if (project !== undefined) return project;
    throw notFoundIn(organizationId, "project", uuid, undefined);
  });
}

/** Orders problems, since requests complete in any order. */
function byPlace(one: Problem, other: Problem): number {
  const place = ({ kind, uuid = "", message }: Problem) => `${kind} ${uuid} ${message}`;
  return place(one) < place(other) ? -1 : Number(place(one) > place(other));
}
