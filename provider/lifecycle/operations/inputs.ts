/** Validates declared inputs: their shapes, and the scopes that they need. */

import type { Scope } from "../../client";
import type { Session } from "../../session/session";
import { checkValue } from "../../shapes/check";
import { type ObjectShape, object, type Shape } from "../../shapes/shape";
import { stepsOf } from "../../values/walk";
import type { ResourceDescription } from "../description";
import { declaredValues, type Properties } from "../properties";
import type { ResourceRun } from "../run/runContext";

/** The violations in declared values, each with its path. */
export function failuresOf(
  { description, isUnknown, propertyName = (name) => name }: ResourceRun,
  declared: Properties,
): string[] {
  const shape = shapeOf(description, declared);
  return checkValue(shape, declared, { isUnknown, propertyName }).map(({ path, reason }) => {
    if (path in description.inputs && !(path in shape.fields))
      return `${propertyName(path)} is not allowed with ${selectorOf(shape, propertyName)}`;
    return `${path} ${reason}`;
  });
}

/**
 * The declared values, with null where it is enforced: where the service can have no value, unless the service may add
 * one itself.
 */
export function withEnforcedNulls(description: ResourceDescription, inputs: Properties): Properties {
  const shape = shapeOf(description, inputs);
  return declaredValues(inputs, (path) => {
    const field = stepsOf(path).reduce<Shape | undefined>((at, name) => at?.fields?.[name], shape);
    return field?.nullable === true && !description.computed?.includes(path);
  });
}

/** The shapes of kinds that have one for all inputs. A validator is compiled for each shape. */
const SHAPES = new WeakMap<ResourceDescription, ObjectShape>();

function shapeOf(description: ResourceDescription, inputs: Properties): ObjectShape {
  if (description.shapeFor) return description.shapeFor(inputs);
  const shape = SHAPES.get(description) ?? object(description.inputs);
  SHAPES.set(description, shape);
  return shape;
}

/** The scopes that a program needs to declare a resource: in read-only mode, those to read it. */
export function scopesFor(
  { scopes }: ResourceDescription,
  { readOnly }: Pick<Session, "readOnly">,
  inputs: Properties,
): readonly Scope[] {
  if (readOnly) return scopes.read;
  return [...scopes.read, ...(typeof scopes.write === "function" ? scopes.write(inputs) : scopes.write)];
}

/** The values that selected a shape, such as `appType "WEB"`. */
function selectorOf({ fields }: ObjectShape, nameOf: (name: string) => string): string {
  return Object.entries(fields)
    .filter(([, { values }]) => values?.length === 1)
    .map(([name, { values }]) => `${nameOf(name)} ${JSON.stringify(values?.[0])}`)
    .join(", ");
}
