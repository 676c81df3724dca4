import { STATUS_CODES } from "node:http";

/** The status of a refusal because of a rate limit. Whoever sends it, the request had no effect. */
export const REFUSED = 429;

export const UNAVAILABLE = 503;

/** The statuses that another attempt may not get, whether the service or a proxy sends them. */
export const TRANSIENT_STATUSES: readonly number[] = [REFUSED, 502, UNAVAILABLE, 504];

/** A status with its name, as in `409 Conflict`. */
export function statusText(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ""}`.trim();
}
