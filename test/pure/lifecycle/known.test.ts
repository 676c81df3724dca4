/** How often an object is read that is not found or outdated, by its age and the lists, and what is the result. */
import { readKnown } from "../../../provider/lifecycle/evidence/known";
import type { LookupTarget } from "../../../provider/lifecycle/evidence/lists";
import { fakeClock, fakeContext } from "../../support/values/fakeClock";
import { BROKEN, ledgerWith, NOT_FOUND } from "./things";

const OLD = "old";
const NEW = "new";
const FOR_30_SECONDS = [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 4_250];

type Response = typeof OLD | typeof NEW | Error;

/** Whether the object is young, what the first reads return (and all others: the last), and whether it is listed. */
interface Situation {
  readonly isYoung?: boolean;
  readonly reads: readonly Response[];
  readonly isListed: boolean;
}

const ABSENT = [NOT_FOUND];

test.each<[Situation, result: Response, waits: readonly number[], lists: number]>([
  [{ reads: ABSENT, isListed: false }, NOT_FOUND, [], 1],
  [{ reads: [NOT_FOUND, NEW], isListed: true }, NEW, [250], 1],
  [{ reads: ABSENT, isListed: true }, NOT_FOUND, FOR_30_SECONDS, 9],
  [{ reads: [BROKEN, NEW], isListed: true }, BROKEN, [], 0],
  [{ reads: [NOT_FOUND, BROKEN], isListed: true }, BROKEN, [250], 1],
  // Whatever the lists say, until its youth ends.
  [{ isYoung: true, reads: [NOT_FOUND, NOT_FOUND, NEW], isListed: false }, NEW, [250, 500], 0],
  [{ isYoung: true, reads: ABSENT, isListed: false }, NOT_FOUND, FOR_30_SECONDS, 1],
  // A read that is older than what is known.
  [{ reads: [OLD, OLD, NEW], isListed: true }, NEW, [250, 500], 0],
  [{ reads: [NOT_FOUND, OLD, NEW], isListed: true }, NEW, [250, 500], 1],
])("with %j, the result is %s", async ({ isYoung = false, reads, isListed }, result, waits, lists) => {
  const ledger = ledgerWith(isYoung ? [{ is: "young", object: "thing 1", untilMs: 30_000 }] : []);
  const list = jest.fn(async () => (isListed ? [{ uuid: "1", properties: {}, createdAt: "" }] : []));
  const report = jest.fn();
  const context = fakeContext({ facts: ledger, report, clock: fakeClock(0) });
  const target: LookupTarget = { description: { title: "thing", list }, context, uuid: "1", state: {} };
  const again: boolean[] = [];
  const read = async (isAgain: boolean) => {
    const response = reads[Math.min(again.push(isAgain), reads.length) - 1];
    if (response instanceof Error) throw response;
    return response;
  };
  const outcome = readKnown(target, read, { isOutdated: (value) => value === OLD });
  if (result instanceof Error) await expect(outcome).rejects.toBe(result);
  else expect(await outcome).toBe(result);
  expect(context.clock.waits).toEqual(waits);
  expect(again).toEqual([false, ...waits.map(() => true)]);
  expect(list).toHaveBeenCalledTimes(lists);
  // Once for what lasts: not found, or outdated.
  const waitedFor = reads
    .slice(0, again.length - 1)
    .map((response) =>
      response === OLD ? /last change/ : isYoung ? /which is new/ : /does not find thing 1/,
    );
  const said = report.mock.calls.map(([message]) => message);
  const expected = [...new Set(waitedFor)].map((text) => expect.stringMatching(text));
  expect(said).toEqual(expect.arrayContaining(expected));
});
