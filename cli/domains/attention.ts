/** Which custom domains need attention, and why. */
import type { CustomDomain } from "../../provider/client";
import { counted } from "../../provider/values/phrases";
import { timeOf } from "../../provider/values/time";

const DAY_MS = 86_400_000;
const EXPIRES_SOON_DAYS = 30;
const RETRY =
  "Correct the records, set retryFailed of its CustomDomainActivation, unless it is set, and run `pulumi up --refresh`, which has the service try again.";

/**
 * Why a domain needs attention, as a sentence without its name. Undefined if it does not.
 *
 * @param now the current time of the service's clock.
 * @param hasRecords whether it has records to set now.
 */
export function attentionOf(
  { lifecycleStatus, expiresAt }: Pick<CustomDomain, "lifecycleStatus" | "expiresAt">,
  { now, hasRecords }: { readonly now: Date; readonly hasRecords: boolean },
): string | undefined {
  switch (lifecycleStatus) {
    case "FAILED":
      return `has failed. ${RETRY}`;
    case "EXPIRED":
      return `has expired and serves no links. ${RETRY}`;
    case "DELETING":
      return undefined;
    case "ACTIVE":
      return expiresAt == null ? undefined : expiry(expiresAt, now);
    default:
      return hasRecords ? "waits for its records, see below." : undefined;
  }
}

function expiry(expiresAt: string, now: Date): string | undefined {
  const time = timeOf(expiresAt);
  if (Number.isNaN(time)) return `has a date that cannot be read: ${JSON.stringify(expiresAt)}.`;
  const days = Math.floor((time - now.getTime()) / DAY_MS);
  if (days >= EXPIRES_SOON_DAYS) return undefined;
  const day = new Date(time).toISOString().slice(0, 10);
  return days < 0
    ? `was to expire on ${day}.`
    : `expires on ${day}, in ${counted(days, "day")}. Check its CNAME record. If that is correct, ask the service's support whether the domain is renewed.`;
}
