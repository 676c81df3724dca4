/** Translates between the states of this host, those that lifecycle/ expects, and those of previews. Pure. */
import type { ResourceDescription } from "../../lifecycle/description";
import {
  ADOPTED_PROPERTY,
  CHANGED_PROPERTY,
  IMPORT_PROPERTY,
  IMPORTED_PROPERTY,
} from "../../lifecycle/hiddenProperties";
import { declaredPart, type Properties } from "../../lifecycle/properties";
import { UNKNOWN_VALUE } from "../values";

/**
 * A state as lifecycle/ expects it. The engine handles the option `import`, so it counts as removed: see
 * docs/internals/native-host.md#import-option.
 */
export function coreState(state: Properties): Properties {
  return ADOPTED_PROPERTY in state ? { ...state, [IMPORT_PROPERTY]: "" } : state;
}

/** A state from lifecycle/, with the hidden properties that the engine sent. */
export function nativeState(state: Properties, before: Properties): Properties {
  const { [IMPORT_PROPERTY]: _option, ...rest } = state;
  // The version is that of the new state. On this host, only inputs are marked as imported.
  const { [CHANGED_PROPERTY]: _changed, [IMPORTED_PROPERTY]: _mark, ...hidden } = hiddenIn(before);
  return { ...rest, ...hidden };
}

/** Hidden properties never change, so that a stack can move back to the dynamic host: see docs/internals/native-host.md#moving. */
export function hiddenIn(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => name.startsWith("__")));
}

/** Removes inputs that the program does not declare now: see docs/internals/native-host.md#import-leaves-all-values. */
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
  { outputs, changesOnUpdate = [] }: ResourceDescription,
  inputs: Properties,
  before: Properties,
): Properties {
  const known = (name: string) => (changesOnUpdate.includes(name) ? undefined : before[name]);
  const entries = Object.keys(outputs.shape).map((name) => [name, known(name) ?? UNKNOWN_VALUE]);
  return { ...inputs, ...Object.fromEntries(entries) };
}
