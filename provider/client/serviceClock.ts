import type { HttpResponse } from "./connection/http";
import { dateOf } from "./retry";

/** The service's clock, as far as its responses show it. */
export interface ServiceClock {
  /** Notes the date of a response of the service. */
  note(response: HttpResponse): void;
  /** The current time in milliseconds since the epoch; undefined before the first date. */
  nowMs(): number | undefined;
}

export function newServiceClock(): ServiceClock {
  let last: { readonly dateMs: number; readonly seenAtMs: number } | undefined;
  return {
    note(response) {
      const dateMs = dateOf(response.header("date") ?? "");
      // performance.now() is monotonic: the system's clock may be changed while the process runs.
      if (dateMs !== undefined) last = { dateMs, seenAtMs: performance.now() };
    },
    nowMs: () => last && last.dateMs + performance.now() - last.seenAtMs,
  };
}
