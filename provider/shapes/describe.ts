/** Describes shapes in text, for messages and documentation. */

import { counted } from "../values/phrases";
import type { Shape, TextFormat } from "./shape";

const FORMAT_MEANINGS: Readonly<Record<TextFormat, string>> = {
  uuid: "a UUID",
  uri: "an absolute URL",
  dateTime: "an ISO 8601 date and time",
  hostname: "a host name",
};

/**
 * Describes the values that a shape allows, as text that follows "must be".
 *
 * @example
 * describeShape(text({ minLength: 1, maxLength: 100 })); // "text of 1 to 100 characters"
 */
export function describeShape(shape: Shape): string {
  return shape.nullable ? `${describeValue(shape)}, or null` : describeValue(shape);
}

/** Describes the type of a shape's values, without limits and null, as text that follows "is not". */
export function describeKind(shape: Shape): string {
  switch (shape.kind) {
    case "text":
      return shape.rules?.format === "uuid" ? "a UUID" : "text";
    case "integer":
      return "a whole number";
    case "list":
      return "a list";
    case "object":
      return "an object";
    default:
      return describeValue(shape);
  }
}

function describeValue(shape: Shape): string {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, format, meaning } = shape.rules ?? {};
  switch (shape.kind) {
    case "text": {
      const meant = meaning ?? (format && FORMAT_MEANINGS[format]);
      const length = amount(minLength, maxLength, "character");
      if (meant === undefined) return length === undefined ? "text" : `text of ${length}`;
      return length === undefined ? meant : `${meant}, ${length}`;
    }
    case "choice":
      return shape.values?.length === 1 ? quoted(shape.values) : `one of ${quoted(shape.values ?? [])}`;
    case "flag":
      return "true or false";
    case "integer": {
      if (minimum !== undefined && maximum !== undefined)
        return `a whole number from ${minimum} to ${maximum}`;
      if (minimum !== undefined) return `a whole number of at least ${minimum}`;
      return maximum === undefined ? "a whole number" : `a whole number of at most ${maximum}`;
    }
    case "list": {
      const length = amount(minItems, maxItems, "item");
      const item = shape.item === undefined ? "" : `, each ${describeShape(shape.item)}`;
      return length === undefined ? `a list${item}` : `a list of ${length}${item}`;
    }
    case "object": {
      const fields = Object.entries(shape.fields ?? {});
      const required = fields.filter(([, field]) => !field.optional).map(([name]) => name);
      return required.length === 0 ? "an object" : `an object with ${required.join(", ")}`;
    }
  }
}

function amount(minimum: number | undefined, maximum: number | undefined, unit: string): string | undefined {
  const units = (count: number) => counted(count, unit);
  if (maximum === undefined) return minimum === undefined ? undefined : `at least ${units(minimum)}`;
  if (minimum === undefined) return `at most ${units(maximum)}`;
  return minimum === maximum ? `exactly ${units(minimum)}` : `${minimum} to ${units(maximum)}`;
}

function quoted(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(", ");
}
