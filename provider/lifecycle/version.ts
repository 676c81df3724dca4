/** Compares the version of an object that a read returns with the one that the state describes: see docs/internals/service.md. */
import { timeOf } from "../values/time";
import { valueAt } from "../values/walk";
import type { Found } from "./description";
import { CHANGED_PROPERTY } from "./hiddenProperties";
import { LONGEST_LAG_MS } from "./poll";
import { type Properties, withoutNulls } from "./properties";

/** How a version compares with another one. "unclear": the times are equal, or there is none. */
export type Age = "older" | "newer" | "unclear";

const SECOND_MS = 1_000;

/** Compares two dates in the coarser of their precisions: a service may write milliseconds and read seconds. States may be edited. */
export function ageOf(updatedAt: unknown, reference: unknown): Age {
  const times = [timeOf(updatedAt), timeOf(reference)];
  const precisionMs = times.some((one) => one % SECOND_MS === 0) ? SECOND_MS : 1;
  const [time = 0, referenceTime = 0] = times.map((one) => Math.floor(one / precisionMs));
  if (time < referenceTime) return "older";
  return time > referenceTime ? "newer" : "unclear";
}

/** The properties of a read. If its time of creation is that of the state in the coarser precision, the state's stays. */
export function withSavedTime(properties: Properties, { createdAt: saved }: Properties): Properties {
  const { createdAt } = properties;
  const isSame = ageOf(createdAt, saved) === "unclear" && !Number.isNaN(timeOf(createdAt) - timeOf(saved));
  return isSame ? { ...properties, createdAt: saved } : properties;
}

/** When the service last changed the object, as far as the state shows it: without a hidden time, when it was created. */
export function changedAt(state: Properties): unknown {
  return valueAt(state, [CHANGED_PROPERTY, "at"]) ?? state.createdAt;
}

/** What the state has about a version. `outside` has the paths that were changed outside Pulumi. */
interface Version {
  readonly at: unknown;
  readonly outside?: readonly unknown[] | undefined;
  readonly written?: string | undefined;
}

/** The hidden property about a version: none if it is that of the creation. A coarser time of creation does not show that. */
export function savedVersion({ at, ...rest }: Version, createdAt: unknown): Properties {
  const created = timeOf(createdAt);
  const isOfCreation =
    timeOf(at) === created || (ageOf(at, createdAt) === "unclear" && created % SECOND_MS > 0);
  const version = withoutNulls({ ...(!isOfCreation && { at }), ...rest });
  return Object.keys(version).length === 0 ? {} : { [CHANGED_PROPERTY]: version };
}

/** Whether a read is older than the state, or may be: an update was sent a moment ago, and the service's times do not show it. */
export function mayBeOutdated(updatedAt: unknown, state: Properties, serviceMs: number): boolean {
  const age = ageOf(updatedAt, changedAt(state));
  const writtenMs = timeOf(valueAt(state, [CHANGED_PROPERTY, "written"]));
  return age === "older" || (age === "unclear" && serviceMs < writtenMs + LONGEST_LAG_MS);
}

/** The paths of declared values that earlier updates left unchanged, because they were changed outside Pulumi. */
export function changedOutside(state: Properties): readonly unknown[] {
  const paths = valueAt(state, [CHANGED_PROPERTY, "outside"]);
  return Array.isArray(paths) ? paths : [];
}

/** Whether differences between a read and the state were certainly made outside Pulumi: not if the read may lag. */
export function showsChanges({ updatedAt }: Pick<Found, "updatedAt">, state: Properties): boolean {
  return updatedAt === undefined || ageOf(updatedAt, changedAt(state)) === "newer";
}

/**
 * The hidden properties about the version after an update; none of kinds without versions.
 *
 * @param drift the paths that the update left unchanged; undefined if the object was only read and may not be up to date.
 * @param written when the service was sent a change, if it was.
 */
export function versionAfter(
  { updatedAt }: Pick<Found, "updatedAt">,
  state: Properties,
  drift: readonly unknown[] = changedOutside(state),
  written?: string,
): Properties {
  if (updatedAt === undefined) return {};
  const saved = changedAt(state);
  const age = ageOf(updatedAt, saved);
  const version = { at: age === "older" ? saved : updatedAt, outside: drift.length > 0 ? drift : undefined };
  return savedVersion(age === "newer" ? version : { ...version, written }, state.createdAt);
}
