/** The fields of a Custom Domain in each status. */
import type { CustomDomain, LifecycleStatus, Mutable } from "./entities";
import type { Service } from "./world";

const VALIDITY_MS = 90 * 24 * 60 * 60 * 1000;
const RETRY_DELAY_MS = 60 * 60 * 1000;

/** The host that the CNAME record of a Custom Domain must point to. */
export function cnameTargetOf(customDomainId: string): string {
  return `${customDomainId.slice(0, 8)}.edge.dynamiclink.example`;
}

/** Sets the status of a domain, and every field that depends on it. */
export function enterStatus(
  { behaviour }: Service,
  domain: Mutable<CustomDomain>,
  status: LifecycleStatus,
  now: Date,
): void {
  const time = now.toISOString();
  const { hostname } = domain;
  const active = status === "ACTIVE" || status === "EXPIRED" || status === "DELETING";
  const renews = status === "EXPIRED" && behaviour.expiredRecords === "new";
  const certifying = status === "PENDING_CERTIFICATE" || renews;
  const proving = status === "PENDING_DNS" || status === "FAILED" || certifying;
  const proof = `${domain.id.replaceAll("-", "")}${domain.retryCount + (renews ? 1 : 0) || ""}`;
  domain.lifecycleStatus = status;
  domain.statusSince = time;
  domain.pollsInStatus = 0;
  domain.updatedAt = time;
  domain.lastCheckedAt = status === "PENDING_PROVIDER" ? domain.lastCheckedAt : time;
  domain.lastError = status === "FAILED" ? "Provider operation failed." : null;
  domain.nextRetryAt = status === "FAILED" ? new Date(now.getTime() + RETRY_DELAY_MS).toISOString() : null;
  domain.providerStatus = status === "PENDING_PROVIDER" ? null : active ? "active" : "pending";
  domain.sslStatus = active ? "active" : status === "PENDING_CERTIFICATE" ? "pending_validation" : null;
  domain.ownershipValidation = proving
    ? {
        type: "txt",
        name: `_ownership.${hostname}`,
        value: proof,
        httpUrl: `http://validation.dynamiclink.example/${domain.id}/ownership`,
        httpBody: proof,
      }
    : null;
  domain.sslValidationRecords = certifying
    ? { records: [{ status: "pending", txtName: `_certificate.${hostname}`, txtValue: proof }] }
    : null;
  if (status === "ACTIVE") {
    domain.activatedAt = time;
    domain.expiresAt = new Date(now.getTime() + VALIDITY_MS).toISOString();
  }
  if (status === "EXPIRED") domain.expiresAt = time;
}
