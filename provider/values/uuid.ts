/** UUIDs, which identify all objects of the service. */
import { textProblems } from "./texts";

export const GIVEN_UUID =
  "a UUID, such as 8f14e45f-ceea-467f-a8d5-5bd1d1d1c0de; slugs, names and paths are not accepted";

/** Whether a value is a UUID, in any letter case. */
export function isUuid(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}

/** Validates a UUID. Returns the problems; empty if it is valid. */
export function checkUuid(value: unknown, isUnknown: (value: unknown) => boolean = () => false): string[] {
  if (isUnknown(value))
    return ["must be a UUID that is known in preview, not the output of another resource."];
  if (isUuid(value)) return [];
  const [problem] = textProblems(value);
  if (problem !== undefined) return [`${problem.reason}.`];
  return [`must be ${GIVEN_UUID}.`];
}
