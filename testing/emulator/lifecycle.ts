// How a Custom Domain gets from its creation to ACTIVE, or fails, and how it goes.

import { cnameTargetOf, enterStatus } from "./domainStatus";
import type { CustomDomain, LifecycleStatus } from "./entities";
import { removeCustomDomain, type Service } from "./world";

const nextStatus: { readonly [status in LifecycleStatus]?: LifecycleStatus } = {
  PENDING_PROVIDER: "PENDING_DNS",
  PENDING_DNS: "PENDING_CERTIFICATE",
  PENDING_CERTIFICATE: "ACTIVE",
};

/** Whether a domain is on its way to ACTIVE. */
function isPending(domain: CustomDomain): boolean {
  return domain.lifecycleStatus in nextStatus;
}

/** Moves a domain one step on: a pending one to its next status, a DELETING one out of the world. */
export function advanceDomain(service: Service, domain: CustomDomain, now: Date = service.now()): void {
  if (domain.lifecycleStatus === "DELETING") {
    removeCustomDomain(service.world, domain.id);
    return;
  }
  const next = nextStatus[domain.lifecycleStatus];
  if (next === undefined) return;
  enterStatus(
    domain,
    next === "ACTIVE" && service.behaviour.domainOutcome === "failed" ? "FAILED" : next,
    now,
  );
}

/** Counts one GET of a domain, after it was answered, and does what that leads to. */
export function countPoll(service: Service, domain: CustomDomain): void {
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

/** Moves every pending domain as far as the clock has brought it. */
export function catchUpWithClock(service: Service): void {
  const { domainAdvance } = service.behaviour;
  if (typeof domainAdvance !== "object" || !("secondsPerState" in domainAdvance)) return;
  const stepMs = domainAdvance.secondsPerState * 1000;
  const nowMs = service.now().getTime();
  for (const domain of service.world.customDomains.values()) {
    while (isPending(domain) && new Date(domain.statusSince).getTime() + stepMs <= nowMs) {
      advanceDomain(service, domain, new Date(new Date(domain.statusSince).getTime() + stepMs));
    }
  }
}
