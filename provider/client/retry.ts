/**
 * When a request is made again, and what is known of its effect: pure functions of what became of an attempt.
 *
 * A request that may be repeated without harm is repeated after whatever may pass by itself. A POST is repeated
 * only when it surely had no effect.
 */

/** The HTTP methods that the service knows. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What became of one attempt. */
export type Outcome =
  /** An answer came: an error, a redirect, or a success that cannot be read. */
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly retryAfterMs?: number | undefined;
      /** Whether something other than the service may have sent it. Default: no. */
      readonly foreign?: boolean;
    }
  /** No answer came. `sent` is false when not a byte of the request can have reached the service. */
  | { readonly kind: "failure" | "timeout" | "cancellation"; readonly sent: boolean };

/**
 * What is known of a request's effect: `none` when it surely changed nothing, `unknown` when it may have.
 */
export type Effect = "none" | "unknown";

/** What a decision rests on. */
export interface RetryFacts {
  readonly method: Method;
  /** Which attempt this was, from 1. */
  readonly attempt: number;
  readonly outcome: Outcome;
  /** How long to wait when the service does not say. */
  readonly backoffMs: number;
  /** How long the call may still take. */
  readonly remainingMs: number;
}

/** Whether to try again, and after how long. */
export type RetryDecision = { readonly retry: true; readonly waitMs: number } | { readonly retry: false };

/** How many attempts one call makes. */
export const MAX_ATTEMPTS = 6;

/** How long a service may make a call wait by a Retry-After header. */
export const MAX_RETRY_AFTER_MS = 60_000;

const INITIAL_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 10_000;
const TRANSIENT_STATUSES: readonly number[] = [429, 502, 503, 504];

/** Decides whether a request is made again. */
export function decideRetry({ method, attempt, outcome, backoffMs, remainingMs }: RetryFacts): RetryDecision {
  const harmless = method !== "POST" || effectOf(method, attempt, outcome) === "none";
  if (!isTransient(outcome) || !harmless || attempt >= MAX_ATTEMPTS) return { retry: false };
  const retryAfterMs = outcome.kind === "answer" ? (outcome.retryAfterMs ?? 0) : 0;
  const waitMs = Math.max(backoffMs, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
  return waitMs < remainingMs ? { retry: true, waitMs } : { retry: false };
}

/** What is known of the effect of one attempt that did not succeed. */
export function effectOf(method: Method, attempt: number, outcome: Outcome): Effect {
  if (method === "GET") return "none";
  if (outcome.kind !== "answer") return outcome.sent ? "unknown" : "none";
  const { status, retryAfterMs, foreign = false } = outcome;
  // What limits requests, or says when to come back, turned this one away, whether it is the service or a gateway.
  if (status === 429 || (status === 503 && retryAfterMs !== undefined)) return "none";
  // It may stand in place of the service's own answer to a request that was carried out.
  if (foreign) return "unknown";
  // The conflict may be with what an earlier attempt made after all.
  if (status === 409 && method === "POST" && attempt > 1) return "unknown";
  return status < 400 || status >= 500 ? "unknown" : "none";
}

function isTransient(outcome: Outcome): boolean {
  if (outcome.kind === "answer") return TRANSIENT_STATUSES.includes(outcome.status);
  return outcome.kind !== "cancellation";
}

/**
 * How long to wait after an attempt, counted from 1: twice as long each time, up to a cap. Half of it is left to
 * chance, so that callers who failed together do not come back together.
 */
export function backoffMs(attempt: number, random: () => number): number {
  const longest = Math.min(MAX_BACKOFF_MS, INITIAL_BACKOFF_MS * 2 ** (attempt - 1));
  return Math.round((longest * (1 + random())) / 2);
}

/**
 * Reads a Retry-After header: a number of seconds, or a date.
 *
 * @param nowMs what the service's clock says, in milliseconds of the epoch.
 * @returns how long to wait in milliseconds; undefined when there is no such header, or no sense in it.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
  // A date begins with the name of a day; other text could be taken for a date by chance.
  const dateMs = /^\s*[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
