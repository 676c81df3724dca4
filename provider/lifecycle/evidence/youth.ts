/**
 * The age of an object as evidence. A replica of the service may be behind the creation of an object, so that neither reads
 * nor lists show it. Until {@link LONGEST_LAG_MS} after its creation, its absence proves nothing, unless this process has
 * seen it since.
 */
import { NotFoundError } from "../../client/errors";
import { timeOf } from "../../values/time";
import type { OperationContext } from "../description";
import { CREATED_PROPERTY } from "../hiddenProperties";
import type { Fact } from "../ledger/facts";
import type { Facts } from "../ledger/ledger";
import { LONGEST_LAG_MS, repeatedly } from "../poll";
import type { Properties } from "../properties";

export interface Age {
  /** When the object was created. If that is unknown, the object counts as old. */
  readonly createdAt: unknown;
  readonly serviceMs: number;
  /** The time by the clock of the run, and when this process first looked for an object: none waits longer after that. */
  readonly nowMs: number;
  readonly firstLookMs: number;
}

/** When an object was created, as far as its state shows it: by this package, else by the service's own time. */
export function creationIn(state: Properties): unknown {
  return state[CREATED_PROPERTY] ?? state.createdAt;
}

/** The fact about an object that is young, with the end of its youth by the clock of the run. */
export function youthOf(object: string, { createdAt, serviceMs, nowMs, firstLookMs }: Age): Fact | undefined {
  const createdAtMs = timeOf(createdAt);
  // A clock that is behind the creation makes no object younger than a new one.
  const leftMs = LONGEST_LAG_MS - Math.max(0, serviceMs - createdAtMs);
  const untilMs = Math.min(nowMs + leftMs, firstLookMs + LONGEST_LAG_MS);
  return untilMs > nowMs ? { is: "young", object, untilMs } : undefined;
}

/** When the youth of an object ends or ended, by the clock of the run. Long ago for one that has not been young in it. */
export function youngUntilMs(facts: Facts | undefined, object: string): number {
  return facts?.about(object).find(({ is }) => is === "young")?.untilMs ?? -Infinity;
}

/** Whether the absence of an object proves nothing now. */
export function isYoung(facts: Facts | undefined, object: string, nowMs: number): boolean {
  return nowMs < youngUntilMs(facts, object) && facts?.has(object, "found") === false;
}

/**
 * Sends the deletion of an object, and repeats it like {@link whileYoung}. It was sent, so a stopped call looks for its result
 * as well.
 *
 * @throws NotFoundError
 */
export async function deleteObject(
  context: OperationContext,
  object: string,
  send: () => Promise<void>,
): Promise<void> {
  await whileYoung({ ...context, waits: context.signal }, object, send);
}

/**
 * Repeats an operation while it does not find an object and that proves nothing. Then the 404 counts.
 *
 * @param isAboutContents whether the operation lists what is in the object. Another replica may have shown the object.
 * @throws NotFoundError
 */
export async function whileYoung<Value>(
  context: OperationContext,
  object: string,
  operation: (isAgain: boolean) => Promise<Value>,
  { isAboutContents = false }: { readonly isAboutContents?: boolean } = {},
): Promise<Value> {
  const { clock, facts } = context;
  const mayBeBehind = () => isAboutContents || isYoung(facts, object, clock.now());
  return await repeatedly(context, operation, {
    end: youngUntilMs(facts, object),
    isTemporary: (error) => error instanceof NotFoundError && mayBeBehind(),
    progress: `Waiting for at most ${LONGEST_LAG_MS / 1_000} seconds until the service shows ${object}, which is new`,
  });
}
