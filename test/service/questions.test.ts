/** The questions, asked to emulators that behave in every way: they find exactly what is set. */
import fc from "fast-check";
import { type Behaviour, defaultBehaviour, startEmulator } from "../../testing/emulator";
import { directoryWith } from "../release/package/unpackedProgram";
import { KEY, ORGANIZATION, seedWith } from "../support/values/organizations";
import { createGateway } from "./gateway";
import { openJournal } from "./journal";
import { askAll, type Option, optionsWithoutQuestion } from "./questions";
import { onceFor } from "./runAcceptance";
import { settingsOf } from "./settings";

/** The values of each option. A time is in whole steps of the clock that the questions wait on. */
const VALUES: { readonly [Name in Option]: readonly Behaviour[Name][] } & {
  readonly deletionsLag: readonly string[];
  readonly contentsOfLate: readonly string[];
} = {
  deleteWithContents: ["conflict", "cascade"],
  patchInfo: ["merge", "replace"],
  nullInfoField: ["clear", "ignore"],
  absentInfoField: ["null", "omit"],
  deriveAppId: [false, true],
  uniqueNames: [true, false],
  storedForm: ["asGiven", "normalized", "normalizedNames"],
  cnameTargetAppears: ["atOnce", "never", { afterPolls: 1 }, { afterPolls: 4 }],
  domainAdvance: [{ pollsPerState: 1 }, { pollsPerState: 3 }, { secondsPerState: 5 }, "manual"],
  domainOutcome: ["active", "failed"],
  retryOutsideFailed: ["conflict", "accepted"],
  deletingPolls: [0, 1, 3, Infinity],
  readLag: ["atOnce", { afterPolls: 1 }, { afterPolls: 3 }, { afterSeconds: 2 }],
  listLag: ["atOnce", { afterPolls: 1 }, { afterPolls: 3 }, { afterSeconds: 2 }],
  deletionsLag: ["lists", "listsAndReads"],
  contentsOfLate: ["listed", "notFound"],
  nullableUpdatedAt: ["afterUpdate", "fromCreation", "never"],
  timestampPrecision: ["milliseconds", "seconds", "coarseReads"],
  extraFields: [false, true],
  errorDetails: [true, false],
  requestIds: ["echoed", "generated", "errorsOnly"],
  dateHeader: ["current", "absent", { secondsBehind: 1 }, { secondsBehind: 60 }],
};

/** How many behaviours are drawn, and how long one may take. */
const DRAWS = Number(process.env.DYNAMICLINK_TEST_DRAWS ?? 3);
const DRAW_MS = 20_000;

/** Asks an emulator with a behaviour. Waits advance its clock and take no time. */
async function answersOf(behaviour: Partial<Behaviour>) {
  await using service = await startEmulator({ seed: seedWith(), behaviour });
  using directory = directoryWith({});
  const journal = openJournal(directory.path, ORGANIZATION);
  journal.begin();
  const clock = {
    now: () => service.clock.now().getTime(),
    date: () => service.clock.now(),
    sleep: async (milliseconds: number) => service.clock.advance(milliseconds),
  };
  const environment = {
    DYNAMICLINK_TEST_API_URL: service.url,
    DYNAMICLINK_TEST_API_KEY: KEY,
    DYNAMICLINK_TEST_ORGANIZATION: ORGANIZATION,
  };
  const settings = settingsOf(["--directory", directory.path], environment);
  const gateway = createGateway(settings, journal, clock);
  const asked = {
    ...{ call: gateway.call, exchanges: gateway.exchanges, clock, prefix: journal.prefix },
    ...{ domain: "shop.example", hasDns: false, samples: 3, print: () => {} },
  };
  const answers = await askAll({ ...asked, once: onceFor(asked) });
  expect(gateway.refused).toEqual([]);
  return answers;
}

/** What the questions must find. Some options have no effect under the values of others. */
function found(behaviour: Partial<Behaviour>): Record<string, unknown> {
  const all: Record<string, unknown> = { ...defaultBehaviour, ...behaviour };
  if (all.domainAdvance === "manual") delete all.domainOutcome;
  if ("deletionsLag" in all && all.readLag === "atOnce") all.deletionsLag = "lists";
  if ("contentsOfLate" in all && all.listLag === "atOnce") all.contentsOfLate = "listed";
  if (all.deletionsLag === "listsAndReads" && JSON.stringify(all.readLag).includes("Seconds"))
    delete all.deletingPolls;
  return all;
}

/** An option that has an effect only together with another one. */
const LATE = { deletionsLag: { readLag: { afterPolls: 1 } }, contentsOfLate: { listLag: { afterPolls: 1 } } };

const OPTIONS = Object.entries<readonly unknown[]>(VALUES).filter(([option]) => option in defaultBehaviour);
const cases = OPTIONS.flatMap(([option, values]) =>
  values.map((value): Partial<Behaviour> => ({ ...LATE[option as keyof typeof LATE], [option]: value })),
);

test.each(cases)("the questions find %j", async (behaviour) => {
  expect((await answersOf(behaviour)).behaviour).toEqual(found(behaviour));
});

test(
  `the questions find ${DRAWS} behaviours whose options are all drawn`,
  async () => {
    const values = OPTIONS.map(([option, each]) => [option, fc.constantFrom(...each)]);
    const drawn = fc.record(Object.fromEntries(values)) as fc.Arbitrary<Behaviour>;
    await fc.assert(
      fc.asyncProperty(drawn, async (behaviour) => {
        expect((await answersOf(behaviour)).behaviour).toEqual(found(behaviour));
      }),
      { numRuns: DRAWS, endOnFailure: true },
    );
  },
  DRAW_MS * (DRAWS + 1),
);

test("every option of the emulator has a question, or a reason why there is none", () => {
  expect(optionsWithoutQuestion()).toEqual([]);
  expect(optionsWithoutQuestion(["patchInfo", "new"])).toEqual(["new"]);
  expect(optionsWithoutQuestion(["patchInfo", "new"], { new: "No key can ask." })).toEqual([]);
});
