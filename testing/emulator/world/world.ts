/** Everything that exists in one emulated service: lookups, and removal with everything that depends on an object. */
import type { Behaviour } from "./behaviour";
import type { Application, Credential, CustomDomain, Link, Mutable, Organization, Project } from "./entities";
import { normalizedHostname, sameHostname } from "./hostname";

/** An object that reads may show late. */
export type Lagging = Project | Application | CustomDomain;

export type LagOption = "readLag" | "listLag";

/** An object as it was before a write. */
export interface Version {
  /** Undefined for an object that did not exist. */
  readonly before: Lagging | undefined;
  /** When it was written. */
  readonly until: Date;
  /** How many reads there were since then, for each option that applies to it. */
  readonly reads: Map<LagOption, number>;
}

/** What every operation works on. */
export interface Service {
  // biome-ignore lint/plugin/readonlyMembers: a reset replaces it.
  world: World;
  // biome-ignore lint/plugin/readonlyMembers: a reset and `setBehaviour` replace it.
  behaviour: Behaviour;
  now(): Date;
}

/** The error of a call of the emulator's own methods. The call has no effect. `status` is that of the controls over HTTP. */
export class UsageError extends Error {
  constructor(
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }
}

/** An empty world. Maps keep the order of creation. */
export function createWorld() {
  const ofProjects = () => ({
    projects: new Map<string, Mutable<Project>>(),
    applications: new Map<string, Mutable<Application>>(),
    customDomains: new Map<string, Mutable<CustomDomain>>(),
  });
  return {
    organizations: new Map<string, Mutable<Organization>>(),
    /** By key. */
    credentials: new Map<string, Mutable<Credential>>(),
    ...ofProjects(),
    links: new Map<string, Mutable<Link>>(),
    /** What reads that lag may still show: deleted objects, and the earlier versions of all, oldest first, by their ids. */
    lag: { ...ofProjects(), versions: new Map<string, readonly Version[]>() },
    /** How many lags were drawn. */
    drawn: 0,
    /** How many links were added. */
    sequence: 0,
  };
}

/** Everything that exists. */
export type World = ReturnType<typeof createWorld>;

/** Records an object before a write, undefined if it does not exist: reads that lag may show it as it was. */
export function recordVersion(
  { world: { lag }, behaviour, now }: Service,
  id: string,
  before: Lagging | undefined,
  options: readonly LagOption[] = ["readLag", "listLag"],
): void {
  const late = options.filter((option) => behaviour[option] !== "atOnce");
  if (late.length === 0) return;
  const reads = new Map(late.map((option) => [option, 0]));
  const version = { before: structuredClone(before), until: now(), reads };
  lag.versions.set(id, [...(lag.versions.get(id) ?? []), version]);
}

/** Removes one object. Lists may show it still, and reads as well if they lag behind deletions too. */
function remove(service: Service, kind: Exclude<keyof World["lag"], "versions">, entity: Lagging): void {
  const { world, behaviour } = service;
  recordVersion(service, entity.id, entity, behaviour.deletionsLag === "lists" ? ["listLag"] : undefined);
  const past: Map<string, Lagging> = world.lag[kind];
  past.set(entity.id, entity);
  world[kind].delete(entity.id);
}

export function removeProject(service: Service, id: string): void {
  const { world } = service;
  const project = existing(world.projects, id);
  for (const link of ofProject(world.links, project.id)) world.links.delete(link.id);
  for (const domain of ofProject(world.customDomains, project.id)) removeCustomDomain(service, domain.id);
  for (const application of ofProject(world.applications, project.id))
    removeApplication(service, application.id);
  remove(service, "projects", project);
}

/** Removes an Application, also from the Links that opened it. */
export function removeApplication(service: Service, id: string): void {
  const { world } = service;
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
  remove(service, "applications", application);
}

export function removeCustomDomain(service: Service, id: string): void {
  const { world } = service;
  const domain = existing(world.customDomains, id);
  for (const link of ofProject(world.links, domain.projectId)) {
    if (link.customDomainId === domain.id) world.links.delete(link.id);
  }
  remove(service, "customDomains", domain);
}

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

/** The Project of an object. Reads that lag behind show objects of a Project that was deleted, too. */
export function projectOf({ projects, lag }: World, { projectId }: { readonly projectId: string }) {
  return projects.get(projectId) ?? lag.projects.get(projectId);
}

/** The object with an id, in any case. @throws UsageError when there is none. */
export function existing<Entity>(entities: ReadonlyMap<string, Entity>, id: string): Entity {
  const found = entities.get(id.toLowerCase());
  if (found === undefined) throw new UsageError(`${id} does not exist.`, 404);
  return found;
}

export function hostnameOf(world: World, link: Link): string {
  if (link.customDomainId !== null) return existing(world.customDomains, link.customDomainId).hostname;
  return defaultHostname(existing(world.projects, link.projectId));
}

export function defaultHostname(project: Project): string {
  return project.subDomain === null ? "links.example" : `${project.subDomain}.links.example`;
}

/** The full short URL of a Link, even if the Link is not ready. */
export function shortUrlOf(world: World, link: Link): string {
  const hostname = normalizedHostname(hostnameOf(world, link));
  return `https://${hostname}/${encodeURIComponent(link.suffix.toWellFormed())}`;
}

/** Whether a Link on a hostname has a suffix, apart from the Link `exceptId`. */
export function isSuffixTaken(world: World, hostname: string, suffix: string, exceptId?: string): boolean {
  const others = [...world.links.values()].filter((link) => link.id !== exceptId && link.suffix === suffix);
  return others.some((link) => sameHostname(hostnameOf(world, link), hostname));
}

/** The emulator's time in ISO 8601 format. */
export function timestamp(service: Service): string {
  return service.now().toISOString();
}

/** An info object without null fields, as it is stored. */
export function withoutNulls<Info extends object>(info: Info): Info {
  return Object.fromEntries(Object.entries(info).filter(([, value]) => value !== null)) as Info;
}
