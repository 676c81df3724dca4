/** Converts values to the names of the service and back, along their schemas. */
import type { z } from "zod";
import { describeKind } from "./describe";
import { converted } from "./schema";
import { type Path, pathText } from "./walk";

export function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Converts the names in a request body to snake_case. Fields that are not in the schema stay, so that the service can reject them. */
export function wireValue(schema: z.ZodType, value: unknown): unknown {
  return converted(schema, value, { from: (name) => name, to: wireName, convert: (_, each) => each });
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
  const value = converted(schema, json, {
    from: wireName,
    to: (name) => name,
    convert: read,
    isComplete: true,
    // The problems of millions of items would take more memory than the items.
    isEnough: () => problems.length > 0,
  });
  return problems.length === 0 ? { ok: true, value: value as Value } : { ok: false, problems };

  function read(schema: z.ZodType, value: unknown, path: Path): unknown {
    const { success, data, error } = schema.safeParse(value);
    if (success) return data;
    const what = value === undefined ? "missing" : `not ${describeKind(schema)}`;
    if (!error.issues.every(isLimit)) problems.push(`${pathText(path) || "it"} is ${what}`);
    return value;
  }
}

/** Whether an issue is about a limit or a format other than that of a UUID. */
function isLimit(issue: z.core.$ZodIssue): boolean {
  if (issue.code === "invalid_format") return issue.format !== "guid";
  return issue.code === "too_big" || issue.code === "too_small";
}
