import type { Operation } from "./operations";
import type { RequestValues } from "./requestFor";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Compares a response with the parameters of the path: the id of the requested object, and every field with the name
 * of a parameter. In lists, each item is compared.
 *
 * @returns the problems of the first object that has any, in the form that `AnswerError` shows; empty if there are
 * none.
 */
export function contradictionsIn(operation: Operation, values: RequestValues, response: unknown): string[] {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const { idParameter = names.find((name) => operation.path.endsWith(`{${name}}`)) } = operation;
  for (const object of objectsOf(operation, response)) {
    const problems = names.flatMap((name) => {
      const field = name === idParameter ? "id" : name;
      return contradicts(object[field], values[name])
        ? [`${field} is ${object[field]}, which was not requested`]
        : [];
    });
    if (problems.length > 0) return problems;
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

function contradicts(received: unknown, requested: unknown): boolean {
  return typeof received === "string" && received.toLowerCase() !== String(requested).toLowerCase();
}
