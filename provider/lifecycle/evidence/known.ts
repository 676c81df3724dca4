/** Reads an object that exists as far as the run knows. A replica of the service may be behind the write that it knows of. */
import { NotFoundError } from "../../client/errors";
import { readsToDeny } from "../ledger/decisions";
import { objectKey } from "../ledger/facts";
import { LONGEST_LAG_MS, pollUntil } from "../poll";
import { contradictionOf } from "./absence";
import type { LookupTarget } from "./lists";
import { whileYoung } from "./youth";

interface KnownOptions<Value> {
  /** Whether other responses confirm a 404. Default: as the lists decide for an object of the state. */
  isGone?(notFound: NotFoundError): Promise<boolean>;
  /** Whether the value is older than what is known. Default: it is not. */
  isOutdated?(value: Value): boolean;
}

/**
 * Reads an object again, with pauses, while it is not found or outdated, unless it is gone. After that time, returns it
 * although it is outdated.
 *
 * @param read gets whether it is not the first read.
 * @throws NotFoundError
 */
export async function readKnown<Value>(
  target: LookupTarget,
  read: (isAgain: boolean) => Promise<Value>,
  {
    isGone = async (notFound) => (await contradictionOf(target, notFound)) === undefined,
    isOutdated = () => false,
  }: KnownOptions<Value> = {},
): Promise<Value> {
  const { description, context, uuid } = target;
  const object = objectKey(description.title, uuid);
  const toDeny = readsToDeny(context.facts, object);
  let reads = 0;
  let denials = 0;
  let gone = false;
  let error: unknown;
  const found = await pollUntil(context, {
    timeoutMs: LONGEST_LAG_MS,
    async read() {
      reads += 1;
      try {
        const value = await whileYoung(context, object, (isAgain) => read(isAgain || reads > 1));
        context.facts?.record({ is: "found", object });
        return { value };
      } catch (reason) {
        if (!(reason instanceof NotFoundError)) throw reason;
        error = reason;
        denials += 1;
        gone = denials >= toDeny && (await isGone(reason));
        return undefined;
      }
    },
    done: (one) => (one === undefined ? gone : !isOutdated(one.value)),
    progress: (one) =>
      one === undefined
        ? `The service does not find ${object}: checking whether it was deleted`
        : `Waiting until a read of ${object} returns its last change`,
  });
  if (found === undefined) throw error;
  return found.value;
}
