import type { Operation } from "./operations";
import type { RequestValues } from "./requestFor";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Compares the fields of a response that repeat parameters of the path with these: those of the same name, and the id. In
 * lists, each item is compared.
 *
 * @returns the problems of the first object that has any, in the form that `AnswerError` shows; empty if there are
 * none.
 */
export function contradictionsIn(operation: Operation, values: RequestValues, response: unknown): string[] {
  const { path, about = /\{(\w+)\}$/.exec(path)?.[1] } = operation;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, name] as const);
  const repeated = about === undefined ? names : [["id", about] as const, ...names];
  for (const object of objectsOf(operation, response)) {
    const others = repeated.filter(([field, parameter]) => contradicts(object[field], values[parameter]));
    if (others.length > 0)
      return others.map(([field]) => `${field} is ${object[field]}, which was not requested`);
  }
  return [];
}

function objectsOf({ unwrap }: Operation, response: unknown): Fields[] {
  const whole = Object(response) as Fields;
  return unwrap === undefined ? [whole, ...itemsIn(whole.links)] : itemsIn(whole[unwrap]);
}

function itemsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map((item) => Object(item) as Fields) : [];
}

/** UUIDs in responses are in canonical form, which is lower case. */
function contradicts(received: unknown, requested: unknown): boolean {
  return typeof received === "string" && received !== String(requested).toLowerCase();
}
