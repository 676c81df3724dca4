/**
 * What can be added to a world, and how it is added. Nothing is checked here: operations validate first, and the seed
 * and the emulator's own methods may add anything.
 */
import { randomUUID } from "node:crypto";
import { cnameTargetOf, enterStatus } from "./domainStatus";
import {
  type AndroidInfo,
  type AppleInfo,
  type Application,
  type AppType,
  type Credential,
  type CustomDomain,
  type JsonObject,
  type LifecycleStatus,
  type Link,
  type Mutable,
  type Organization,
  PROJECT_SETTINGS,
  type Project,
  type ProjectSettings,
  SCOPES,
  type Scope,
  type Skin,
} from "./entities";
import { sameHostname } from "./hostname";
import { existing, ofProject, type Service, timestamp, UsageError, withoutNulls } from "./world";

/** A credential to add. */
export interface NewKey {
  /** The key: at least 8 visible ASCII characters. The first 6 are its public prefix. */
  readonly key: string;
  /** What the key may do. Write does not imply read. Default: all eight scopes. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Whether the key is revoked, so that every request with it returns 401. Default: `false`. */
  readonly revoked?: boolean | undefined;
}

/** A theme to add. */
export interface NewSkin extends Pick<Skin, "themeType" | "themeChoiceType"> {}

/** The same fields, each of which may be absent. */
export type Given<Values> = { readonly [Name in keyof Values]?: Values[Name] | undefined };

interface Added {
  /** UUID. Default: random. */
  readonly id?: string | undefined;
  /** When it was created, as an ISO 8601 date and time. Default: now. */
  readonly createdAt?: string | undefined;
}

/** A Project to add. */
export interface NewProject extends Added, Given<ProjectSettings> {
  /** Name. */
  readonly name: string;
  /** Sub-domain of the default domain. Default: generated. */
  readonly subDomain?: string | null | undefined;
  /** Whether it has the Pro entitlement. Default: `true`. */
  readonly pro?: boolean | undefined;
  /** Theme of the landing page. Default: none, so that reading it returns 404. */
  readonly skin?: NewSkin | null | undefined;
}

/** An Application to add. */
export interface NewApplication extends Added {
  /** Platform. */
  readonly appType: AppType;
  /** The iOS application, with the fields of the argument `appleInfo`. Default: `null`. */
  readonly appleInfo?: AppleInfo | null | undefined;
  /** The Android application, with the fields of the argument `androidInfo`. Default: `null`. */
  readonly androidInfo?: AndroidInfo | null | undefined;
}

/** A Custom Domain to add. */
export interface NewCustomDomain extends Added {
  /** Hostname. */
  readonly hostname: string;
  /** Stage in its lifecycle. Default: `"ACTIVE"`. */
  readonly lifecycleStatus?: LifecycleStatus | undefined;
  /** Target of its CNAME record. Default: the value that the service would set. */
  readonly cnameTarget?: string | null | undefined;
}

/** A Link to add. */
export interface NewLink extends Added {
  /** The destination. */
  readonly url: string;
  /** Name. */
  readonly name: string;
  /** Last part of the short URL. Default: generated. */
  readonly suffix?: string | undefined;
  /** UUID of its Custom Domain. Default: none; the Link is on the Project's default domain. */
  readonly customDomainId?: string | null | undefined;
  /** Hostname of its Custom Domain, as an alternative to the UUID. Default: none. */
  readonly hostname?: string | undefined;
  /** UUID of the iOS Application that it opens. Default: none. */
  readonly appleApplicationId?: string | null | undefined;
  /** UUID of the Android Application that it opens. Default: none. */
  readonly androidApplicationId?: string | null | undefined;
  /** Options for iOS, with keys in camelCase. Default: `null`. */
  readonly appleOptions?: JsonObject | null | undefined;
  /** Options for Android, with keys in camelCase. Default: `null`. */
  readonly androidOptions?: JsonObject | null | undefined;
  /** Other options, with keys in camelCase. Default: `null`. */
  readonly additionalOptions?: JsonObject | null | undefined;
  /** Whether statistics are collected. Default: `false`. */
  readonly statsFlag?: boolean | undefined;
  /** Whether the short URL exists. Default: `true`. */
  readonly ready?: boolean | undefined;
}

/** Adds an empty Organization. */
export function addOrganization(
  service: Service,
  { id, blocked = false }: { id?: string | undefined; blocked?: boolean | undefined },
): Mutable<Organization> {
  return store(service.world.organizations, { id: idOf(id), blocked });
}

export function addCredential(service: Service, organizationId: string, key: NewKey): Mutable<Credential> {
  const { credentials } = service.world;
  if (credentials.has(key.key)) throw new UsageError("This key already exists.", 409);
  const credential: Mutable<Credential> = {
    id: idOf(),
    organizationId: existing(service.world.organizations, organizationId).id,
    key: key.key,
    scopes: [...(key.scopes ?? SCOPES)],
    revoked: key.revoked ?? false,
  };
  credentials.set(key.key, credential);
  return credential;
}

/** The user who creates all Projects. */
const USER_ID = "0e1a7c52-6d3f-4b8e-a2c4-9f5b6d7e8a90";

export function addProject(service: Service, organizationId: string, project: NewProject): Mutable<Project> {
  const id = idOf(project.id);
  const organization = existing(service.world.organizations, organizationId);
  const createdAt = project.createdAt ?? timestamp(service);
  return store(service.world.projects, {
    id,
    organizationId: organization.id,
    createdByUserId: USER_ID,
    name: project.name,
    ...PROJECT_SETTINGS,
    ...settingsIn(project),
    subDomain: project.subDomain === undefined ? `p${id.slice(0, 8)}` : project.subDomain,
    pro: project.pro ?? true,
    skin: project.skin ? newSkin(service, project.skin) : null,
    createdAt,
    updatedAt: createdAt,
  });
}

/** The settings of a Project among the given values. */
export function settingsIn(values: Given<ProjectSettings>): Partial<ProjectSettings> {
  const names = Object.keys(PROJECT_SETTINGS) as (keyof ProjectSettings)[];
  const given = names.filter((name) => values[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, values[name]]));
}

/** Creates a Skin for a Project. */
export function newSkin(service: Service, theme: NewSkin): Skin {
  const createdAt = timestamp(service);
  return { id: idOf(), ...theme, createdAt, updatedAt: createdAt };
}

export function addApplication(
  service: Service,
  projectId: string,
  application: NewApplication,
): Mutable<Application> {
  return store(service.world.applications, {
    id: idOf(application.id),
    projectId: existing(service.world.projects, projectId).id,
    appType: application.appType,
    appleInfo: application.appleInfo ? withoutNulls(application.appleInfo) : null,
    androidInfo: application.androidInfo ? withoutNulls(application.androidInfo) : null,
    createdAt: application.createdAt ?? timestamp(service),
    updatedAt: null,
  });
}

/** Adds a Custom Domain to a Project, in any status. */
export function addCustomDomain(
  service: Service,
  projectId: string,
  domain: NewCustomDomain,
): Mutable<CustomDomain> {
  const id = idOf(domain.id);
  const createdAt = domain.createdAt ?? timestamp(service);
  const added = store<Mutable<CustomDomain>>(service.world.customDomains, {
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
  enterStatus(service, added, domain.lifecycleStatus ?? "ACTIVE", new Date(createdAt));
  return added;
}

export function addLink(service: Service, projectId: string, link: NewLink): Mutable<Link> {
  const { world } = service;
  const project = existing(world.projects, projectId);
  const { hostname } = link;
  const customDomain =
    hostname === undefined
      ? link.customDomainId && existing(world.customDomains, link.customDomainId)
      : ofProject(world.customDomains, project.id).find((one) => sameHostname(one.hostname, hostname));
  if (customDomain === undefined && hostname !== undefined)
    throw new UsageError(`${hostname} does not exist.`, 404);
  const id = idOf(link.id);
  const applicationId = (given: string | null | undefined) =>
    given === undefined || given === null ? null : existing(world.applications, given).id;
  return store(world.links, {
    id,
    projectId: project.id,
    customDomainId: customDomain ? customDomain.id : null,
    suffix: link.suffix ?? id.slice(-8),
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
    order: ++world.sequence,
  });
}

/** The given id, or a random one, so that no object of another start has it. */
function idOf(given?: string): string {
  return given?.toLowerCase() ?? randomUUID();
}

function store<Entity extends { readonly id: string }>(entities: Map<string, Entity>, entity: Entity) {
  if (entities.has(entity.id)) throw new UsageError(`${entity.id} already exists.`, 409);
  entities.set(entity.id, entity);
  return entity;
}
