/** Converts values to the names of the service and back, along their schemas. */
import { z } from "zod";
import { describeKind } from "./describe";
import { converted, unwrapped } from "./schema";
import { isRecord, type Path, pathText } from "./walk";

/** The name of a field on the wire. */
export function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Converts the names in a request body from camelCase to snake_case. Fields that are not in the schema keep their names,
 * so that the service can reject them.
 */
export function wireValue(schema: z.ZodType, value: unknown): unknown {
  return converted(schema, value, wireName, (_, each) => each);
}

export type ParsedResponse<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Parses a response of the service: converts names from snake_case to camelCase and values to canonical form.
 *
 * Types, required fields and nulls are enforced. Lengths and patterns are not, because the service may relax them. Other
 * fields are dropped, unless the object is loose. An optional field may also be null.
 *
 * @example
 * const response = parseResponse(project, JSON.parse(body));
 * if (!response.ok) throw new Error(response.problems.join(", "));
 */
export function parseResponse<Value>(schema: z.ZodType<Value>, json: unknown): ParsedResponse<Value> {
  const problems: string[] = [];
  const value = read(schema, json, []) as Value;
  return problems.length === 0 ? { ok: true, value } : { ok: false, problems };

  function read(schema: z.ZodType, value: unknown, path: Path): unknown {
    const { inner, optional, nullable } = unwrapped(schema);
    if (value === null && nullable) return null;
    if (value == null && optional) return undefined;
    if (inner instanceof z.ZodArray && Array.isArray(value))
      return readList(inner.element as z.ZodType, value, path);
    if (inner instanceof z.ZodObject && isRecord(value)) return readObject(inner, value, path);
    const { success, data, error } = inner.safeParse(value);
    if (success) return data;
    if (!error.issues.every(isLimit))
      problems.push(
        `${pathText(path) || "it"} is ${value === undefined ? "missing" : `not ${describeKind(inner)}`}`,
      );
    return value;
  }

  /** Stops at the first problem: those of millions of items would take more memory than the items. */
  function readList(item: z.ZodType, values: readonly unknown[], path: Path): unknown[] {
    const items: unknown[] = [];
    for (const [index, value] of values.entries()) {
      items.push(read(item, value, [...path, index]));
      if (problems.length > 0) break;
    }
    return items;
  }

  function readObject({ shape, def }: z.ZodObject, value: Record<string, unknown>, path: Path): object {
    const isLoose = def.catchall instanceof z.ZodUnknown;
    const names = new Set(Object.keys(shape).map(wireName));
    const entries = Object.entries(shape).map(([name, field]): [string, unknown] => {
      const wire = wireName(name);
      const own = Object.hasOwn(value, wire) ? value[wire] : undefined;
      return [name, read(field as z.ZodType, own, [...path, wire])];
    });
    const others = isLoose ? Object.entries(value).filter(([name]) => !names.has(name)) : [];
    return Object.fromEntries([...others, ...entries].filter(([, each]) => each !== undefined));
  }
}

/** Whether an issue is about a limit or a format other than that of a UUID. */
function isLimit(issue: z.core.$ZodIssue): boolean {
  if (issue.code === "invalid_format") return issue.format !== "guid";
  return issue.code === "too_big" || issue.code === "too_small";
}
