/** UUIDs, by which every object of the service is named. */

/** Whether a value is a UUID, in any letter case. */
export function isUuid(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}

/** What is wrong with what must be a UUID; empty when nothing is. */
export function checkUuid(value: unknown, isUnknown: (value: unknown) => boolean = () => false): string[] {
  if (isUnknown(value)) return ["it is not known yet: give the UUID itself."];
  if (isUuid(value)) return [];
  return [
    "must be a UUID, such as 8f14e45f-ceea-467f-a8d5-5bd1d1d1c0de; slugs, names and paths are not accepted.",
  ];
}
