/** What an organization has: its projects, applications and custom domains, read from lists. */
import { bulkhead } from "cockatiel";
import type { Scope } from "../provider/client";
import { ForbiddenError, NotFoundError } from "../provider/client/errors";
import type { Found } from "../provider/lifecycle/description";
import { UserError } from "../provider/lifecycle/errors";
import type { Reading } from "../provider/lifecycle/operations";
import { notFoundIn } from "../provider/lifecycle/ownership";
import { requireScopes } from "../provider/session/session";
import type { Progress } from "./console";
import { importability } from "./importability";
import { KINDS, type KindName } from "./kinds";
import { type Aged, byAge } from "./logicalNames";
import type { Organization } from "./organization";

/** How many requests are under way at the same time: few enough for a service that has others to serve. */
export const PARALLEL_READS = 8;

/** How many links a page of a list has. */
const LINKS_PAGE_SIZE = 100;

/** An object of the service that a program can declare. */
export interface EstateObject extends Aged {
  readonly kind: KindName;
  readonly reading: Reading;
}

/** Something that was left out, or that needs to be looked at. */
interface Problem {
  readonly kind: KindName | "link";
  /** The object, or the project whose objects are missing. */
  readonly uuid?: string;
  readonly message: string;
}

/** What was found in an organization: each kind from the oldest object to the newest. */
export interface Estate {
  readonly projects: readonly EstateObject[];
  readonly applications: readonly EstateObject[];
  readonly customDomains: readonly EstateObject[];
  /** How many links each project has, by its UUID; empty unless they were to be counted. */
  readonly links: ReadonlyMap<string, number>;
  readonly problems: readonly Problem[];
}

/** Options of {@link readEstate}. */
export interface EstateOptions {
  /** UUIDs of the projects to look at. Default: all. */
  readonly projects?: readonly string[] | undefined;
  /** Whether to count links, at a request for every hundred of a project. Default: no. */
  readonly links?: boolean | undefined;
  readonly progress?: Progress | undefined;
}

/** What is listed of each project. */
const LISTED = [
  { kind: "application", plural: "applications", scope: "applications:read" },
  { kind: "customDomain", plural: "custom domains", scope: "domains:read" },
] as const;

/**
 * Reads what an organization has: one request for the projects, and two for each of them. What the key may not see,
 * what goes away meanwhile and what cannot be declared becomes a problem; everything else is there all the same.
 *
 * @throws UserError when projects cannot be listed, or one that was asked for is not there.
 */
export async function readEstate(organization: Organization, options: EstateOptions = {}): Promise<Estate> {
  const { context, host } = organization;
  const { session } = host;
  const { client, organizationId, signal } = context;
  const problems: Problem[] = [];
  const reads = bulkhead(PARALLEL_READS, Number.POSITIVE_INFINITY);

  async function allowed(kind: Problem["kind"], plural: string, scope: Scope): Promise<boolean> {
    try {
      await requireScopes(session, [scope], `listing ${plural}`);
      return true;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      problems.push({ kind, message: `No ${plural} were read. ${error.message}` });
      return false;
    }
  }

  /** A read of something in a project. Undefined when the service forbids it. @throws NotFoundError */
  async function readIn<Value>(
    { kind, uuid }: { readonly kind: Problem["kind"]; readonly uuid: string },
    read: () => Promise<Value>,
  ): Promise<Value | undefined> {
    try {
      return await reads.execute(read);
    } catch (error) {
      if (!(error instanceof ForbiddenError)) throw error;
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

  /** The objects that a program can declare, from the oldest to the newest. */
  async function declarable(kind: KindName, found: readonly Found[]): Promise<EstateObject[]> {
    const objects: EstateObject[] = [];
    for (const one of byAge(found)) {
      const { reading, problem } = await importability(host, {
        kind,
        reading: KINDS[kind].imported(organizationId, one),
      });
      if (problem !== undefined) problems.push({ kind, uuid: one.uuid, message: problem });
      if (reading !== undefined) objects.push({ kind, reading, uuid: one.uuid, createdAt: one.createdAt });
    }
    return objects;
  }

  await requireScopes(session, ["projects:read"], "listing projects");
  const projects = await listOf("project", {});
  const chosen = choose(projects, options.projects, organizationId);
  const kinds: KindName[] = [];
  for (const { kind, plural, scope } of LISTED) if (await allowed(kind, plural, scope)) kinds.push(kind);
  const counting = options.links === true && (await allowed("link", "links", "links:read"));
  options.progress?.expect(chosen.length * (kinds.length + Number(counting)));

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
        problems.push({
          kind: "project",
          uuid,
          message: `Project ${uuid} went away while it was read, so it was left out.`,
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
    links: new Map(
      present.flatMap(({ project, links }) => (links === undefined ? [] : [[project.uuid, links] as const])),
    ),
    problems: problems.toSorted(byPlace),
  };
}

/** The projects that were asked for. */
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

/** Requests end in any order; the problems they leave are told in one. */
function byPlace(one: Problem, other: Problem): number {
  const place = ({ kind, uuid = "", message }: Problem) => `${kind} ${uuid} ${message}`;
  return place(one) < place(other) ? -1 : Number(place(one) > place(other));
}
