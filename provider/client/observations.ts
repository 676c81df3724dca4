import type { HttpResponse } from "./connection/http";
import { dateOf } from "./retry";

/** What a client learns from the responses of the service. */
export interface Observations {
  /** Adds a response of the service to the request with that id. */
  add(response: HttpResponse, requestId: string): void;
  /** Whether an error of the service has had the id of its request. Then each has. */
  isEchoing(): boolean;
  /** The current time of the service's clock, in milliseconds since the epoch; undefined before the first date. */
  serviceTimeMs(): number | undefined;
}

export function newObservations(): Observations {
  let lastDate: { dateMs: number; seenAtMs: number } | undefined;
  let echoing = false;
  return {
    add(response, requestId) {
      const dateMs = dateOf(response.header("date") ?? "");
      // performance.now() is monotonic: the system's clock may be changed while the process runs.
      if (dateMs !== undefined) lastDate = { dateMs, seenAtMs: performance.now() };
      // A success shows nothing: what adds its id may not be what responds with an error.
      echoing ||= response.status >= 400 && response.header("x-request-id") === requestId;
    },
    isEchoing: () => echoing,
    serviceTimeMs: () => lastDate && lastDate.dateMs + performance.now() - lastDate.seenAtMs,
  };
}
