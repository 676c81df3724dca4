/** Which of two versions of an object is older, and what an update saves of them: tables. */
import {
  type Age,
  ageOf,
  changedAt,
  changedOutside,
  mayBeOutdated,
  savedVersion,
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
  [FIRST, "2026-01-01T00:00:00Z", "unclear"],
  ["2026-01-01T00:00:01Z", SECOND, "newer"],
  ["2025-12-31T23:59:59Z", FIRST, "older"],
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z", "older"],
  // The basic form of ISO 8601.
  ["20260101T000000.001Z", SECOND, "older"],
  ["20260101T000000,002Z", FIRST, "newer"],
  ["20260101T010000.001+01", FIRST, "unclear"],
  ["20260101T000000-0030", FIRST, "newer"],
  // States of earlier versions, and edited ones.
  [FIRST, undefined, "unclear"],
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
  [FIRST, undefined, FIRST],
  [undefined, FIRST, undefined],
])("a read that was created at %s, with a state that has %s, keeps %s", (createdAt, saved, expected) => {
  expect(withSavedTime({ createdAt }, { createdAt: saved })).toEqual({ createdAt: expected });
});

test.each([
  [{}, { at: FIRST }, true],
  [{ updatedAt: SECOND }, { at: FIRST }, true],
  [{ updatedAt: FIRST }, { at: FIRST }, false],
  [{ updatedAt: FIRST }, { at: SECOND }, false],
])("whether a read %j shows that a state %j was changed outside Pulumi: %s", (found, state, expected) => {
  expect(showsChanges(found, { __changed: state })).toBe(expected);
});

const WRITTEN = { at: FIRST, written: FIRST };

test.each<[updatedAt: unknown, state: object, afterMs: number, expected: boolean]>([
  [FIRST, { at: SECOND }, 60_000, true],
  [SECOND, WRITTEN, 0, false],
  [FIRST, { at: FIRST }, 0, false],
  // The last update did not change the time.
  [FIRST, WRITTEN, 29_999, true],
  [FIRST, WRITTEN, 30_000, false],
])("a read of %s may be older than a state %j %d ms later: %s", (updatedAt, state, afterMs, expected) => {
  expect(mayBeOutdated(updatedAt, { __changed: state }, Date.parse(FIRST) + afterMs)).toBe(expected);
});

test.each([
  [SECOND, undefined],
  [FIRST, SECOND],
])("an update with the time %s that changes an object saves its own time: %s", (updatedAt, written) => {
  expect(versionAfter({ updatedAt }, { __changed: { at: FIRST } }, [], SECOND)).toEqual({
    __changed: { at: updatedAt, written },
  });
});

const LEFT = { outside: ["a.b"] };

test.each([
  ["its time", { updatedAt: SECOND }, { at: FIRST }, [], { at: SECOND }],
  ["the time of the state, if it is later", { updatedAt: FIRST }, { at: SECOND }, [], { at: SECOND }],
  ["the paths that it left unchanged", { updatedAt: FIRST }, LEFT, ["a.c"], { at: FIRST, outside: ["a.c"] }],
  ["no paths, if it left none unchanged", { updatedAt: FIRST }, LEFT, [], { at: FIRST }],
  ["earlier paths, after a read that may lag", { updatedAt: FIRST }, LEFT, undefined, { at: FIRST, ...LEFT }],
])("an update saves %s", (_what, found, state, drift, expected) => {
  expect(versionAfter(found, { __changed: state }, drift)).toEqual({ __changed: expected });
});

const WHOLE = "2026-01-01T00:00:00Z";

test.each<[string, at: unknown, createdAt: unknown, isSaved: boolean]>([
  ["of the creation", FIRST, FIRST, false],
  ["of the creation, written differently", "2026-01-01T01:00:00.001+01:00", FIRST, false],
  ["of the creation, in whole seconds", WHOLE, FIRST, false],
  ["of which the time of creation is coarser", FIRST, WHOLE, true],
  ["that is later", SECOND, FIRST, true],
  ["without a time of creation", FIRST, undefined, true],
])("a version %s is saved or not", (_what, at, createdAt, isSaved) => {
  expect(savedVersion({ at }, createdAt)).toEqual(isSaved ? { __changed: { at } } : {});
  expect(changedAt({ createdAt, ...savedVersion({ at }, createdAt) })).toBe(isSaved ? at : createdAt);
  expect(savedVersion({ at, written: SECOND }, createdAt)).toEqual({
    __changed: { ...(isSaved && { at }), written: SECOND },
  });
});

// States of earlier versions, and edited ones.
test.each([[{}], [{ __changed: null }], [{ __changed: FIRST }], [{ __changed: { outside: "appleInfo" } }]])(
  "a state %j has no time of the last change, and no paths that an update left unchanged",
  (state) => {
    expect([changedAt(state), changedOutside(state)]).toEqual([undefined, []]);
  },
);
