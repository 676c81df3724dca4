/**
 * How fast requests may follow one another, found from what is refused: pure functions of what was sent and answered.
 *
 * The service does not document its rate limit. Until the first refusal there is none here. A refusal pauses all requests.
 * Then the rate grows fast far below the one that was refused, and slowly long after the refusal. The numbers were tried on
 * the limits of test/pure/client/rateLimits.ts: gate.test.ts requires the share of each that is found, and few refusals.
 */

export interface Pace extends Readonly<typeof UNLIMITED> {}

export interface Answer {
  readonly sentAtMs: number;
  readonly nowMs: number;
  /** Only the service tells its pace. Something else that says that the service is unavailable may limit the rate. */
  readonly is: "served" | "refused" | "unavailable" | "unanswered";
  /** How long the refusal asks to wait. */
  readonly retryAfterMs?: number | undefined;
}

const LONGEST_PAUSE_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_OWN_PAUSE_MS = 16_000;
const LEAST_RATE = 0.5;
/** The least rate after the first refusal. What is lower takes one more. */
const FIRST_LEAST_RATE = 7;
/** The parts of the served and the refused rate with which requests go on. Nearer, delayed ones come too close. */
const SERVED_PART = 0.9;
const REFUSED_PART = 0.8;
/**
 * Below this part of the rate that was refused, the rate grows fast. Before the first refusal no rate was set, so it grows
 * fast up to what was served in the last second, if that was enough to tell: a second's requests are often served at once.
 */
const FAST_GROWTH_PART = 0.5;
const SECOND_MS = 1_000;
/** Long after a refusal, another rate may be allowed. */
const LONG_MS = 15_000;
/** A service that served something this recently is probably not down. */
const RECENT_MS = 60_000;
/** How many pauses in a row show that a service is down of which nothing else is known. */
const OUTAGE_PAUSES = 3;

export const UNLIMITED = {
  /** Requests a second. */
  rate: Infinity,
  /** When the last refusal came that counts. */
  refusedAtMs: -Infinity,
  refusedRate: Infinity,
  /** How long the last pause was, if nothing was served since. */
  pauseMs: 0,
  /** How many refusals of an unknown sender paused the requests one after the other. */
  unavailable: 0,
  /** What was sent before it says nothing about the current rate. */
  resumedAtMs: -Infinity,
  grownAtMs: 0,
  /** When the next request may be sent. */
  nextMs: -Infinity,
  /** Whether what follows a pause waits for the answer to the first request after it. */
  isProbing: false as boolean,
  /** When requests were served, in the second that ended when the last one was. */
  served: [] as readonly number[],
};

export function afterSending(pace: Pace, nowMs: number): Pace {
  if (pace.rate === Infinity) return pace;
  const isProbing = pace.isProbing || pace.pauseMs > 0;
  // What a timer is late is not made up for: a service that allows no burst would refuse the next request.
  return { ...pace, isProbing, nextMs: nowMs + SECOND_MS / pace.rate };
}

/** Whether a request was refused because of a rate limit. Some proxies limit with 503, which also says that the service is down. */
export function isRefusal(pace: Pace, { is, nowMs }: Pick<Answer, "is" | "nowMs">): boolean {
  if (is !== "unavailable") return is === "refused";
  const isLimited = pace.rate < Infinity && pace.unavailable + 1 < OUTAGE_PAUSES;
  return isLimited || nowMs - (pace.served.at(-1) ?? -Infinity) <= RECENT_MS;
}

export function afterAnswer(pace: Pace, answer: Answer): Pace {
  const { sentAtMs, nowMs, is } = answer;
  if (is === "served") return afterService(pace, sentAtMs, nowMs);
  if (sentAtMs < pace.resumedAtMs) return pace;
  return isRefusal(pace, answer) ? afterRefusal(pace, answer) : { ...pace, isProbing: false };
}

function afterService(before: Pace, sentAtMs: number, nowMs: number): Pace {
  const pace = { ...before, served: [...lastSecond(before.served, nowMs), nowMs], unavailable: 0 };
  if (pace.rate === Infinity || sentAtMs < pace.resumedAtMs) return pace;
  const rate = pace.rate * growth(pace, nowMs) ** ((nowMs - pace.grownAtMs) / SECOND_MS);
  return { ...pace, rate, grownAtMs: nowMs, pauseMs: 0, isProbing: false };
}

/** By which factor the rate grows in a second. */
function growth({ rate, refusedRate, refusedAtMs }: Pace, nowMs: number): number {
  if (rate < refusedRate * FAST_GROWTH_PART) return 2;
  return nowMs - refusedAtMs > LONG_MS ? 1.05 : 1;
}

function afterRefusal(pace: Pace, { nowMs, is, retryAfterMs }: Answer): Pace {
  const ownMs = pace.pauseMs === 0 ? FIRST_PAUSE_MS : Math.min(pace.pauseMs * 2, LONGEST_OWN_PAUSE_MS);
  const pauseMs = Math.min(retryAfterMs ?? ownMs, LONGEST_PAUSE_MS);
  const resumedAtMs = nowMs + pauseMs;
  const paused = {
    ...pace,
    refusedAtMs: nowMs,
    pauseMs,
    unavailable: is === "unavailable" ? pace.unavailable + 1 : 0,
    resumedAtMs,
    nextMs: resumedAtMs,
    grownAtMs: resumedAtMs,
  };
  // A pause that was too short says nothing about the rate.
  if (pace.pauseMs > 0) return { ...paused, isProbing: false };
  const served = lastSecond(pace.served, nowMs).length;
  const isFirst = pace.rate === Infinity;
  return {
    ...paused,
    isProbing: false,
    rate: Math.max(LEAST_RATE, served * SERVED_PART, isFirst ? FIRST_LEAST_RATE : pace.rate * REFUSED_PART),
    refusedRate: isFirst && served >= FIRST_LEAST_RATE ? served / FAST_GROWTH_PART : pace.rate,
  };
}

function lastSecond(times: readonly number[], nowMs: number): number[] {
  return times.filter((each) => each > nowMs - SECOND_MS);
}
