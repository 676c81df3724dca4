/** States of this host, and the forms in which the core and previews have them. Pure. */
import type { ResourceDescription } from "../../lifecycle/description";
import {
  ADOPTED_PROPERTY,
  CHANGED_PROPERTY,
  IMPORT_PROPERTY,
  IMPORTED_PROPERTY,
} from "../../lifecycle/hiddenProperties";
import { declaredPart, type Properties } from "../../lifecycle/properties";
import { UNKNOWN_VALUE } from "../values";

/** A state from the core, with the hidden properties that the engine sent. The one about the version is the core's. */
export function nativeState(values: Properties, before: Properties): Properties {
  const { [IMPORT_PROPERTY]: _option, ...rest } = values;
  const {
    [CHANGED_PROPERTY]: _changed,
    // Of a resource that was imported with the dynamic host. On this host, only the inputs are marked.
    [IMPORTED_PROPERTY]: _mark,
    ...others
  } = hiddenIn(before);
  return { ...rest, ...others };
}

/**
 * A state in the form that the core expects. On this host, the engine handles the option `import` and refuses to
 * replace a resource that still has it, so the core gets the state as if the option had been removed.
 */
export function coreState(state: Properties): Properties {
  return ADOPTED_PROPERTY in state ? { ...state, [IMPORT_PROPERTY]: "" } : state;
}

/**
 * The hidden properties of a state. They are never changed, so that a stack that came from the dynamic host can move
 * back to it.
 */
export function hiddenIn(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => name.startsWith("__")));
}

/** Removes inputs that the program does not declare now: `pulumi import` saves all values, but declares none. */
export function narrowed(
  { inputs }: ResourceDescription,
  properties: Properties,
  declared: Properties,
): Properties {
  const others = Object.entries(properties).filter(([name]) => !(name in inputs.shape));
  return { ...Object.fromEntries(others), ...declaredPart(declared, properties) };
}

/** The state that a preview returns to the program: the inputs, and the outputs as far as they are known. */
export function previewed(
  { outputs }: ResourceDescription,
  inputs: Properties,
  known: Properties,
): Properties {
  const names = Object.keys(outputs.shape);
  return { ...inputs, ...Object.fromEntries(names.map((name) => [name, known[name] ?? UNKNOWN_VALUE])) };
}
