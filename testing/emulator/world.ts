// All that exists in one emulated service, and the ways in which things come into it and leave it. Nothing is checked
// here: the operations ask first, the console and the seed are free to do what they like.
import { createHash } from "node:crypto";
import { domainToASCII } from "node:url";
import type { Behaviour } from "./behaviour";
import { cnameTargetOf, enterStatus } from "./domainStatus";
import type {
  AndroidInfo,
  AppleInfo,
  Application,
  AppType,
  Credential,
  CustomDomain,
  JsonObject,
  LifecycleStatus,
  Link,
  Organization,
  Project,
  Scope,
  Skin,
} from "./entities";
import { scopes } from "./entities";

/** Everything that exists. Maps keep the order of creation. */
export interface World {
  organizations: Map<string, Organization>;
  /** By key. */
  credentials: Map<string, Credential>;
  projects: Map<string, Project>;
  applications: Map<string, Application>;
  customDomains: Map<string, CustomDomain>;
  links: Map<string, Link>;
  /** How many things were ever made: ids are drawn from it, so that the same calls give the same ids. */
  sequence: number;
}

/** What every operation works on. The world and the behaviour change as a whole on a reset. */
export interface Service {
  world: World;
  behaviour: Behaviour;
  now(): Date;
}

/** A credential to add. */
export interface NewKey {
  /** The secret: at least 8 visible ASCII characters. The first 6 are its public prefix. */
  key: string;
  /** Default: all eight. */
  scopes?: Scope[] | undefined;
  /** Default: `false`. */
  revoked?: boolean | undefined;
}

/** A Project to add. */
export interface NewProject {
  /** Default: generated, the same one for the same sequence of calls. */
  id?: string | undefined;
  name: string;
  /** Default: `null`. */
  defaultHookupMsg?: string | null | undefined;
  /** Default: `null`. */
  logoImageId?: string | null | undefined;
  /** Default: generated. */
  subDomain?: string | null | undefined;
  /** Whether it has the Pro entitlement. Default: `true`. */
  pro?: boolean | undefined;
  /** Default: none, so that reading it is a 404. */
  skin?: Pick<Skin, "themeType" | "themeChoiceType"> | null | undefined;
  /** Default: now. */
  createdAt?: string | undefined;
}

/** An Application to add. */
export interface NewApplication {
  /** Default: generated. */
  id?: string | undefined;
  appType: AppType;
  /** Default: `null`. */
  appleInfo?: AppleInfo | null | undefined;
  /** Default: `null`. */
  androidInfo?: AndroidInfo | null | undefined;
  /** Default: now. */
  createdAt?: string | undefined;
}

/** A Custom Domain to add. */
export interface NewCustomDomain {
  /** Default: generated. */
  id?: string | undefined;
  hostname: string;
  /** Default: `"ACTIVE"`. */
  lifecycleStatus?: LifecycleStatus | undefined;
  /** Default: what the service would give it. */
  cnameTarget?: string | null | undefined;
  /** Default: now. */
  createdAt?: string | undefined;
}

/** A Link to add. */
export interface NewLink {
  /** Default: generated. */
  id?: string | undefined;
  /** The destination. */
  url: string;
  name: string;
  /** Default: generated. */
  suffix?: string | undefined;
  /** The Custom Domain that it is on, by id. Default: none, the Link is on the Project's own domain. */
  customDomainId?: string | null | undefined;
  /** The same by hostname. */
  hostname?: string | undefined;
  /** The iOS Application that it opens. Default: none. */
  appleApplicationId?: string | null | undefined;
  /** The Android Application that it opens. Default: none. */
  androidApplicationId?: string | null | undefined;
  /** Keys in camelCase, like everywhere here. Default: `null`. */
  appleOptions?: JsonObject | null | undefined;
  /** Default: `null`. */
  androidOptions?: JsonObject | null | undefined;
  /** Default: `null`. */
  additionalOptions?: JsonObject | null | undefined;
  /** Default: `false`. */
  statsFlag?: boolean | undefined;
  /** Whether the short URL is there already. Default: `true`. */
  ready?: boolean | undefined;
  /** Default: now. */
  createdAt?: string | undefined;
}

/** A service that nobody has used yet. */
export function createWorld(): World {
  return {
    organizations: new Map(),
    credentials: new Map(),
    projects: new Map(),
    applications: new Map(),
    customDomains: new Map(),
    links: new Map(),
    sequence: 0,
  };
}

/** Adds an Organization without anything in it. */
export function addOrganization(
  service: Service,
  { id, blocked = false }: { id?: string | undefined; blocked?: boolean | undefined },
): Organization {
  return place(service.world.organizations, { id: idFor(service, "organization", id), blocked });
}

/** Adds a credential to an Organization. */
export function addCredential(service: Service, organizationId: string, key: NewKey): Credential {
  const { credentials } = service.world;
  if (credentials.has(key.key)) throw new Error("This key exists already.");
  const credential: Credential = {
    id: idFor(service, "credential"),
    organizationId: existing(service.world.organizations, organizationId).id,
    key: key.key,
    scopes: [...(key.scopes ?? scopes)],
    revoked: key.revoked ?? false,
  };
  credentials.set(key.key, credential);
  return credential;
}

/** Adds a Project to an Organization. */
export function addProject(service: Service, organizationId: string, project: NewProject): Project {
  const id = idFor(service, "project", project.id);
  const organization = existing(service.world.organizations, organizationId);
  const createdAt = project.createdAt ?? timestamp(service);
  return place(service.world.projects, {
    id,
    organizationId: organization.id,
    createdByUserId: uuidFrom(`user of ${organization.id}`),
    name: project.name,
    logoImageId: project.logoImageId ?? null,
    subDomain: project.subDomain === undefined ? `p${id.slice(0, 8)}` : project.subDomain,
    defaultHookupMsg: project.defaultHookupMsg ?? null,
    pro: project.pro ?? true,
    skin: project.skin ? makeSkin(service, project.skin) : null,
    createdAt,
    updatedAt: createdAt,
  });
}

/** Makes a Skin, to be given to a Project. */
export function makeSkin(service: Service, theme: Pick<Skin, "themeType" | "themeChoiceType">): Skin {
  const createdAt = timestamp(service);
  return { id: idFor(service, "skin"), ...theme, createdAt, updatedAt: createdAt };
}

/** Adds an Application to a Project. */
export function addApplication(
  service: Service,
  projectId: string,
  application: NewApplication,
): Application {
  return place(service.world.applications, {
    id: idFor(service, "application", application.id),
    projectId: existing(service.world.projects, projectId).id,
    appType: application.appType,
    appleInfo: application.appleInfo ? withoutNulls(application.appleInfo) : null,
    androidInfo: application.androidInfo ? withoutNulls(application.androidInfo) : null,
    createdAt: application.createdAt ?? timestamp(service),
    updatedAt: null,
  });
}

/** Adds a Custom Domain to a Project, in whatever state it is to be. */
export function addCustomDomain(service: Service, projectId: string, domain: NewCustomDomain): CustomDomain {
  const id = idFor(service, "custom domain", domain.id);
  const createdAt = domain.createdAt ?? timestamp(service);
  const added = place<CustomDomain>(service.world.customDomains, {
    id,
    projectId: existing(service.world.projects, projectId).id,
    hostname: domain.hostname,
    lifecycleStatus: "PENDING_PROVIDER",
    providerStatus: null,
    sslStatus: null,
    ownershipValidation: null,
    sslValidationRecords: null,
    cnameTarget: domain.cnameTarget === undefined ? cnameTargetOf(id) : domain.cnameTarget,
    lastError: null,
    lastCheckedAt: null,
    activatedAt: null,
    expiresAt: null,
    nextRetryAt: null,
    retryCount: 0,
    createdAt,
    updatedAt: createdAt,
    polls: 0,
    pollsInStatus: 0,
    statusSince: createdAt,
  });
  enterStatus(added, domain.lifecycleStatus ?? "ACTIVE", new Date(createdAt));
  return added;
}

/** Adds a Link to a Project. */
export function addLink(service: Service, projectId: string, link: NewLink): Link {
  const { world, behaviour } = service;
  const project = existing(world.projects, projectId);
  const customDomain =
    link.hostname === undefined
      ? link.customDomainId && existing(world.customDomains, link.customDomainId)
      : customDomainsOf(world, project.id).find((one) => sameHostname(one.hostname, link.hostname ?? ""));
  if (customDomain === undefined && link.hostname !== undefined)
    throw new Error(`${link.hostname} does not exist.`);
  const hostname = customDomain ? customDomain.hostname : defaultHostname(project);
  const id = idFor(service, "link", link.id);
  const applicationId = (given: string | null | undefined) =>
    given === undefined || given === null ? null : existing(world.applications, given).id;
  return place(world.links, {
    id,
    projectId: project.id,
    customDomainId: customDomain ? customDomain.id : null,
    suffix: link.suffix ?? freeSuffix(world, hostname, id, behaviour.generatedSuffixLength),
    ready: link.ready ?? true,
    url: link.url,
    name: link.name,
    appleOptions: link.appleOptions ?? null,
    androidOptions: link.androidOptions ?? null,
    additionalOptions: link.additionalOptions ?? null,
    appleApplicationId: applicationId(link.appleApplicationId),
    androidApplicationId: applicationId(link.androidApplicationId),
    statsFlag: link.statsFlag ?? false,
    createdAt: link.createdAt ?? timestamp(service),
    updatedAt: null,
    polls: 0,
    order: ++world.sequence,
  });
}

/** Removes a Project and all that is under it. */
export function removeProject(world: World, id: string): void {
  const project = existing(world.projects, id);
  for (const link of linksOf(world, project.id)) world.links.delete(link.id);
  for (const domain of customDomainsOf(world, project.id)) world.customDomains.delete(domain.id);
  for (const application of applicationsOf(world, project.id)) world.applications.delete(application.id);
  world.projects.delete(project.id);
}

/** Removes an Application; the Links that opened it forget it. */
export function removeApplication(world: World, id: string): void {
  const application = existing(world.applications, id);
  for (const link of linksOf(world, application.projectId)) {
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
}

/** Removes a Custom Domain and its Links. */
export function removeCustomDomain(world: World, id: string): void {
  const domain = existing(world.customDomains, id);
  for (const link of linksOf(world, domain.projectId)) {
    if (link.customDomainId === domain.id) world.links.delete(link.id);
  }
  world.customDomains.delete(domain.id);
}

/** Removes a Link. */
export function removeLink(world: World, id: string): void {
  world.links.delete(existing(world.links, id).id);
}

/** The Applications of a Project, oldest first. */
export function applicationsOf(world: World, projectId: string): Application[] {
  return [...world.applications.values()].filter((application) => application.projectId === projectId);
}

/** The Custom Domains of a Project, oldest first. */
export function customDomainsOf(world: World, projectId: string): CustomDomain[] {
  return [...world.customDomains.values()].filter((domain) => domain.projectId === projectId);
}

/** The Links of a Project, on whatever domain, oldest first. */
export function linksOf(world: World, projectId: string): Link[] {
  return [...world.links.values()].filter((link) => link.projectId === projectId);
}

/** The thing with an id, whatever its spelling. A missing one is the caller's mistake. */
export function existing<Entity>(entities: ReadonlyMap<string, Entity>, id: string): Entity {
  const found = entities.get(id.toLowerCase());
  if (found === undefined) throw new Error(`${id} does not exist.`);
  return found;
}

/** The host that a Link is served on. */
export function hostnameOf(world: World, link: Link): string {
  if (link.customDomainId !== null) return existing(world.customDomains, link.customDomainId).hostname;
  return defaultHostname(existing(world.projects, link.projectId));
}

/** The host of a Project's own Links. */
export function defaultHostname(project: Project): string {
  return project.subDomain === null ? "links.example" : `${project.subDomain}.links.example`;
}

/** The full short URL of a Link, whether the Link is ready or not. */
export function shortUrlOf(world: World, link: Link): string {
  return `https://${normalizedHostname(hostnameOf(world, link))}/${encodeURIComponent(link.suffix.toWellFormed())}`;
}

/** Whether a Link other than the one with the given id has a suffix on a host. */
export function isSuffixTaken(world: World, hostname: string, suffix: string, exceptId?: string): boolean {
  return [...world.links.values()].some(
    (link) =>
      link.id !== exceptId && link.suffix === suffix && sameHostname(hostnameOf(world, link), hostname),
  );
}

/** The emulator's time, as it is stored. */
export function timestamp(service: Service): string {
  return service.now().toISOString();
}

/** A hostname in lower case, in punycode and without a final dot; empty when it is not a hostname. */
export function normalizedHostname(hostname: string): string {
  // Whatever a URL has besides its host would be cut off silently.
  if (/[\s/\\?#:@%]/.test(hostname)) return "";
  const ascii = domainToASCII(hostname).replace(/\.$/, "");
  return /^(?!.{254})[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)+$/.test(
    ascii,
  )
    ? ascii
    : "";
}

/** Whether two spellings mean the same host. */
export function sameHostname(one: string, other: string): boolean {
  return normalizedHostname(one) === normalizedHostname(other);
}

/** An info object as it is stored: a field that is not set is absent. */
export function withoutNulls<Info extends object>(info: Info): Info {
  return Object.fromEntries(Object.entries(info).filter(([, value]) => value !== null)) as Info;
}

function idFor(service: Service, kind: string, given?: string): string {
  service.world.sequence += 1;
  return given?.toLowerCase() ?? uuidFrom(`${kind} ${service.world.sequence}`);
}

function uuidFrom(text: string): string {
  const digits = createHash("sha256").update(text).digest("hex");
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join("-");
}

function freeSuffix(world: World, hostname: string, linkId: string, length: number): string {
  const characters = createHash("sha512").update(linkId).digest("base64url").replaceAll(/[-_]/g, "x");
  const suffix = characters.slice(0, length);
  return isSuffixTaken(world, hostname, suffix) ? freeSuffix(world, hostname, linkId, length + 1) : suffix;
}

function place<Entity extends { id: string }>(entities: Map<string, Entity>, entity: Entity): Entity {
  if (entities.has(entity.id)) throw new Error(`${entity.id} exists already.`);
  entities.set(entity.id, entity);
  return entity;
}
