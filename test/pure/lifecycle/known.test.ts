/** How often an object is read that is not found or outdated, by what the run knows of it, and what is the result. */
import { readKnown } from "../../../provider/lifecycle/evidence/known";
import type { LookupTarget } from "../../../provider/lifecycle/evidence/lists";
import { type FactKind, objectKey } from "../../../provider/lifecycle/ledger/facts";
import { fakeContext } from "../../support/values/fakeClock";
import { BROKEN, ledgerWith, NOT_FOUND } from "./things";

const OLD = "old";
const NEW = "new";
const FOR_30_SECONDS = [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 4_250];

type Response = typeof OLD | typeof NEW | Error;

/** What the run knows, what the first reads return (and all others: the last), and whether the object is listed. */
interface Situation {
  readonly facts: readonly FactKind[];
  readonly reads: readonly Response[];
  readonly isListed: boolean;
}

const CREATED = ["seen", "created"] as const;
const SEEN = ["seen"] as const;
const UNKNOWN = [] as const;
const ABSENT = [NOT_FOUND];

test.each<[Situation, result: Response, waits: readonly number[], lists: number]>([
  [{ facts: UNKNOWN, reads: ABSENT, isListed: false }, NOT_FOUND, [], 1],
  [{ facts: UNKNOWN, reads: [NOT_FOUND, NEW], isListed: true }, NEW, [250], 1],
  [{ facts: UNKNOWN, reads: [BROKEN, NEW], isListed: true }, BROKEN, [], 0],
  // An earlier run may have created it a moment ago.
  [{ facts: SEEN, reads: [NOT_FOUND, NOT_FOUND, NEW], isListed: false }, NEW, [250, 500], 0],
  [{ facts: SEEN, reads: ABSENT, isListed: false }, NOT_FOUND, [250, 500, 1_000], 1],
  [{ facts: SEEN, reads: ABSENT, isListed: true }, NOT_FOUND, FOR_30_SECONDS, 6],
  [{ facts: SEEN, reads: [NOT_FOUND, BROKEN], isListed: true }, BROKEN, [250], 0],
  // Whatever the lists say.
  [{ facts: CREATED, reads: ABSENT, isListed: false }, NOT_FOUND, FOR_30_SECONDS, 0],
  // A read that is older than what is known.
  [{ facts: SEEN, reads: [OLD, OLD, NEW], isListed: true }, NEW, [250, 500], 0],
  [{ facts: SEEN, reads: [NOT_FOUND, OLD, NEW], isListed: true }, NEW, [250, 500], 0],
])("with %j, the result is %s", async ({ facts, reads, isListed }, result, waits, lists) => {
  const ledger = ledgerWith(facts.map((is) => ({ is, object: objectKey("thing", "1"), by: "urn" })));
  const list = jest.fn(async () => (isListed ? [{ uuid: "1", properties: {}, createdAt: "" }] : []));
  const report = jest.fn();
  const context = fakeContext({ facts: ledger, report });
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
    .map((response) => (response === OLD ? /last change/ : /does not find thing 1/));
  const said = report.mock.calls.map(([message]) => message);
  expect(said).toEqual(
    expect.arrayContaining([...new Set(waitedFor)].map((text) => expect.stringMatching(text))),
  );
  const isShown =
    reads.slice(0, again.length).some((response) => response === OLD || response === NEW) ||
    (isListed && lists > 0);
  expect(ledger.has(objectKey("thing", "1"), "found")).toBe(isShown);
});
