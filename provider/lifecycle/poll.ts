/** Waiting for the service: looking again and again, at growing pauses, for a bounded time. */
import type { OperationContext } from "./description";

/** The first pause: most changes are quick. */
const FIRST_PAUSE_MS = 250;
/** The longest pause between two looks. */
const LONGEST_PAUSE_MS = 10_000;

/** What to wait for. */
export interface Poll<Value> {
  readonly timeoutMs: number;
  look(): Promise<Value>;
  done(value: Value): boolean;
  /** What to report while it waits, each time it changes, of a value whose texts are printable. */
  waiting(value: Value): string;
  /** When the next look is worth while, by the service's clock, where the service says so. */
  notBefore?(value: Value): Date | undefined;
}

/** Looks until it is done or the time is over; returns what it saw last. */
export async function pollUntil<Value>(context: OperationContext, poll: Poll<Value>): Promise<Value> {
  const { clock, signal, report, client } = context;
  const end = clock.now() + poll.timeoutMs;
  let told: string | undefined;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const value = await poll.look();
    if (poll.done(value) || clock.now() >= end) return value;
    const message = poll.waiting(client.printable(value));
    if (message !== told) report(message);
    told = message;
    const notBefore = poll.notBefore?.(value)?.getTime() ?? 0;
    const serviceNow = client.serviceTime()?.getTime() ?? clock.now();
    const untilWorthwhileMs = notBefore - serviceNow;
    const remainingMs = end - clock.now();
    await clock.sleep(Math.min(Math.max(pauseMs, untilWorthwhileMs), remainingMs), signal);
  }
}
