/** The operations on Links: four to create one, two lists, lookup by id and by URL. */
import { ServiceError } from "../wire/serviceError";
import { linkOnWire } from "../wire/wire";
import { addLink } from "../world/additions";
import type { AppType, CustomDomain, JsonObject, Link, Mutable, Project } from "../world/entities";
import { sameHostname } from "../world/hostname";
import {
  defaultHostname,
  hostnameOf,
  isSuffixTaken,
  ofProject,
  removeLink,
  shortUrlOf,
  timestamp,
} from "../world/world";
import { type Call, objectWithId, projectOfPath, requireOwned } from "./call";
import { listableParent, listableProject } from "./lag";

interface LinkBody {
  readonly dynamicLinkUrl: string;
  readonly dynamicLinkName: string;
  readonly dynamicLinkSuffix?: string;
  readonly appleOptions?: JsonObject | null;
  readonly androidOptions?: JsonObject | null;
  readonly additionalOptions?: JsonObject | null;
  readonly statsFlag?: boolean;
}

export function createCoreLinkV2(call: Call): object {
  const { projectId, customDomainId } = call.body as { projectId: string; customDomainId?: string | null };
  const project = objectWithId(call, "projects", projectId);
  const domain = domainWithId(call, customDomainId, project);
  return createLink(call, project, domain, true);
}

export function createUnifiedLink(call: Call): object {
  const { projectId, customDomainUrl } = call.body as { projectId: string; customDomainUrl?: string | null };
  const project = objectWithId(call, "projects", projectId);
  const domain = customDomainUrl ? domainWithUrl(call, customDomainUrl, project) : undefined;
  return createLink(call, project, domain);
}

export function createProjectLink(call: Call): object {
  return createLink(call, projectOfPath(call));
}

export function createCustomDomainLink(call: Call): object {
  const domain = objectWithId(call, "customDomains", call.path.custom_domain_id);
  return createLink(call, objectWithId(call, "projects", domain.projectId), domain);
}

export function checkCoreLinkAvailability(call: Call): object {
  const { project_id, dynamic_link_suffix, custom_domain_id } = call.query as { [name: string]: string };
  const project = objectWithId(call, "projects", project_id);
  const domain = domainWithId(call, custom_domain_id, project);
  const hostname = domain?.hostname ?? defaultHostname(project);
  return { available: !isSuffixTaken(call.service.world, hostname, dynamic_link_suffix ?? "") };
}

export function listProjectLinks(call: Call): object {
  const id = listableProject(call);
  return page(call, id, ofProject(call.service.world.links, id));
}

export function listCustomDomainLinks(call: Call): object {
  const id = listableParent(call, "customDomains", call.path.custom_domain_id);
  const links = [...call.service.world.links.values()].filter((link) => link.customDomainId === id);
  return page(call, id, links);
}

export function resolveLinkByUrl(call: Call): object {
  const { world } = call.service;
  const url = call.query.url;
  const found = [...world.links.values()].find((link) => link.ready && shortUrlOf(world, link) === url);
  requireOwned(call, "links", found);
  return linkOnWire(call.service, found);
}

export function getLink(call: Call): object {
  return linkOnWire(call.service, objectWithId(call, "links", call.path.link_id));
}

export function updateLink(call: Call): object {
  const { service } = call;
  const link = objectWithId(call, "links", call.path.link_id);
  const project = objectWithId(call, "projects", link.projectId);
  const patch = call.body as Partial<LinkBody>;
  const suffix = patch.dynamicLinkSuffix ?? link.suffix;
  checkSuffix(call, hostnameOf(service.world, link), suffix, link.id);
  const changes: Partial<Mutable<Link>> = {
    suffix,
    url: patch.dynamicLinkUrl ?? link.url,
    name: patch.dynamicLinkName ?? link.name,
    statsFlag: patch.statsFlag ?? false,
    updatedAt: timestamp(service),
  };
  if (patch.appleOptions !== undefined) {
    changes.appleOptions = patch.appleOptions;
    changes.appleApplicationId = applicationFor(call, project, "IOS", patch.appleOptions);
  }
  if (patch.androidOptions !== undefined) {
    changes.androidOptions = patch.androidOptions;
    changes.androidApplicationId = applicationFor(call, project, "ANDROID", patch.androidOptions);
  }
  if (patch.additionalOptions !== undefined) changes.additionalOptions = patch.additionalOptions;
  Object.assign(link, changes);
  return linkOnWire(service, link);
}

export function deleteLink(call: Call): void {
  removeLink(call.service.world, objectWithId(call, "links", call.path.link_id).id);
}

function createLink(call: Call, project: Project, domain?: CustomDomain, infer = false): object {
  const { service } = call;
  const body = call.body as LinkBody;
  const appleApplicationId = applicationFor(call, project, "IOS", body.appleOptions, infer);
  const androidApplicationId = applicationFor(call, project, "ANDROID", body.androidOptions, infer);
  if (domain !== undefined && !project.pro)
    throw new ServiceError(403, "Links on custom domains require an active Pro entitlement.");
  if (domain !== undefined && domain.lifecycleStatus !== "ACTIVE")
    throw new ServiceError(409, "Custom domain is not active.");
  checkSuffix(call, domain?.hostname ?? defaultHostname(project), body.dynamicLinkSuffix);
  const link = addLink(service, project.id, {
    url: body.dynamicLinkUrl,
    name: body.dynamicLinkName,
    suffix: body.dynamicLinkSuffix,
    customDomainId: domain?.id,
    appleApplicationId,
    androidApplicationId,
    appleOptions: body.appleOptions,
    androidOptions: body.androidOptions,
    additionalOptions: body.additionalOptions,
    statsFlag: body.statsFlag,
  });
  return linkOnWire(service, link);
}

function checkSuffix({ service }: Call, hostname: string, suffix: string | undefined, exceptId?: string) {
  if (suffix !== undefined && isSuffixTaken(service.world, hostname, suffix, exceptId))
    throw new ServiceError(409, "Suffix already exists.");
}

function domainWithId(call: Call, id: string | null | undefined, project: Project): CustomDomain | undefined {
  return id ? domainOfProject(objectWithId(call, "customDomains", id), project) : undefined;
}

function domainOfProject(domain: CustomDomain, project: Project): CustomDomain {
  if (domain.projectId !== project.id)
    throw new ServiceError(400, "Custom domain belongs to another project.");
  return domain;
}

function domainWithUrl(call: Call, url: string, project: Project): CustomDomain {
  const hostname = URL.parse(url)?.hostname ?? "";
  const { customDomains, projects } = call.service.world;
  const isVisible = ({ projectId }: CustomDomain) =>
    projects.get(projectId)?.organizationId === project.organizationId;
  const candidates = [...customDomains.values()].filter(
    (domain) => hostname !== "" && sameHostname(domain.hostname, hostname) && isVisible(domain),
  );
  const chosen = candidates.find((domain) => domain.projectId === project.id) ?? candidates[0];
  requireOwned(call, "customDomains", chosen);
  return domainOfProject(chosen, project);
}

function applicationFor(
  call: Call,
  project: Project,
  appType: AppType,
  options: JsonObject | null | undefined,
  infer = false,
): string | null {
  const id = options?.applicationId;
  if (typeof id === "string") {
    const application = objectWithId(call, "applications", id);
    if (application.projectId !== project.id)
      throw new ServiceError(400, "Application belongs to another project.");
    if (application.appType !== appType)
      throw new ServiceError(400, `Application is not of type ${appType}.`);
    return application.id;
  }
  if (!infer) return null;
  const all = ofProject(call.service.world.applications, project.id);
  return all.find((one) => one.appType === appType)?.id ?? null;
}

/** One page of a list. Its cursor has the list and the last Link returned, encoded so that it is opaque to the caller. */
function page(call: Call, listId: string, links: readonly Link[]) {
  const limit = call.query.limit as number;
  const after = readCursor(call.query.cursor, listId);
  const rest = links.filter(({ order }) => after === undefined || order > after);
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  return {
    links: shown.map((link) => linkOnWire(call.service, link)),
    next_cursor: last !== undefined && rest.length > shown.length ? writeCursor(listId, last.order) : null,
  };
}

function writeCursor(listId: string, order: number): string {
  return Buffer.from(`${listId} ${order}`).toString("base64url");
}

function readCursor(cursor: unknown, listId: string): number | undefined {
  if (typeof cursor !== "string") return undefined;
  const order = Number(Buffer.from(cursor, "base64url").toString().split(" ").at(-1));
  if (writeCursor(listId, order) !== cursor) throw new ServiceError(400, ["cursor is invalid"]);
  return order;
}
