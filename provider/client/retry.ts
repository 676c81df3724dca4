/**
 * Decides, in pure functions of the outcome of an attempt, whether a request is retried and may have had an effect.
 * Transient failures are retried. A POST is retried only if it certainly had no effect: see docs/internals/service.md.
 */
import type { Passed } from "./connection/gate";
import type { Method, NoResponse } from "./connection/http";
import { REFUSED, TRANSIENT_STATUSES, UNAVAILABLE } from "./connection/statuses";

export type Outcome =
  /** There was a response. */
  | {
      readonly kind: "response";
      readonly status: number;
      readonly retryAfterMs?: number | undefined;
      /** Whether something other than the service may have sent it. */
      readonly notFromService: boolean;
    }
  | Omit<NoResponse, "reason">;

/** The effect of a request: `none` if it certainly changed nothing, `unknown` if it may have changed something. */
export type Effect = "none" | "unknown";

export interface RetryFacts {
  readonly method: Method;
  /** Number of the attempt, starting at 1. */
  readonly attempt: number;
  readonly outcome: Outcome;
  readonly leastMs: number;
  readonly remainingMs: number;
  /** Default: {@link MAX_ATTEMPTS}. */
  readonly maxAttempts?: number | undefined;
}

export const MAX_ATTEMPTS = 6;

export const MAX_RETRY_AFTER_MS = 60_000;

const INITIAL_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 10_000;

/** How long to wait before another attempt, in milliseconds; undefined if there must be none. */
export function retryWaitMs(facts: RetryFacts): number | undefined {
  const { attempt, outcome, leastMs, remainingMs, maxAttempts = MAX_ATTEMPTS } = facts;
  if (!isTransient(outcome) || !isRepeatable(facts) || attempt >= maxAttempts) return undefined;
  const retryAfterMs = outcome.kind === "response" ? (outcome.retryAfterMs ?? 0) : 0;
  const waitMs = Math.max(leastMs, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
  return waitMs < remainingMs ? waitMs : undefined;
}

/** Whether another attempt does no harm, whatever effect the last one had. */
export function isRepeatable(facts: Pick<RetryFacts, "method" | "attempt" | "outcome">): boolean {
  return facts.method !== "POST" || effectOf(facts.method, facts.attempt, facts.outcome) === "none";
}

/** What an outcome says about the rate limit. */
export function answerOf(outcome: Outcome): Pick<Passed, "is" | "retryAfterMs"> {
  if (outcome.kind !== "response") return { is: "unanswered" };
  const { status, retryAfterMs, notFromService } = outcome;
  if (status === REFUSED) return { is: "refused", retryAfterMs };
  if (!notFromService) return { is: "served" };
  return status === UNAVAILABLE ? { is: "unavailable", retryAfterMs } : { is: "unanswered" };
}

export function effectOf(method: Method, attempt: number, outcome: Outcome): Effect {
  if (method === "GET") return "none";
  if (outcome.kind !== "response") return outcome.sent ? "unknown" : "none";
  const { status, retryAfterMs, notFromService } = outcome;
  if (status === REFUSED) return "none";
  // It may replace the service's own response to a request that was executed, whatever its status says.
  if (notFromService) return "unknown";
  // By a 503 with Retry-After, the service rejected the request.
  if (status === UNAVAILABLE && retryAfterMs !== undefined) return "none";
  // The conflict may be with an object that an earlier attempt created.
  if (status === 409 && method === "POST" && attempt > 1) return "unknown";
  return status < 400 || status >= 500 ? "unknown" : "none";
}

function isTransient(outcome: Outcome): boolean {
  if (outcome.kind === "response") return TRANSIENT_STATUSES.includes(outcome.status);
  return outcome.kind !== "cancellation" && outcome.permanentCause === undefined;
}

/** How long to wait after an attempt: twice as long each time. Half is random, so that callers do not retry together. */
export function backoffMs(attempt: number, random: () => number): number {
  const longest = Math.min(MAX_BACKOFF_MS, INITIAL_BACKOFF_MS * 2 ** (attempt - 1));
  return Math.round((longest * (1 + random())) / 2);
}

/** How long a Retry-After header asks to wait from a time of the service's clock. Undefined if it is missing or invalid. */
export function retryAfterMs(header: string, nowMs: number): number | undefined {
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
  const dateMs = dateOf(header);
  return dateMs === undefined ? undefined : Math.max(0, dateMs - nowMs);
}

/** Parses a date header. It starts with the name of a day. Date.parse also accepts text that is not a date. */
export function dateOf(header: string): number | undefined {
  const dateMs = /^\s*[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : dateMs;
}
