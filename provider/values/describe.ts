/** Describes zod schemas in text, for messages and documentation. */
import { z } from "zod";
import { counted } from "./phrases";
import { unwrapped } from "./schema";

type JsonSchema = z.core.JSONSchema.BaseSchema & { readonly meaning?: string };

const FORMAT_MEANINGS: Readonly<Record<string, string>> = {
  uuid: "a UUID",
  "date-time": "an ISO 8601 date and time",
};

/**
 * Describes the values that a schema allows, as text that follows "must be". Its metadata have the meaning of a pattern.
 *
 * @example
 * describeSchema(z.string().min(1).max(100)); // "text of 1 to 100 characters"
 */
export function describeSchema(schema: z.ZodType): string {
  const { inner, nullable } = unwrapped(schema);
  const text = describe(z.toJSONSchema(inner) as JsonSchema);
  return nullable ? `${text}, or null` : text;
}

/** Describes the type of a schema's values, without limits and null, as text that follows "is not". */
export function describeKind(schema: z.ZodType): string {
  const { type, format, enum: values } = z.toJSONSchema(unwrapped(schema).inner) as JsonSchema;
  if (type === "string" && format !== "uuid" && values === undefined) return "text";
  if (type === "array") return "a list";
  return describe({ type, format, enum: values } as JsonSchema);
}

function describe(json: JsonSchema): string {
  const { type, format, meaning, enum: values = "const" in json ? [json.const] : undefined } = json;
  if (values !== undefined) {
    const quoted = values.map((value) => JSON.stringify(value)).join(", ");
    return values.length === 1 ? quoted : `one of ${quoted}`;
  }
  switch (type) {
    case "string": {
      const meant = meaning ?? FORMAT_MEANINGS[format ?? ""];
      const length = amount(json.minLength, json.maxLength, "character");
      if (meant === undefined) return length === undefined ? "text" : `text of ${length}`;
      return length === undefined ? meant : `${meant}, ${length}`;
    }
    case "boolean":
      return "true or false";
    case "integer": {
      const { minimum, maximum = Number.POSITIVE_INFINITY } = json;
      // Without limits, they are those of numbers.
      return maximum < Number.MAX_SAFE_INTEGER
        ? `a whole number from ${minimum} to ${maximum}`
        : "a whole number";
    }
    case "array": {
      const length = amount(json.minItems, json.maxItems, "item");
      const item = `each ${describe(json.items as JsonSchema)}`;
      return length === undefined ? `a list, ${item}` : `a list of ${length}, ${item}`;
    }
    default: {
      const { required = [] } = json;
      return required.length === 0 ? "an object" : `an object with ${required.join(", ")}`;
    }
  }
}

function amount(minimum = 0, maximum: number | undefined, unit: string): string | undefined {
  return maximum === undefined
    ? undefined
    : `${minimum > 0 ? `${minimum} to` : "at most"} ${counted(maximum, unit)}`;
}
