/**
 * Limits how many requests of a client are in flight. The rate limit of the service is not documented, so the client
 * finds it as TCP does: a 429 halves the number, and successful requests let it grow by one at a time, up to a maximum.
 */
import type { HttpOutcome } from "./http";

/** Sends a request as soon as there is room for it, in the order of the calls. */
export type RequestLimit = (send: () => Promise<HttpOutcome>) => Promise<HttpOutcome>;

export function requestLimit(maximum: number): RequestLimit {
  let limit = maximum;
  let inFlight = 0;
  let sent = 0;
  let sentBeforeDecrease = 0;
  const waiting: (() => void)[] = [];

  function startWaiting(): void {
    while (inFlight < Math.floor(limit)) {
      const start = waiting.shift();
      if (start === undefined) return;
      inFlight += 1;
      start();
    }
  }

  function adapt(outcome: HttpOutcome, number: number): void {
    // Requests that were sent before the last decrease say nothing about the current number.
    if (outcome.kind !== "response" || number <= sentBeforeDecrease) return;
    if (outcome.status === 429) {
      limit = Math.max(1, limit / 2);
      sentBeforeDecrease = sent;
    } else limit = Math.min(maximum, limit + 1 / limit);
  }

  return async (send) => {
    await new Promise<void>((start) => {
      waiting.push(start);
      startWaiting();
    });
    sent += 1;
    const number = sent;
    try {
      const outcome = await send();
      adapt(outcome, number);
      return outcome;
    } finally {
      inFlight -= 1;
      startWaiting();
    }
  };
}
