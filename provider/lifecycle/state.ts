/** What the state remembers of a resource: declared inputs, outputs, and hidden properties. */
import type { Found, ResourceDescription } from "./description";
import { ORGANIZATION_PROPERTY } from "./ownership";
import { declaredPart, type Properties, withoutNulls } from "./properties";

/** The hidden property of inputs and state that holds the UUID which the option `import` names. Never renamed. */
export const IMPORT_PROPERTY = "__import";

/**
 * The hidden property of the state that holds the UUID of an object which the resource adopted instead of creating
 * it. It stays when the option goes. Never renamed.
 */
export const ADOPTED_PROPERTY = "__adopted";

/**
 * The hidden property of the state that tells one adoption from another: a random UUID. A forced replacement that is
 * interrupted leaves two entries for one object, which are alike in all else. Never renamed.
 */
export const ADOPTION_PROPERTY = "__adoption";

/** The UUID that the option `import` named at the last `up`, as the state remembers it. */
export function importIn(state: Properties): unknown {
  // Earlier states remember what was adopted, and not whether the option is still there.
  return (state[IMPORT_PROPERTY] ?? state[ADOPTED_PROPERTY]) || undefined;
}

/** The inputs that declare an object as it is: all that is set and may be declared. */
export function importableInputs(description: ResourceDescription, properties: Properties): Properties {
  const fields = description.shapeFor?.(properties).fields ?? description.inputs;
  return withoutNulls(Object.fromEntries(Object.keys(fields).map((name) => [name, properties[name]])));
}

/** What the program declared, as the state remembers it: the state keeps no input that was not declared. */
export function declaredIn({ inputs }: ResourceDescription, state: Properties): Properties {
  return Object.fromEntries(Object.entries(state).filter(([name]) => name in inputs));
}

/** The hidden properties of the state that say how the object was adopted. */
export function adoptionIn(state: Properties): Properties {
  const names = [ADOPTED_PROPERTY, ADOPTION_PROPERTY, IMPORT_PROPERTY].filter((name) => name in state);
  return Object.fromEntries(names.map((name) => [name, state[name]]));
}

/** What the state remembers of an object. */
export function stateOf(
  { outputs }: ResourceDescription,
  {
    organizationId,
    declared,
    hidden = {},
  }: { readonly organizationId: string; readonly declared: Properties; readonly hidden?: Properties },
  { properties }: Pick<Found, "properties">,
): Properties {
  return withoutNulls({
    ...declaredPart(declared, properties),
    ...Object.fromEntries(Object.keys(outputs).map((name) => [name, properties[name]])),
    [ORGANIZATION_PROPERTY]: organizationId,
    ...hidden,
  });
}
