/** Property values as Pulumi passes them to the providers of both hosts. */
import type { Properties } from "../lifecycle/properties";

/** The value that Pulumi passes in place of a value that is not known yet: see docs/internals/dynamic-host.md#unknown-values. */
export const UNKNOWN_VALUE = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The key that identifies an object as a marked value. Its value is the kind of the mark. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";

export const SECRET = "1b47061264138c4ac30d75fd1eb44270";

export function isUnknown(value: unknown): boolean {
  return value === UNKNOWN_VALUE;
}

/** See docs/internals/dynamic-host.md#hidden-properties. */
export function withoutHidden(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith("__")));
}
