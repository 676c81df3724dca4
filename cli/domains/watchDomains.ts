/** Waits until all custom domains are active, or need attention. */

import type { Clock } from "../../provider/client";
import { pollUntil } from "../../provider/lifecycle/poll";
import { isPending } from "../../provider/resources/customDomain";
import { type DomainReading, type DomainSource, readAgain } from "./readDomains";

/** How to wait, and what to do with each change. */
export interface Watch {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Whether nobody reads the text any more. */
  isOver(): boolean;
  /** The readings as text. It is shown when it differs from the one before. */
  text(readings: readonly DomainReading[]): string;
  show(text: string, readings: readonly DomainReading[]): void;
}

/** Polls the domains that are pending, each with one request, until none is or the timeout is over. Returns the last readings. */
export async function watchDomains(
  sources: readonly DomainSource[],
  { clock, timeoutMs, isOver, text, show }: Watch,
): Promise<readonly DomainReading[]> {
  let readings = await readDomains(sources);
  const [first] = sources;
  if (first === undefined) return readings;
  let isFirst = true;
  const context = { ...first.organization, clock, report: (shown: string) => show(shown, readings) };
  return await pollUntil(context, {
    timeoutMs,
    async read() {
      if (!isFirst)
        readings = await Promise.all(readings.map((one) => (isWaiting(one) ? readAgain(one) : one)));
      isFirst = false;
      return readings;
    },
    done: (all) => isOver() || !all.some(isWaiting),
    progress: () => text(readings),
    notBefore: (all) => earliestRetry(all.filter(isWaiting)),
  });
}

/** Reads the domains of all sources, ordered by host name. */
export async function readDomains(sources: readonly DomainSource[]): Promise<readonly DomainReading[]> {
  const readings = (await Promise.all(sources.map((source) => source.read()))).flat();
  return readings.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
}

function sortKey({ hostname, resource, uuid }: DomainReading): string {
  return [hostname ?? resource ?? "", uuid].join(" ");
}

/** Whether it may become active while one waits. */
export function isWaiting({ domain }: DomainReading): boolean {
  return domain !== undefined && isPending(domain);
}

/** When the service retries the first of the domains. Undefined if one of them is not retried at a known time. */
function earliestRetry(waiting: readonly DomainReading[]): Date | undefined {
  const times = waiting.map(({ domain }) => Date.parse(domain?.nextRetryAt ?? ""));
  return times.some(Number.isNaN) ? undefined : new Date(Math.min(...times));
}
