/** Request bodies, from shapes. */

import { type Shape, wireName } from "./shape";
import { fieldsFor, isRecord } from "./walk";

/**
 * Writes a request body: names from camelCase to snake_case.
 *
 * Null is kept and undefined dropped. Fields that the shape does not name keep their names, so that the service
 * can object to them.
 */
export function toWire(shape: Shape, value: unknown): unknown {
  if (shape.item !== undefined && Array.isArray(value)) {
    const { item } = shape;
    return value.map((each) => toWire(item, each));
  }
  if (!isRecord(value)) return value;
  const fields = fieldsFor(shape, value);
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.map(([name, each]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return field === undefined ? [name, each] : [wireName(name), toWire(field, each)];
    }),
  );
}
