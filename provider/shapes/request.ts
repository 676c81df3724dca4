/** Converts request bodies to the wire format. */

import { isRecord } from "../values/walk";
import { type Shape, wireName } from "./shape";

/**
 * Converts the names in a request body from camelCase to snake_case.
 *
 * Null is kept and undefined is dropped. Fields that are not in the shape keep their names, so that the service can
 * reject them.
 */
export function wireValue(shape: Shape, value: unknown): unknown {
  if (shape.item !== undefined && Array.isArray(value)) {
    const { item } = shape;
    return value.map((each) => wireValue(item, each));
  }
  if (!isRecord(value)) return value;
  const { fields = {} } = shape;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.map(([name, each]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return field === undefined ? [name, each] : [wireName(name), wireValue(field, each)];
    }),
  );
}
