/** The operations on Custom Domains. */
import { ServiceError } from "../wire/serviceError";
import { customDomainOnWire } from "../wire/wire";
import { addCustomDomain } from "../world/additions";
import { enterStatus } from "../world/domainStatus";
import { normalizedHostname, sameHostname } from "../world/hostname";
import { countPoll } from "../world/lifecycle";
import { ofProject, removeCustomDomain, type Service } from "../world/world";
import type { Call } from "./call";
import { listableProject, listed, readable, recordChange, recordNew, writable, writableProject } from "./lag";

export function createCustomDomain(call: Call): object {
  const { service } = call;
  const { behaviour } = service;
  const project = writableProject(call);
  const { hostname } = call.body as { hostname: string };
  const normalized = normalizedHostname(hostname);
  // At least two labels.
  if (!normalized.includes(".")) throw new ServiceError(400, ["hostname must be a valid hostname"]);
  if (!project.pro) throw new ServiceError(403, "Custom domains require an active Pro entitlement.");
  if (isHostnameTaken(service, hostname)) throw new ServiceError(409, "Hostname already exists.");
  const domain = addCustomDomain(service, project.id, {
    hostname: behaviour.storedForm === "asGiven" ? hostname : normalized,
    lifecycleStatus: "PENDING_PROVIDER",
    ...(behaviour.cnameTargetAppears === "atOnce" ? {} : { cnameTarget: null }),
  });
  return customDomainOnWire(service, recordNew(service, domain));
}

export function listCustomDomains(call: Call): object {
  const { service } = call;
  const id = listableProject(call);
  const found = listed(service, "customDomains", ({ projectId }) => projectId === id);
  return { custom_domains: found.map((domain) => customDomainOnWire(service, domain)) };
}

export function getCustomDomain(call: Call): object {
  const { service } = call;
  const id = call.path.custom_domain_id;
  const answer = customDomainOnWire(service, readable(call, "customDomains", id));
  const domain = service.world.customDomains.get(id?.toLowerCase() ?? "");
  if (domain !== undefined) countPoll(service, domain);
  return answer;
}

export function deleteCustomDomain(call: Call): void {
  const { service } = call;
  const { world, behaviour } = service;
  const domain = writable(call, "customDomains", call.path.custom_domain_id);
  if (domain.lifecycleStatus === "DELETING")
    throw new ServiceError(409, "Custom domain is already being deleted.");
  const links = ofProject(world.links, domain.projectId).filter((link) => link.customDomainId === domain.id);
  if (links.length > 0 && behaviour.deleteWithContents === "conflict")
    throw new ServiceError(409, "Custom domain still has links.");
  for (const link of links) world.links.delete(link.id);
  recordChange(service, domain);
  enterStatus(service, domain, "DELETING", service.now());
  if (behaviour.deletingPolls <= 0) removeCustomDomain(service, domain.id);
}

export function retryCustomDomain(call: Call): object {
  const { service } = call;
  const domain = writable(call, "customDomains", call.path.custom_domain_id);
  if (domain.lifecycleStatus === "DELETING") throw new ServiceError(409, "Custom domain is being deleted.");
  if (domain.lifecycleStatus !== "FAILED" && service.behaviour.retryOutsideFailed === "conflict")
    throw new ServiceError(409, "Only a failed custom domain can be retried.");
  if (domain.lifecycleStatus === "FAILED" || domain.lifecycleStatus === "EXPIRED") {
    recordChange(service, domain);
    enterStatus(service, domain, "PENDING_PROVIDER", service.now());
    domain.retryCount += 1;
  }
  return customDomainOnWire(service, domain);
}

function isHostnameTaken({ world, behaviour }: Service, hostname: string): boolean {
  if (!behaviour.uniqueNames) return false;
  return [...world.customDomains.values()].some((domain) => sameHostname(domain.hostname, hostname));
}
