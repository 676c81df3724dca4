/** Notices an answer that is in good order, but about something else than was asked for. */

import type { Operation } from "./operations";
import type { RequestValues } from "./requestFor";

type Fields = Readonly<Record<string, unknown>>;

/**
 * What in an answer contradicts the parameters of the path: the id of the object that was asked for, and every
 * field that has the name of a parameter, in lists item by item.
 *
 * @returns a problem for each field, as an `AnswerError` shows it, of the first object with any; empty when there is none.
 */
export function aboutAnother(operation: Operation, values: RequestValues, answer: unknown): string[] {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  for (const object of objectsOf(operation, answer)) {
    const problems = names.flatMap((name) => {
      const field = operation.about === name ? "id" : name;
      return contradicts(object[field], values[name])
        ? [`${field} is ${object[field]}, which was not asked for`]
        : [];
    });
    if (problems.length > 0) return problems;
  }
  return [];
}

function objectsOf({ unwrap }: Operation, answer: unknown): Fields[] {
  const whole = Object(answer) as Fields;
  return unwrap === undefined ? [whole, ...listIn(whole.links)] : listIn(whole[unwrap]);
}

function listIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map((item) => Object(item) as Fields) : [];
}

function contradicts(answered: unknown, asked: unknown): boolean {
  return typeof answered === "string" && answered.toLowerCase() !== String(asked).toLowerCase();
}
