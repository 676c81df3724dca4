/** Which resource a call is about, and that the program keeps its object. */
import { sortedJson } from "../properties";
import type { ResourceRun } from "../run/runContext";
import type { Declared } from "./objects";

/** What the calls for a resource of the program have in common: its URN, else what it declares. */
export function callKey({ description: { title }, urn }: ResourceRun, declared: Declared): string {
  return urn ?? `${title} ${sortedJson(declared)}`;
}

/** Records that a resource of the program keeps its object, so that no other entry of the state deletes it. */
export function recordDeclared(
  { description: { idOf }, memory: { callers, ledger }, urn }: ResourceRun,
  key: string,
  object: string,
): void {
  if (idOf !== undefined || !callers.isDeclared(key)) return;
  ledger.record({ is: "declared", object, by: callers.ownerOf(key, object) ?? urn });
}
