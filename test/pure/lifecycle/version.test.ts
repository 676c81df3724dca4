/** Which of two versions of an object is older, and what an update saves of them: tables. */
import {
  type Age,
  ageOf,
  changedOutside,
  latest,
  showsChanges,
  versionAfter,
  withSavedTime,
} from "../../../provider/lifecycle/version";

const FIRST = "2026-01-01T00:00:00.001Z";
const SECOND = "2026-01-01T00:00:00.002Z";

const AGES: readonly (readonly [unknown, unknown, Age])[] = [
  [FIRST, SECOND, "older"],
  [SECOND, FIRST, "newer"],
  [FIRST, FIRST, "unclear"],
  // The same time, written differently.
  ["2026-01-01T01:00:00.001+01:00", FIRST, "unclear"],
  ["2026-01-01T00:30:00+01:00", FIRST, "older"],
  // Whole seconds, compared with milliseconds.
  ["2026-01-01T00:00:00Z", FIRST, "unclear"],
  ["2026-01-01T00:00:00.000Z", SECOND, "unclear"],
  [FIRST, "2026-01-01T00:00:00Z", "unclear"],
  ["2026-01-01T00:00:01Z", SECOND, "newer"],
  ["2025-12-31T23:59:59Z", FIRST, "older"],
  [FIRST, "2025-12-31T23:59:59Z", "newer"],
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z", "older"],
  // States of earlier versions, and edited ones.
  [FIRST, undefined, "unclear"],
  [FIRST, null, "unclear"],
  [FIRST, "yesterday", "unclear"],
  [FIRST, 0, "unclear"],
  [undefined, FIRST, "unclear"],
];

test.each(AGES)("%s is, compared with %s, %s", (updatedAt, reference, age) => {
  expect(ageOf(updatedAt, reference)).toBe(age);
});

test.each([
  ["2026-01-01T00:00:00Z", SECOND, SECOND],
  [SECOND, "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"],
  [FIRST, SECOND, FIRST],
  [FIRST, "yesterday", FIRST],
  [FIRST, undefined, FIRST],
  [undefined, FIRST, undefined],
])("a read that was created at %s, with a state that has %s, keeps %s", (createdAt, saved, expected) => {
  expect(withSavedTime({ createdAt }, { createdAt: saved })).toEqual({ createdAt: expected });
});

test.each([
  [FIRST, SECOND, SECOND],
  [SECOND, FIRST, SECOND],
  [FIRST, undefined, FIRST],
])("the later of %s and %s is %s", (updatedAt, other, expected) => {
  expect(latest(updatedAt, other)).toBe(expected);
});

test.each([
  [{}, { __updatedAt: FIRST }, true],
  [{ updatedAt: SECOND }, { __updatedAt: FIRST }, true],
  [{ updatedAt: FIRST }, { __updatedAt: FIRST }, false],
  [{ updatedAt: FIRST }, { __updatedAt: SECOND }, false],
  [{ updatedAt: FIRST }, {}, false],
])("whether a read %j shows that a state %j was changed outside Pulumi: %s", (found, state, expected) => {
  expect(showsChanges(found, state)).toBe(expected);
});

test.each([
  ["of a kind without versions, nothing", {}, {}, ["name"], {}],
  ["its time", { updatedAt: SECOND }, { __updatedAt: FIRST }, [], { __updatedAt: SECOND }],
  [
    "the time of the state, if it is later",
    { updatedAt: FIRST },
    { __updatedAt: SECOND },
    [],
    { __updatedAt: SECOND },
  ],
  ["its time, if the state has none", { updatedAt: FIRST }, {}, [], { __updatedAt: FIRST }],
  [
    "the paths that it left unchanged, in place of earlier ones",
    { updatedAt: FIRST },
    { __changedOutside: ["appleInfo.appName"] },
    ["appleInfo.appStoreId"],
    { __updatedAt: FIRST, __changedOutside: ["appleInfo.appStoreId"] },
  ],
  [
    "no paths, if it left none unchanged",
    { updatedAt: FIRST },
    { __changedOutside: ["appleInfo.appName"] },
    [],
    { __updatedAt: FIRST },
  ],
  [
    "the paths of earlier updates, after a read that may lag",
    { updatedAt: FIRST },
    { __changedOutside: ["appleInfo.appName"] },
    undefined,
    { __updatedAt: FIRST, __changedOutside: ["appleInfo.appName"] },
  ],
])("an update saves %s", (_what, found, state, drift, expected) => {
  expect(versionAfter(found, state, drift)).toEqual(expected);
});

test.each([[{}], [{ __changedOutside: "appleInfo" }], [{ __changedOutside: null }]])(
  "a state %j has no paths that an update left unchanged",
  (state) => {
    expect(changedOutside(state)).toEqual([]);
  },
);
