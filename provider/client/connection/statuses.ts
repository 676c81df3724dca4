/** The statuses of HTTP responses. */
import { STATUS_CODES } from "node:http";

/** The statuses that another attempt may not get, whether the service or a proxy sends them. */
export const TRANSIENT_STATUSES: readonly number[] = [429, 502, 503, 504];

/** A status with its name, as in `409 Conflict`. */
export function statusText(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ""}`.trim();
}
