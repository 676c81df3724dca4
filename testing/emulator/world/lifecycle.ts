/** The lifecycle of a Custom Domain, from its creation to ACTIVE or FAILED, and its deletion. */
import { cnameTargetOf, enterStatus } from "./domainStatus";
import type { CustomDomain, LifecycleStatus, Mutable } from "./entities";
import { removeCustomDomain, type Service } from "./world";

const NEXT_STATUS: { readonly [Status in LifecycleStatus]?: LifecycleStatus } = {
  PENDING_PROVIDER: "PENDING_DNS",
  PENDING_DNS: "PENDING_CERTIFICATE",
  PENDING_CERTIFICATE: "ACTIVE",
};

/** Advances a domain by one step: a pending one to its next status; a DELETING one is removed. */
export function advanceDomain(service: Service, domain: Mutable<CustomDomain>, now = service.now()): void {
  if (domain.lifecycleStatus === "DELETING") removeCustomDomain(service, domain.id);
  const next = NEXT_STATUS[domain.lifecycleStatus];
  if (next === undefined) return;
  const hasFailed = next === "ACTIVE" && service.behaviour.domainOutcome === "failed";
  enterStatus(service, domain, hasFailed ? "FAILED" : next, now);
}

/** Counts a GET of a domain after its response, and advances the domain if that is due. */
export function countPoll(service: Service, domain: Mutable<CustomDomain>): void {
  const { cnameTargetAppears, deletingPolls, domainAdvance } = service.behaviour;
  domain.polls += 1;
  domain.pollsInStatus += 1;
  if (typeof cnameTargetAppears === "object" && domain.polls >= cnameTargetAppears.afterPolls) {
    domain.cnameTarget ??= cnameTargetOf(domain.id);
  }
  if (domain.lifecycleStatus === "DELETING") {
    if (domain.pollsInStatus >= deletingPolls) advanceDomain(service, domain);
  } else if (typeof domainAdvance === "object" && "pollsPerState" in domainAdvance) {
    if (domain.pollsInStatus >= domainAdvance.pollsPerState) advanceDomain(service, domain);
  }
}

/** Advances every pending domain to the status that is due at the current time. */
export function catchUpWithClock(service: Service): void {
  const { domainAdvance } = service.behaviour;
  if (typeof domainAdvance !== "object" || !("secondsPerState" in domainAdvance)) return;
  const stepMs = domainAdvance.secondsPerState * 1000;
  const nowMs = service.now().getTime();
  for (const domain of service.world.customDomains.values()) {
    const dueMs = () => Date.parse(domain.statusSince) + stepMs;
    while (domain.lifecycleStatus in NEXT_STATUS && dueMs() <= nowMs)
      advanceDomain(service, domain, new Date(dueMs()));
  }
}
