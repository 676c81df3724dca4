/** What is known of a resource before it is created or updated: what a preview hands to the program. Pure. */
import type { ResourceDescription } from "../../lifecycle/description";
import type { Properties } from "../../lifecycle/properties";
import { UNKNOWN_VALUE } from "../dynamic/names";

/** The output that holds the key's organization, which is known before anything is created. */
const ORGANIZATION_OUTPUT = "organizationId";

/** The state that a create will have, as far as it is known. */
export function createdState(
  { outputs }: ResourceDescription,
  { inputs, organizationId }: { readonly inputs: Properties; readonly organizationId: string },
): Properties {
  const known = { [ORGANIZATION_OUTPUT]: organizationId };
  return { ...inputs, ...stateAt(outputs, known) };
}

/** The state that an update will have, as far as it is known: what it cannot change stays. */
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
