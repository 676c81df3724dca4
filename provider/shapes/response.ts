/** Parses responses of the service against shapes. */

import * as z from "zod";
import { pathText } from "../values/walk";
import { canonicalForm } from "./canonical";
import { describeKind } from "./describe";
import { type Shape, wireName } from "./shape";

/** The result of parsing a response. */
export type ParsedResponse<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Parses a response of the service: converts names from snake_case to camelCase and values to canonical form.
 *
 * Types, required fields and nulls are enforced. Lengths and patterns are not, because the service may relax them. Fields that are not in the shape are dropped, unless the object is open. An optional field
 * may also be null.
 *
 * @example
 * const response = parseResponse(projectShape, JSON.parse(body));
 * if (!response.ok) throw new Error(response.problems.join(", "));
 */
export function parseResponse<Value>(shape: Shape<Value>, json: unknown): ParsedResponse<Value> {
  const parsed = responseSchema(shape).safeParse(json);
  if (parsed.success) return { ok: true, value: parsed.data as Value };
  const problems = parsed.error.issues.map(({ path, message }) => `${pathText(path) || "it"} ${message}`);
  return { ok: false, problems };
}

/** The schemas of shapes, compiled when they are first needed. */
const SCHEMAS = new WeakMap<Shape, z.ZodType>();

function responseSchema(shape: Shape): z.ZodType {
  const schema = SCHEMAS.get(shape) ?? fieldSchema(shape);
  SCHEMAS.set(shape, schema);
  return schema;
}

function fieldSchema(shape: Shape): z.ZodType {
  const schema = responseValueSchema(shape);
  if (shape.nullable) return shape.optional ? schema.nullish() : schema.nullable();
  return shape.optional ? schema.nullish().transform((value) => value ?? undefined) : schema;
}

function responseValueSchema(shape: Shape): z.ZodType {
  const options = {
    error: ({ input }: { input?: unknown }) =>
      input === undefined ? "is missing" : `is not ${describeKind(shape)}`,
  };
  switch (shape.kind) {
    case "text": {
      const schema = shape.rules?.format === "uuid" ? z.guid(options) : z.string(options);
      const form = canonicalForm(shape);
      return form === undefined ? schema : schema.overwrite(form);
    }
    case "choice":
      return z.enum(shape.values ?? [], options);
    case "flag":
      return z.boolean(options);
    case "integer":
      return z.int(options);
    case "list":
      return itemByItem(z.array(z.unknown(), options), responseSchema(shape.item as Shape));
    case "object": {
      const fields = Object.entries(shape.fields ?? {});
      const schemas = Object.fromEntries(
        fields.map(([name, field]) => [wireName(name), responseSchema(field)]),
      );
      const names = new Map(fields.map(([name]) => [wireName(name), name]));
      const wire = shape.open ? z.looseObject(schemas, options) : z.object(schemas, options);
      return wire.transform((value: Record<string, unknown>) =>
        Object.fromEntries(
          Object.entries(value)
            .filter(([, each]) => each !== undefined)
            .map(([name, each]) => [names.get(name) ?? name, each]),
        ),
      );
    }
  }
}

/** Stops at the first invalid item: the problems of millions of items would take more memory than the items. */
function itemByItem(list: z.ZodArray<z.ZodUnknown>, item: z.ZodType): z.ZodType {
  return list.transform((values, context) => {
    const items: unknown[] = [];
    for (const [index, value] of values.entries()) {
      const parsed = item.safeParse(value);
      if (!parsed.success) {
        for (const { path, message } of parsed.error.issues) {
          context.addIssue({ code: "custom", path: [index, ...path], message, input: value });
        }
        return z.NEVER;
      }
      items.push(parsed.data);
    }
    return items;
  });
}
