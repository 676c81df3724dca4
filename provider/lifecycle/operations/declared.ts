/** Records that the program keeps an object. */
import { callKey } from "../run/checked";
import type { ResourceRun } from "../run/runContext";
import type { Declared } from "../state";

/** Records that a resource of the program keeps its object, so that no other entry of the state deletes it. */
export function recordDeclared(run: ResourceRun, declared: Declared, object: string): void {
  const { description, memory, urn } = run;
  const call = callKey(run, declared);
  if (description.idOf !== undefined || !memory.checked.has(call)) return;
  memory.ledger.record({ is: "declared", object, by: urn ?? memory.checked.only(call) });
}
