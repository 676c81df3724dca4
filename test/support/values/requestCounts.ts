import type { Emulator } from "../../../testing/emulator";

/** The number of requests for each operation. */
export function requestCounts({ requests }: Emulator): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { operationId } of requests) counts[`${operationId}`] = (counts[`${operationId}`] ?? 0) + 1;
  return counts;
}
