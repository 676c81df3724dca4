/** Polls the service with backoff, until a timeout. */
import type { OperationContext } from "./description";
import { unlessAborted } from "./unlessAborted";

/** How long a read or a list may lag behind a write. */
export const LONGEST_LAG_MS = 30_000;

/** The first pause. Most changes are quick. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** How long a poll can last after the end of the wait. */
const LAST_POLL_MS = 30_000;
/** The longest pause that the service can ask for. It does not promise that nothing changes before the time it gives. */
const LONGEST_REQUESTED_PAUSE_MS = 30_000;

/** The current time of the service, as far as its responses show it. */
export function serviceMs({ client, clock }: Pick<OperationContext, "client" | "clock">): number {
  return (client.serviceTime() ?? clock.date()).getTime();
}

export interface Poll<Value> {
  readonly timeoutMs: number;
  /** Sends only reads. The client of its context repeats them after transient failures until the wait ends. */
  read(context: OperationContext): Promise<Value>;
  done(value: Value): boolean;
  /** The progress message. It is reported each time it changes. The texts of the value are sanitized. */
  progress(value: Value): string;
  /** When the service suggests the next poll, by its own clock; ignored if it is not a valid time. */
  notBefore?(value: Value): Date | undefined;
}

/** Polls until it is done or the timeout is over. Returns the last value. @throws the reason of `waits` when that aborts. */
export async function pollUntil<Value>(context: OperationContext, poll: Poll<Value>): Promise<Value> {
  const { clock, signal, waits = signal, report, client } = context;
  const end = clock.now() + poll.timeoutMs;
  let reported: string | undefined;
  // Without a signal for waits, the host learns of no cancellation.
  const interruption =
    context.waits === undefined || waits === signal
      ? " Ctrl-C takes effect after that; a second one ends Pulumi at once."
      : "";
  const limit = `. Waits for at most ${Math.ceil(poll.timeoutMs / 1_000)} seconds.${interruption}`;
  for (let attempt = 0; ; attempt++) {
    const budgetMs = Math.max(end - clock.now(), LAST_POLL_MS);
    const patient = { ...context, client: client.withOptions({ maxAttempts: Infinity, budgetMs }) };
    const value = await unlessAborted(() => poll.read(patient), waits);
    if (poll.done(value) || clock.now() >= end) return value;
    const message = poll.progress(client.sanitized(value));
    if (message !== reported) report(reported === undefined ? `${message}${limit}` : message);
    reported = message;
    const requestedMs = Math.min(
      (poll.notBefore?.(value)?.getTime() || 0) - serviceMs(context),
      LONGEST_REQUESTED_PAUSE_MS,
    );
    await pauseAfter(attempt, context, { end, requestedMs });
  }
}

/** Pauses after an attempt (from 0), twice as long each time, but not beyond `end`. @throws the reason of `waits` when that aborts. */
export async function pauseAfter(
  attempt: number,
  { clock, signal, waits = signal }: Pick<OperationContext, "clock" | "signal" | "waits">,
  { end, requestedMs = 0 }: { readonly end: number; readonly requestedMs?: number },
): Promise<void> {
  const pauseMs = Math.max(Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS), requestedMs);
  // Time has passed since it was compared with the end.
  const remainingMs = Math.max(0, end - clock.now());
  await clock.sleep(Math.min(pauseMs, remainingMs), waits).catch((error: unknown) => {
    waits.throwIfAborted();
    throw error;
  });
}

/** Repeats an operation, with pauses and not beyond the end, while it fails with an error that may be temporary. */
export async function repeatedly<Value>(
  context: OperationContext,
  operation: (isAgain: boolean) => Promise<Value>,
  {
    end,
    isTemporary,
    progress,
  }: { readonly end: number; isTemporary(error: unknown): boolean; readonly progress?: string },
): Promise<Value> {
  for (let attempt = 0; ; attempt++) {
    // What was requested before the end may be as old as then.
    const isLast = context.clock.now() >= end;
    try {
      return await operation(attempt > 0);
    } catch (error) {
      if (isLast || !isTemporary(error)) throw error;
    }
    if (attempt === 0 && progress !== undefined) context.report(progress);
    await pauseAfter(attempt, context, { end });
  }
}
