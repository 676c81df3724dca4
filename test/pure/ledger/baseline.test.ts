/** What was there before a create: which objects are new since then, and which an interrupted run may have left behind. */
import {
  createdSince,
  listEqual,
  readBaseline,
  reportLeftovers,
} from "../../../provider/lifecycle/create/baseline";
import { sameAs, type Wanted } from "../../../provider/lifecycle/create/wanted";
import type { Found, OperationContext, ResourceDescription } from "../../../provider/lifecycle/description";
import { type FactKind, objectKey } from "../../../provider/lifecycle/ledger/facts";
import type { Properties } from "../../../provider/lifecycle/properties";
import type { Baseline } from "../../../provider/lifecycle/run/creation";
import { newRunMemory } from "../../../provider/lifecycle/run/runMemory";
import { DESCRIPTIONS } from "../../../provider/resources";
import { fakeClock, fakeContext } from "../../support/values/fakeClock";
import { NOT_FOUND } from "../lifecycle/things";

const SENT = "10:00:05.700";
const NOW = "10:00:09.200";

function at(time: string): string {
  return `2026-01-01T${time}Z`;
}

function sanitized(found: Found): Found {
  return { ...found, createdAt: "sanitized" };
}

const OTHERS = "others";
const IT = "it and others";

type Time = string | undefined;

test.each<[createdAt: string, sent: Time, now: Time, listed: string | undefined, isNew: boolean]>([
  ["10:00:06.000", SENT, NOW, OTHERS, true],
  // Dates of responses have no fractions of a second, so the time of the create may be late by one.
  ["10:00:05.000", SENT, NOW, OTHERS, true],
  // The clock of the dates may be ahead of that of the creation times.
  ["10:00:04.999", SENT, NOW, OTHERS, false],
  // The clock of the dates is behind that of the creation times.
  ["10:00:10.199", SENT, NOW, OTHERS, true],
  ["10:00:10.200", SENT, NOW, OTHERS, false],
  ["10:00:06.000", undefined, NOW, OTHERS, false],
  ["10:00:06.000", SENT, undefined, OTHERS, false],
  // What was listed before the create is older, whatever the clocks say.
  ["10:00:06.000", SENT, NOW, IT, false],
  // The list could not be read.
  ["10:00:06.000", SENT, NOW, undefined, true],
  ["10:00:04.999", SENT, NOW, undefined, false],
])(
  "an object that was created at %s is surely new since %s, as seen at %s (listed before: %s): %s",
  (createdAt, sent, now, listed, isNew) => {
    const found: Found = { uuid: "a", properties: {}, createdAt: at(createdAt) };
    const others: readonly Found[] = [{ ...found, uuid: "b" }];
    const before: Omit<Baseline, "isInNew"> = {
      time: sent === undefined ? undefined : new Date(at(sent)),
      listed: listed === IT ? [...others, found] : listed === OTHERS ? others : undefined,
    };
    const serviceTime = () => (now === undefined ? undefined : new Date(at(now)));
    const context = { client: { serviceTime } } as unknown as OperationContext;
    expect(createdSince(before, context)(found)).toBe(isNew);
  },
);

const INPUTS = { name: "Shop", color: "red" };
const BLUE = { ...INPUTS, color: "blue" };

interface Left {
  readonly properties: Properties;
  readonly uniqueBy?: string;
  readonly created?: Properties;
  readonly facts?: readonly FactKind[];
}

test.each<[situation: string, Left, isReported: boolean]>([
  ["has other values as well", { properties: { ...INPUTS, size: 1 } }, true],
  ["differs", { properties: BLUE }, false],
  ["has the unique value", { properties: BLUE, uniqueBy: "name" }, true],
  ["is equal to the created one, which the service has changed", { properties: BLUE, created: BLUE }, true],
  ["has the unique value of the created one", { properties: BLUE, uniqueBy: "color", created: BLUE }, true],
  // The state alone does not show that the program has it.
  ["is in the state", { properties: INPUTS, facts: ["listedBefore", "seen"] }, true],
  ["is declared", { properties: INPUTS, facts: ["listedBefore", "declared"] }, false],
])("an object that was there before is a leftover if it %s: %j", (_situation, is, isReported) => {
  const { properties, uniqueBy, created, facts = [] } = is;
  const memory = newRunMemory();
  const left: Found = { uuid: "left", properties, createdAt: at(NOW) };
  const other: Found = { ...left, uuid: "other", properties: { name: "Other", color: "other" } };
  for (const kind of facts) memory.ledger.record({ is: kind, object: objectKey("thing", "left") });
  const report = jest.fn();
  const wanted = {
    description: { title: "thing", uniqueBy },
    context: { report, client: { sanitized: (all: readonly Found[]) => all.map(sanitized) } },
    inputs: INPUTS,
  } as unknown as Wanted;
  const before = { listed: [other, left], created: created && { ...left, uuid: "new", properties: created } };
  for (let create = 1; create <= 2; create++) reportLeftovers(wanted, memory, before);
  reportLeftovers(wanted, memory, { ...before, listed: undefined });
  const leftovers = new RegExp(
    `^The service already had things with the declared ${uniqueBy ?? "properties"}, .*\n  left, created sanitized\nIf this resource was renamed or moved, and one of them still exists after this run, undo that,`,
  );
  const reported = [expect.stringMatching(leftovers), { persistent: true }];
  expect(report.mock.calls).toEqual(isReported ? [reported] : []);
  expect(String(report.mock.calls)).not.toContain("other,");
});

const APPLE = { appleInfo: { appName: "Shop", bundleId: "example.shop" } };
const ANDROID = { androidInfo: { appPackageName: "example.shop" } };
test.each<[declared: Properties, existing: Properties, isSame: boolean]>([
  [APPLE, { appleInfo: { appName: "Store", bundleId: "example.shop", appStoreId: "1" } }, true],
  [APPLE, { appleInfo: { ...APPLE.appleInfo, bundleId: "example.store" } }, false],
  [APPLE, { appleInfo: null, ...ANDROID }, false],
  [{ ...APPLE, ...ANDROID }, APPLE, false],
  [ANDROID, { appleInfo: null, androidInfo: { ...ANDROID.androidInfo, appName: "Store" } }, true],
  [{ appType: "WEB" }, { appType: "IOS", ...APPLE }, false],
])("the declared application %j and the existing one %j may be the same: %s", (declared, existing, same) => {
  const properties = { projectId: "one", appType: "IOS", ...existing };
  const found: Found = { uuid: "a", properties, createdAt: at(NOW) };
  const { Application } = DESCRIPTIONS;
  const inputs = { projectId: "one", ...declared };
  expect(sameAs(Application as unknown as ResourceDescription, inputs)(found)).toBe(same);
});

describe("the list before a create", () => {
  const LISTED: Found = { uuid: "a", properties: {}, createdAt: at(SENT) };
  const ABORT = new AbortController();
  ABORT.abort(new Error("cancelled"));

  function newRun() {
    const memory = newRunMemory();
    const requests: unknown[] = [];
    const report = jest.fn();
    return {
      memory,
      requests,
      report,
      beforeOne: async ({
        title = "thing",
        organizationId = "organization",
        project = undefined as string | undefined,
        signal = new AbortController().signal,
        list = async () => [LISTED],
        isListed = true,
      } = {}) => {
        const wanted = {
          description: {
            title,
            parentId: project && "projectId",
            ...(isListed && {
              async list() {
                requests.push(project);
                return await list();
              },
            }),
          },
          context: {
            ...{ organizationId, signal, report, clock: fakeClock(0), facts: memory.ledger },
            client: { serviceTime: () => new Date(at(NOW)) },
          },
          inputs: { projectId: project },
        } as unknown as Wanted;
        return await readBaseline(wanted, memory);
      },
    };
  }

  test("is read once for each kind and project, or organization", async () => {
    const { beforeOne, memory, requests } = newRun();
    for (const what of [
      {},
      { title: "other" },
      { organizationId: "other" },
      { project: "one" },
      { project: "two" },
      { project: "two", organizationId: "other" },
    ])
      for (let create = 1; create <= 2; create++)
        expect(await beforeOne(what)).toEqual({ time: new Date(at(NOW)), listed: [LISTED], isInNew: false });
    expect(requests).toEqual([undefined, undefined, undefined, "one", "two", "two"]);
    for (const title of ["thing", "other"])
      expect(memory.ledger.about(objectKey(title, "a"))).toEqual([
        { is: "listedBefore", object: objectKey(title, "a") },
      ]);
  });

  test("is not read in a project that the run has created", async () => {
    const { beforeOne, memory, requests } = newRun();
    memory.ledger.record({ is: "created", object: objectKey("project", "one"), by: "urn" });
    expect(await beforeOne({ project: "one" })).toMatchObject({ listed: [], isInNew: true });
    expect((await beforeOne({ project: "two" })).listed).toEqual([LISTED]);
    expect(requests).toEqual(["two"]);
  });

  test("is read again until it is found in a project that is new", async () => {
    const { beforeOne, memory, requests } = newRun();
    const object = objectKey("project", "one");
    memory.ledger.record({ is: "young", object, untilMs: 30_000 });
    const list = async () => {
      if (requests.length < 3) throw NOT_FOUND;
      return [LISTED];
    };
    expect((await beforeOne({ project: "one", list })).listed).toEqual([LISTED]);
  });

  test("may be behind a refresh of the run that did not find an object in it, which is no leftover then", async () => {
    const { beforeOne, memory } = newRun();
    memory.ledger.record({ is: "absent", object: objectKey("thing", "a") });
    const { listed = [] } = await beforeOne();
    expect(listed).toEqual([LISTED]);
    const wanted = {
      description: { title: "thing" },
      context: fakeContext(),
      inputs: {},
    } as unknown as Wanted;
    expect(listEqual(memory, wanted, "", { listed })).toBeUndefined();
    expect(listEqual(newRunMemory(), wanted, "", { listed })).toContain("a, created");
  });

  test("is unknown if it cannot be read, with one message", async () => {
    const { beforeOne, memory, report, requests } = newRun();
    const list = () => Promise.reject(new Error("403"));
    for (let create = 1; create <= 2; create++) expect((await beforeOne({ list })).listed).toBeUndefined();
    expect(requests).toHaveLength(1);
    expect((await beforeOne({ title: "item", isListed: false })).listed).toBeUndefined();
    expect(report.mock.calls).toEqual(
      ["403", "The service has no list of items."].map((reason) => [
        expect.stringContaining(reason),
        { persistent: true },
      ]),
    );
    expect(memory.ledger.about(objectKey("thing", "a"))).toEqual([]);
  });

  test("is read again by a create that waits for it, if the one that has requested it is cancelled", async () => {
    const { beforeOne, report, requests } = newRun();
    const list = () => Promise.reject(new Error("not listed"));
    const { signal } = ABORT;
    const creates = [beforeOne({ list, signal }), beforeOne(), beforeOne({ signal })];
    const [first, second, third] = await Promise.allSettled(creates);
    expect([first, third]).toEqual(Array(2).fill({ status: "rejected", reason: signal.reason }));
    expect(second).toMatchObject({ status: "fulfilled", value: { listed: [LISTED] } });
    expect(requests).toHaveLength(2);
    expect(report).not.toHaveBeenCalled();
  });
});
