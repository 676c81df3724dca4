import type { Clock } from "./connection/gate";
import type { HttpResponse } from "./connection/http";
import { dateOf } from "./retry";

/** The service's clock, as far as its responses show it. Dates lack fractions and the time of the transfer, so the latest counts. */
export function newServiceClock({ now }: Pick<Clock, "now">) {
  let aheadMs = -Infinity;
  return {
    note(response: HttpResponse): void {
      aheadMs = Math.max(aheadMs, (dateOf(response.header("date") ?? "") ?? -Infinity) - now());
    },
    /** The current time in milliseconds since the epoch; undefined before the first date. */
    nowMs: (): number | undefined => (aheadMs > -Infinity ? now() + aheadMs : undefined),
  };
}
