/**
 * The age of an object as evidence. A replica of the service may be behind the creation of an object, so that neither reads
 * nor lists show it. Until {@link YOUTH_MS} after its creation, its absence proves nothing, whatever other responses have
 * shown: see docs/internals/service.md.
 */
import { NotFoundError } from "../../client/errors";
import { timeOf } from "../../values/time";
import type { OperationContext } from "../description";
import type { Fact } from "../ledger/facts";
import type { Facts } from "../ledger/ledger";
import { LONGEST_LAG_MS, repeatedly, serviceMs } from "../poll";
import { YOUTH_MS } from "../state";

/** How long an object is still young, in milliseconds; at most 0 for an old one, and NaN without a creation. */
function youthLeftMs(createdAt: unknown, serviceMs: number): number {
  // A clock that is behind the creation makes no object younger than a new one.
  return YOUTH_MS - Math.max(0, serviceMs - timeOf(createdAt));
}

export function isYoung(context: Pick<OperationContext, "client" | "clock">, createdAt: unknown): boolean {
  return youthLeftMs(createdAt, serviceMs(context)) > 0;
}

/** The fact about an object that is young at `nowMs`, with the end of its youth by the same clock. Without a creation, it is old. */
export function youthOf(
  object: string,
  createdAt: unknown,
  { serviceMs, nowMs }: { readonly serviceMs: number; readonly nowMs: number },
): Fact | undefined {
  const leftMs = youthLeftMs(createdAt, serviceMs);
  return leftMs > 0 ? { is: "young", object, untilMs: nowMs + leftMs } : undefined;
}

/** Records that an object is young, if it is. */
export function recordYouth(context: OperationContext, object: string, createdAt: unknown): void {
  const now = { serviceMs: serviceMs(context), nowMs: context.clock.now() };
  const youth = youthOf(object, createdAt, now);
  if (youth !== undefined) context.facts?.record(youth);
}

/** Records that this run has created an object, or may have. */
export function recordNew({ clock, facts }: OperationContext, object: string): void {
  facts?.record({ is: "young", object, untilMs: clock.now() + LONGEST_LAG_MS });
}

/** When the youth of an object ends or ended, by the clock of the run. Long ago for one that has not been young in it. */
export function youngUntilMs(facts: Facts | undefined, object: string): number {
  return facts?.about(object).find(({ is }) => is === "young")?.untilMs ?? -Infinity;
}

/** Repeats an operation while it does not find an object that is young. Then the 404 counts. @throws NotFoundError */
export async function whileYoung<Value>(
  { facts, ...context }: OperationContext,
  object: string,
  operation: (isAgain: boolean) => Promise<Value>,
): Promise<Value> {
  return await repeatedly(context, operation, {
    end: youngUntilMs(facts, object),
    isTemporary: (error) => error instanceof NotFoundError,
    progress: `Waiting for at most ${YOUTH_MS / 1_000} seconds until the service shows ${object}, which is new`,
  });
}
