/** Everything that exists in one emulated service: lookups, and removal with everything that depends on an object. */
import type { Behaviour } from "./behaviour";
import type { Application, Credential, CustomDomain, Link, Mutable, Organization, Project } from "./entities";
import { normalizedHostname, sameHostname } from "./hostname";

/** Everything that exists. Maps keep the order of creation. */
export interface World {
  readonly organizations: Map<string, Mutable<Organization>>;
  /** By key. */
  readonly credentials: Map<string, Mutable<Credential>>;
  readonly projects: Map<string, Mutable<Project>>;
  readonly applications: Map<string, Mutable<Application>>;
  readonly customDomains: Map<string, Mutable<CustomDomain>>;
  readonly links: Map<string, Mutable<Link>>;
  readonly lag: Lag;
  /** Every id that an object has, had, or gets from a seed, in lower case. None of them is generated. */
  readonly ids: Set<string>;
  /** How many ids were ever needed. Generated ids derive from it, so that the same calls give the same ids. */
  // biome-ignore lint/plugin/readonlyMembers: every addition increments it.
  sequence: number;
}

/** What a read that lags behind writes may get wrong. */
export interface Lag {
  /** The ids of the objects that were created over HTTP. */
  readonly created: Set<string>;
  readonly deletedProjects: Set<Mutable<Project>>;
  readonly deletedApplications: Set<Mutable<Application>>;
  readonly deletedCustomDomains: Set<Mutable<CustomDomain>>;
  /** How often each option of the lag has applied to each object. */
  readonly counts: Map<string, number>;
  /** The earlier versions of each changed object that reads may still show, oldest first, by its id. */
  readonly versions: Map<string, readonly Version[]>;
}

/** The options of a lag of values. */
export type ChangeLag = "changeReadable" | "changeListed";

/** An object as it was before a change. */
export interface Version {
  readonly entity: Project | Application | CustomDomain;
  /** When it was changed. */
  readonly until: Date;
  /** How many reads there were since the change, for each option of the lag that applies to it. */
  readonly reads: Map<ChangeLag, number>;
}

/** What every operation works on. */
export interface Service {
  // biome-ignore lint/plugin/readonlyMembers: a reset and a seed replace it.
  world: World;
  // biome-ignore lint/plugin/readonlyMembers: a reset and `setBehaviour` replace it.
  behaviour: Behaviour;
  now(): Date;
}

/** The error of a reference to an object that does not exist. */
export class MissingError extends Error {}

/** The error of an addition that already exists. */
export class DuplicateError extends Error {}

/** Creates an empty world. */
export function createWorld(): World {
  return {
    organizations: new Map(),
    credentials: new Map(),
    projects: new Map(),
    applications: new Map(),
    customDomains: new Map(),
    links: new Map(),
    lag: {
      created: new Set(),
      deletedProjects: new Set(),
      deletedApplications: new Set(),
      deletedCustomDomains: new Set(),
      counts: new Map(),
      versions: new Map(),
    },
    ids: new Set(),
    sequence: 0,
  };
}

/** Removes a Project and everything in it. */
export function removeProject(world: World, id: string): void {
  const project = existing(world.projects, id);
  for (const link of ofProject(world.links, project.id)) world.links.delete(link.id);
  for (const domain of ofProject(world.customDomains, project.id)) world.customDomains.delete(domain.id);
  for (const application of ofProject(world.applications, project.id))
    world.applications.delete(application.id);
  world.projects.delete(project.id);
  world.lag.deletedProjects.add(project);
}

/** Removes an Application, also from the Links that opened it. */
export function removeApplication(world: World, id: string): void {
  const application = existing(world.applications, id);
  for (const link of ofProject(world.links, application.projectId)) {
    if (link.appleApplicationId === application.id) {
      link.appleApplicationId = null;
      link.appleOptions &&= { ...link.appleOptions, applicationId: null };
    }
    if (link.androidApplicationId === application.id) {
      link.androidApplicationId = null;
      link.androidOptions &&= { ...link.androidOptions, applicationId: null };
    }
  }
  world.applications.delete(application.id);
  world.lag.deletedApplications.add(application);
}

/** Removes a Custom Domain and its Links. */
export function removeCustomDomain(world: World, id: string): void {
  const domain = existing(world.customDomains, id);
  for (const link of ofProject(world.links, domain.projectId)) {
    if (link.customDomainId === domain.id) world.links.delete(link.id);
  }
  world.customDomains.delete(domain.id);
  world.lag.deletedCustomDomains.add(domain);
}

/** Removes a Link. */
export function removeLink(world: World, id: string): void {
  world.links.delete(existing(world.links, id).id);
}

/** The objects of a Project, oldest first. Links are on all its domains. */
export function ofProject<Entity extends { readonly projectId: string }>(
  entities: ReadonlyMap<string, Entity>,
  projectId: string,
): Entity[] {
  return [...entities.values()].filter((entity) => entity.projectId === projectId);
}

/** The object with an id, in any case. @throws MissingError when there is none. */
export function existing<Entity>(entities: ReadonlyMap<string, Entity>, id: string): Entity {
  const found = entities.get(id.toLowerCase());
  if (found === undefined) throw new MissingError(`${id} does not exist.`);
  return found;
}

/** The hostname of a Link. */
export function hostnameOf(world: World, link: Link): string {
  if (link.customDomainId !== null) return existing(world.customDomains, link.customDomainId).hostname;
  return defaultHostname(existing(world.projects, link.projectId));
}

/** The hostname of a Project's default domain. */
export function defaultHostname(project: Project): string {
  return project.subDomain === null ? "links.example" : `${project.subDomain}.links.example`;
}

/** The full short URL of a Link, even if the Link is not ready. Null if no URL can have its hostname. */
export function shortUrlOf(world: World, link: Link): string | null {
  const hostname = normalizedHostname(hostnameOf(world, link));
  return hostname === "" ? null : `https://${hostname}/${encodeURIComponent(link.suffix.toWellFormed())}`;
}

/** Whether a Link on a hostname has a suffix, apart from the Link `exceptId`. */
export function isSuffixTaken(world: World, hostname: string, suffix: string, exceptId?: string): boolean {
  return [...world.links.values()].some(
    (link) =>
      link.id !== exceptId && link.suffix === suffix && sameHostname(hostnameOf(world, link), hostname),
  );
}

/** The emulator's time in ISO 8601 format. */
export function timestamp(service: Service): string {
  return service.now().toISOString();
}

/** An info object without null fields, as it is stored. */
export function withoutNulls<Info extends object>(info: Info): Info {
  return Object.fromEntries(Object.entries(info).filter(([, value]) => value !== null)) as Info;
}
