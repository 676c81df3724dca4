import type { Clock } from "./connection/gate";
import type { HttpResponse } from "./connection/http";
import { dateOf } from "./retry";

/** The service's clock, as far as its responses show it. */
export function newServiceClock({ now }: Pick<Clock, "now">) {
  let last: { readonly dateMs: number; readonly seenAtMs: number } | undefined;
  return {
    note(response: HttpResponse): void {
      const dateMs = dateOf(response.header("date") ?? "");
      if (dateMs !== undefined) last = { dateMs, seenAtMs: now() };
    },
    /** The current time in milliseconds since the epoch; undefined before the first date. */
    nowMs: (): number | undefined => last && last.dateMs + now() - last.seenAtMs,
  };
}
