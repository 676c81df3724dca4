/** Reads an object that exists as far as the run knows. A replica of the service may be behind the write that it knows of. */
import { NotFoundError } from "../../client/errors";
import { subjectKey } from "../creates";
import { LONGEST_LAG_MS, pollUntil } from "../poll";
import { type Absence, confirmAbsence } from "./absence";
import type { LookupTarget } from "./lists";
import { whileYoung } from "./youth";

interface KnownOptions<Value> {
  /** What the lists show after a 404. Default: as for an object of the state. */
  absence?(): Promise<Absence>;
  /** Whether the value is older than what is known. Default: it is not. */
  isOutdated?(value: Value): boolean;
}

/**
 * Reads an object again, with pauses, while it is not found or outdated, unless it is gone. After that time, returns it
 * although it is outdated. `read` gets whether it is not the first read. @throws NotFoundError
 */
export async function readKnown<Value>(
  target: LookupTarget,
  read: (isAgain: boolean) => Promise<Value>,
  { absence = () => confirmAbsence(target), isOutdated = () => false }: KnownOptions<Value> = {},
): Promise<Value> {
  const { description, context, uuid } = target;
  const object = subjectKey(description, uuid);
  let reads = 0;
  const outcome = await pollUntil(context, {
    timeoutMs: LONGEST_LAG_MS,
    async read() {
      reads += 1;
      try {
        return { value: await whileYoung(context, object, (isAgain) => read(isAgain || reads > 1)) };
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        return { error, isGone: (await absence()).is === "gone" };
      }
    },
    done: (one) => ("value" in one ? !isOutdated(one.value) : one.isGone),
    progress: (one) =>
      "value" in one
        ? `Waiting until a read of ${object} returns its last change`
        : `The service does not find ${object}: checking whether it was deleted`,
  });
  if ("value" in outcome) return outcome.value;
  throw outcome.error;
}
