import { wireValue } from "../values/wire";
import { type Operation, partsOf } from "./operations";

/** The values that a caller passes to an operation: parameters by name, and `body`. */
export type RequestValues = Readonly<Record<string, unknown>>;

/** Builds path, query and body. @throws TypeError if a parameter of the path is missing or would change the path. */
export function requestFor(
  operation: Operation,
  values: RequestValues,
): { path: string; body: string | undefined } {
  const path = fillIn(partsOf(operation).path, (name) => pathSegment(name, values[name]));
  const query = operation.query === undefined ? "" : queryString(operation.query, values);
  const body = operation.body && JSON.stringify(wireValue(operation.body, values.body));
  return { path: path + query, body };
}

/** Replaces each `{name}` in a template. */
export function fillIn(template: string, value: (name: string) => string): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => value(name));
}

function pathSegment(name: string, value: unknown): string {
  // A segment of dots refers to another path, even if it is encoded.
  if (typeof value !== "string" || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} must be a UUID.`);
  return encodeURIComponent(value);
}

function queryString(schema: NonNullable<Operation["query"]>, values: RequestValues): string {
  const given = Object.keys(schema.shape)
    .filter((name) => values[name] != null)
    .map((name) => [name, values[name]]);
  const query = new URLSearchParams(wireValue(schema, Object.fromEntries(given)) as Record<string, string>);
  return query.size === 0 ? "" : `?${query}`;
}
