/** Builds and reads the state of a resource: declared inputs, outputs and hidden properties. */
import type { z } from "zod";
import { fieldsOf, unwrapped } from "../values/schema";
import { timeOf } from "../values/time";
import { isRecord } from "../values/walk";
import type { Found, ResourceDescription } from "./description";
import {
  ADOPTED_PROPERTY,
  CREATED_PROPERTY,
  IMPORT_PROPERTY,
  ORGANIZATION_PROPERTY,
} from "./hiddenProperties";
import { LONGEST_LAG_MS } from "./poll";
import { declaredPart, type Properties, withoutNulls } from "./properties";
import { savedVersion } from "./version";

/** How much the times of one response may differ, before the time of creation counts as that of another clock. */
const CLOCKS_MS = 2_000;
/** Until when after its creation the absence of an object proves nothing. Times may be whole seconds, and of another clock. */
export const YOUTH_MS = LONGEST_LAG_MS + CLOCKS_MS + 1_000;

/** An object, as the state has it. */
export interface ManagedObject {
  readonly uuid: string;
  readonly state: Properties;
}

/** A resource, as the program declares it. */
export interface Declared {
  readonly inputs: Properties;
  /** The UUID of the option `import`. */
  readonly adopt?: unknown;
}

/** The UUID of the option `import` at the last `up`, from the state. */
export function importIn(state: Properties): unknown {
  // Older states contain the adopted UUID, but not whether the option is still set.
  return (state[IMPORT_PROPERTY] ?? state[ADOPTED_PROPERTY]) || undefined;
}

/** The inputs that declare an object as it is. If it lacks a value that a new object must have, the input is null. */
export function importableInputs(description: ResourceDescription, properties: Properties): Properties {
  const schema = description.schemaFor?.(properties, true) ?? description.inputs;
  return importable(schema, properties) as Properties;
}

function importable(schema: z.ZodType, value: unknown): unknown {
  const fields = fieldsOf(schema);
  if (fields === undefined || !isRecord(value)) return value ?? null;
  const entries = Object.entries(fields)
    .map(([name, field]) => [name, importable(field, value[name]), unwrapped(field).optional] as const)
    .filter(([, each, optional]) => each !== null || !optional);
  return Object.fromEntries(entries);
}

/** The inputs that the program declared. The state contains no others. */
export function declaredIn({ inputs }: ResourceDescription, state: Properties): Properties {
  return Object.fromEntries(Object.entries(state).filter(([name]) => name in inputs.shape));
}

/** The hidden properties of the state about how and when the resource got its object. */
export function originIn(state: Properties, serviceMs: number): Properties {
  const names = [ADOPTED_PROPERTY, IMPORT_PROPERTY].filter((name) => name in state);
  const origin = Object.fromEntries(names.map((name) => [name, state[name]]));
  return { ...origin, ...savedCreation(state[CREATED_PROPERTY], state, serviceMs) };
}

/** When an object was created, as far as its state shows it: by the hidden time, else by the service's own. */
export function creationIn(state: Properties): unknown {
  return state[CREATED_PROPERTY] ?? state.createdAt;
}

/** The hidden time of a creation: none if the service's own time says the same, or if the object is old by both. */
export function savedCreation(createdAt: unknown, properties: Properties, serviceMs: number): Properties {
  const times = [createdAt, properties.createdAt].map(timeOf);
  const [time = 0, shown = 0] = times;
  const isShown = Math.abs(time - shown) <= CLOCKS_MS;
  const isYoung = times.some((each) => serviceMs - each < YOUTH_MS);
  return isYoung && !isShown && createdAt != null ? { [CREATED_PROPERTY]: createdAt } : {};
}

/** The state of an object: the declared inputs with the object's values, the outputs and the hidden properties. */
export function stateOf(
  { outputs }: ResourceDescription,
  {
    organizationId,
    inputs,
    hidden = {},
  }: { readonly organizationId: string; readonly inputs: Properties; readonly hidden?: Properties },
  { properties, updatedAt }: Pick<Found, "properties" | "updatedAt">,
): Properties {
  return {
    ...declaredPart(inputs, properties),
    ...withoutNulls({
      ...Object.fromEntries(Object.keys(outputs.shape).map((name) => [name, properties[name]])),
      [ORGANIZATION_PROPERTY]: organizationId,
      ...(updatedAt !== undefined && savedVersion({ at: updatedAt }, properties.createdAt)),
      ...hidden,
    }),
  };
}
