/** Which custom domains need attention, and why. */
import type { CustomDomain } from "../../provider/client";
import { isPending } from "../../provider/resources/customDomain";
import { counted } from "../../provider/values/phrases";

const DAY_MS = 86_400_000;

/** When a domain needs attention although its status is fine. */
export interface Limits {
  /** How long before it expires. */
  readonly expiresWithinMs: number;
  /** How long after its creation, if it has not been active yet. */
  readonly pendingForMs: number;
}

type Lifecycle = Pick<CustomDomain, "lifecycleStatus" | "createdAt" | "activatedAt" | "expiresAt">;

/** Where a domain was looked for, and when. */
interface Circumstances extends Limits {
  /** The current time of the service's clock. */
  readonly now: Date;
  /** Whether a stack manages it. */
  readonly isManaged: boolean;
}

/** Why a domain needs attention, as a sentence without its name. Undefined if it does not, or `domain` if it is not found. */
export function attentionOf(
  domain: Lifecycle | undefined,
  { now, isManaged, expiresWithinMs, pendingForMs }: Circumstances,
): string | undefined {
  if (domain === undefined)
    return "was not found. If it was deleted, `pulumi refresh` removes it from the state.";
  const { lifecycleStatus, createdAt, activatedAt, expiresAt } = domain;
  switch (lifecycleStatus) {
    case "FAILED":
      return "has failed. Correct the records; then retryFailed of its CustomDomainActivation has the service try again.";
    case "EXPIRED":
      return "has expired and serves no links. Replace the custom domain to start over.";
    case "DELETING":
      return isManaged ? "is being deleted, and the stack still manages it." : undefined;
  }
  const unreadable = [expiresAt, createdAt].find((time) => time != null && Number.isNaN(Date.parse(time)));
  if (unreadable !== undefined) return `has a date that cannot be read: ${JSON.stringify(unreadable)}.`;
  const leftMs = expiresAt == null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - now.getTime();
  if (leftMs < 0) return `was to expire on ${dayOf(expiresAt)}.`;
  if (leftMs < expiresWithinMs)
    return `expires on ${dayOf(expiresAt)}, in ${counted(Math.floor(leftMs / DAY_MS), "day")}.`;
  const isNew = isPending(domain) && activatedAt == null;
  if (isNew && now.getTime() - Date.parse(createdAt) > pendingForMs)
    return `is still pending. It was created on ${dayOf(createdAt)}.`;
  return undefined;
}

/** The day of a date and time, which the service may write in another form than ISO 8601. */
function dayOf(time: string | null | undefined): string {
  return new Date(time ?? "").toISOString().slice(0, 10);
}
