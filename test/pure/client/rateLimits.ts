/** Rate limits of services, as functions of the time of each request: how long it must wait, 0 if it is served. */
export type RateLimit = (nowMs: number) => number;

const SECOND_MS = 1_000;

/** The limits by their kind, for a number of requests a second. */
export const RATE_LIMITS = {
  /** One second's requests at once, then each after its time. */
  "token bucket"(rate: number): RateLimit {
    let [tokens, lastMs] = [rate, 0];
    return (nowMs) => {
      tokens = Math.min(rate, tokens + ((nowMs - lastMs) * rate) / SECOND_MS);
      lastMs = nowMs;
      if (tokens < 1) return ((1 - tokens) * SECOND_MS) / rate;
      tokens -= 1;
      return 0;
    };
  },
  "fixed window"(rate: number): RateLimit {
    let [window, count] = [-1, 0];
    return (nowMs) => {
      const current = Math.floor(nowMs / SECOND_MS);
      count = current === window ? count + 1 : 1;
      window = current;
      return count <= rate ? 0 : (current + 1) * SECOND_MS - nowMs;
    };
  },
  "sliding window"(rate: number): RateLimit {
    let served: readonly number[] = [];
    return (nowMs) => {
      served = served.filter((each) => each > nowMs - SECOND_MS);
      if (served.length >= rate) return (served[0] ?? 0) + SECOND_MS - nowMs;
      served = [...served, nowMs];
      return 0;
    };
  },
  "no burst"(rate: number): RateLimit {
    let nextMs = 0;
    return (nowMs) => {
      if (nowMs < nextMs) return nextMs - nowMs;
      nextMs = nowMs + SECOND_MS / rate;
      return 0;
    };
  },
} as const;
