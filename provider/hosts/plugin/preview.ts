/** The state that a preview returns to the program: what is known before a create or an update. Pure. */
import type { ResourceDescription } from "../../lifecycle/description";
import type { Properties } from "../../lifecycle/properties";
import { UNKNOWN_VALUE } from "../values";

/** The output that contains the key's organization, which is known before a create. */
const ORGANIZATION_OUTPUT = "organizationId";

/** The state after a create, as far as it is known in preview. */
export function createdState(
  { outputs }: ResourceDescription,
  { inputs, organizationId }: { readonly inputs: Properties; readonly organizationId: string },
): Properties {
  const known = { [ORGANIZATION_OUTPUT]: organizationId };
  return { ...inputs, ...stateAt(outputs, known) };
}

/** The state after an update, as far as it is known in preview. Outputs that it cannot change keep their values. */
export function updatedState(
  { outputs, changesOnUpdate = [] }: ResourceDescription,
  { inputs, state }: { readonly inputs: Properties; readonly state: Properties },
): Properties {
  const known = Object.fromEntries(Object.entries(state).filter(([name]) => !changesOnUpdate.includes(name)));
  return { ...inputs, ...stateAt(outputs, known) };
}

function stateAt(outputs: object, known: Properties): Properties {
  return Object.fromEntries(Object.keys(outputs).map((name) => [name, known[name] ?? UNKNOWN_VALUE]));
}
