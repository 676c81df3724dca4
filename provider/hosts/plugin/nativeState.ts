/** Entries of the state on this host, and their translation to those that lifecycle/ expects and to previews. Pure. */
import type { ResourceDescription } from "../../lifecycle/description";
import {
  ADOPTED_PROPERTY,
  CHANGED_PROPERTY,
  CREATED_PROPERTY,
  IMPORT_PROPERTY,
  IMPORTED_PROPERTY,
  REFUSED_PROPERTY,
} from "../../lifecycle/hiddenProperties";
import { declaredPart, type Properties } from "../../lifecycle/properties";
import type { ManagedObject } from "../../lifecycle/state";
import { UNKNOWN_VALUE } from "../values";

/** An entry of the state, as the engine sends it. */
export interface Entry extends ManagedObject {
  readonly secrets: readonly string[];
  /** The inputs of the last `up` or import, with the hidden ones. */
  readonly before: Properties;
  /** Whether a program has run since Pulumi imported the object. `adopting`: the first one runs: see docs/internals/native-host.md#import-calls. */
  readonly stage: "unapplied" | "adopting" | "applied";
}

/** Whether inputs are all values of an object that Pulumi has imported. Those of a program never are. */
export function isUndeclared(inputs: Properties): boolean {
  return IMPORTED_PROPERTY in inputs;
}

interface StageFacts extends Pick<Entry, "state" | "before"> {
  /** The inputs to compare with: those of the program, or in a refresh the earlier ones. */
  readonly news: Properties;
  /** Whether Pulumi imports the object in this run. */
  readonly isImported: boolean;
}

export function stageOf({ state, before, news, isImported }: StageFacts): Entry["stage"] {
  // A refresh compares all values.
  if (isUndeclared(news)) return "applied";
  if (isImported || REFUSED_PROPERTY in state) return "adopting";
  return isUndeclared(before) ? "unapplied" : "applied";
}

/** A state as lifecycle/ expects it, with `import` as removed: see docs/internals/native-host.md#import-option. */
export function coreState(state: Properties): Properties {
  return ADOPTED_PROPERTY in state ? { ...state, [IMPORT_PROPERTY]: "" } : state;
}

/** The hidden properties that only the new state has. On this host, only inputs are marked as imported. */
const OF_NEW_STATE: readonly string[] = [CHANGED_PROPERTY, CREATED_PROPERTY, IMPORTED_PROPERTY];

/** A state from lifecycle/, with the hidden properties that the engine sent. */
export function nativeState(state: Properties, before: Properties): Properties {
  const { [IMPORT_PROPERTY]: _option, ...rest } = state;
  const others = Object.entries(hiddenIn(before)).filter(([name]) => !OF_NEW_STATE.includes(name));
  return { ...rest, ...Object.fromEntries(others) };
}

/** Hidden properties never change, so that a stack can move back to the dynamic host: see docs/internals/native-host.md#moving. */
export function hiddenIn(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => name.startsWith("__")));
}

/** Removes inputs that the program does not declare now: see docs/internals/native-host.md#import-leaves-all-values. */
export function narrowed(
  { inputs }: ResourceDescription,
  { stage }: Pick<Entry, "stage">,
  properties: Properties,
  declared: Properties,
): Properties {
  if (stage === "applied") return properties;
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
