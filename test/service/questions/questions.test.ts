/** The questions, asked to emulators that behave in every way: they find exactly what is set. */
import fc from "fast-check";
import { type Behaviour, defaultBehaviour, startEmulator } from "../../../testing/emulator";
import { loadContract } from "../../../testing/emulator/contract/contract";
import { directoryWith } from "../../release/package/programs";
import { serviceClock } from "../../support/providers/clocks";
import { KEY, ORGANIZATION, seedWith } from "../../support/values/organizations";
import { createGateway } from "../gateway/gateway";
import { openJournal } from "../gateway/journal";
import { askedOf } from "./asked";
import { ASKS, askAll, optionsWithoutQuestion } from "./questions";

/** The values of options that are not an enumeration. */
const POLLS = [{ afterPolls: 1 }, { afterPolls: 4 }];
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  cnameTargetAppears: ["atOnce", "never", ...POLLS],
  domainAdvance: [{ pollsPerState: 1 }, { pollsPerState: 3 }, { secondsPerState: 5 }, "manual"],
  deletingPolls: [0, 1, 3, Number.POSITIVE_INFINITY],
  readLag: ["atOnce", { afterSeconds: 2 }, ...POLLS],
  listLag: ["atOnce", { afterSeconds: 2 }, ...POLLS],
  dateHeader: ["current", "absent", { secondsBehind: 1 }, { secondsBehind: 60 }],
};

/** All options with their values, so that a new one needs a question, and values if it is no enumeration. */
const { Behaviour: SCHEMA } = loadContract("controls.yaml").document.components.schemas;
const { properties } = SCHEMA as { readonly properties: Record<string, { enum?: unknown[] }> };
const OPTIONS = Object.keys(properties)
  .filter((option) => option in ASKS)
  .map((option) => [option, VALUES[option] ?? properties[option]?.enum ?? [false, true]] as const);

/** What the emulator and the client need besides dates. */
const TIMERS = ["nextTick", "performance", "setImmediate", "setTimeout", "clearTimeout"] as const;

/** Only waits take time, so that no machine changes what is measured. Times have fractions, which show their precision. */
beforeEach(() => jest.useFakeTimers({ now: Date.UTC(2026, 0, 1) + 123, doNotFake: [...TIMERS] }));
afterEach(() => jest.useRealTimers());

/** Asks an emulator that behaves in a way. Waits advance its clock and take no time. */
async function answersOf(behaviour: Partial<Behaviour>) {
  await using service = await startEmulator({ seed: seedWith(), behaviour });
  using directory = directoryWith({});
  const clock = serviceClock(service, new AbortController().signal);
  const journal = openJournal(directory.path, ORGANIZATION);
  journal.begin();
  const ours = { apiKey: KEY, organization: ORGANIZATION };
  const settings = { ...ours, apiUrl: service.url, directory: directory.path };
  const { call, exchanges, refused } = createGateway(settings, journal, clock);
  const options = { domain: "shop.example", hasDns: false, samples: 3, print: () => {} };
  const answers = { behaviour: {}, unanswered: {} };
  await askAll(askedOf({ ...options, call, exchanges, clock, prefix: journal.prefix }), answers);
  expect(refused).toEqual([]);
  return answers.behaviour;
}

/** What the questions must find. Some options have no effect under the values of others. */
function found(behaviour: Partial<Behaviour>): Record<string, unknown> {
  const values = Object.entries({ ...defaultBehaviour, ...behaviour });
  const all: Record<string, unknown> = Object.fromEntries(values.filter(([option]) => option in ASKS));
  if (all.domainAdvance === "manual") delete all.domainOutcome;
  if ("deletionsLag" in all && all.readLag === "atOnce") all.deletionsLag = "lists";
  if ("writeLookups" in all && all.readLag === "atOnce") all.writeLookups = "current";
  if ("contentsOfLate" in all && all.listLag === "atOnce") all.contentsOfLate = "listed";
  if (all.storedForm === "normalizedNames") all.uniqueNames &&= "ignoringCase";
  // Reads that lag hide the deletion of a domain that ends before they show it.
  const lag = Number(/afterPolls":(\d)/.exec(JSON.stringify(all.readLag))?.[1] ?? 99);
  const shown = all.deletionsLag === "listsAndReads" && lag < 99 ? 1 : lag + 1;
  if (all.readLag !== "atOnce" && Number(all.deletingPolls) < shown) delete all.deletingPolls;
  return all;
}

/** Behaviours with all options drawn, in which the questions see each value of each option. */
const answers = OPTIONS.map(([option, values]) => [option, fc.constantFrom(...values)]);
const drawn = fc.record(Object.fromEntries(answers));
const DRAWS = Number(process.env.DYNAMICLINK_TEST_DRAWS ?? 10);
const BEHAVIOURS = fc.sample(drawn, { numRuns: DRAWS, seed: 5 }) as readonly Partial<Behaviour>[];

test.each(BEHAVIOURS)("the questions find %j", async (behaviour) => {
  expect(await answersOf(behaviour)).toEqual(found(behaviour));
});

test("replicas that lag each in its own way are found, with the longest lag", async () => {
  const lag = { upToSeconds: 20 };
  const replicas = {
    readLag: lag,
    listLag: lag,
    ...{ deletionsLag: "listsAndReads", contentsOfLate: "notFound" },
  };
  const { readLag, listLag, ...others } = (await answersOf(replicas as Partial<Behaviour>)) as Record<
    string,
    typeof lag
  >;
  for (const found of [readLag, listLag]) {
    expect(found?.upToSeconds).toBeGreaterThan(15);
    expect(found?.upToSeconds).toBeLessThanOrEqual(20);
  }
  expect(others).toMatchObject({ deletionsLag: "listsAndReads", contentsOfLate: "notFound" });
});

test("each value of each option is found", () => {
  const seen = BEHAVIOURS.flatMap((each) => Object.entries(found(each)).map((one) => JSON.stringify(one)));
  const values = OPTIONS.flatMap(([option, all]) => all.map((value) => JSON.stringify([option, value])));
  expect(values.filter((each) => !seen.includes(each))).toEqual([]);
});

test("every option of the emulator has a question, or a reason why there is none", () => {
  expect(optionsWithoutQuestion(Object.keys(defaultBehaviour))).toEqual([]);
  expect(optionsWithoutQuestion(["patchInfo", "new"])).toEqual(["new"]);
  expect(optionsWithoutQuestion(["patchInfo", "new"], { new: "No key can ask." })).toEqual([]);
});
