/**
 * Canonical forms: values that can be written in several ways are compared and stored in one of them.
 *
 * The format of a shape determines the form: lower case for UUIDs, the form that DNS compares for host names. Declared
 * values, responses and comparisons all use this module.
 */

import { canonicalHostname } from "../values/hostname";
import type { Shape, ShapeFields, TextFormat } from "./shape";

/** Text of the other formats is kept as the service returns it. */
const CANONICAL_FORMS: Readonly<Partial<Record<TextFormat, (text: string) => string>>> = {
  uuid: (text) => text.toLowerCase(),
  hostname: canonicalHostname,
};

/**
 * Converts the values of an object to canonical form. A value that has only one form, is not known yet, or is not among
 * the fields is unchanged.
 *
 * @example
 * canonicalValues({ id: uuid() }, { id: "8F14E45F-…", name: "Shop" }); // { id: "8f14e45f-…", name: "Shop" }
 */
export function canonicalValues<Values extends object>(fields: ShapeFields, values: Values): Values {
  const entries = Object.entries(values).map(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const form = typeof value === "string" && field !== undefined ? canonicalForm(field) : undefined;
    return [name, form === undefined ? value : form(value)];
  });
  return Object.fromEntries(entries);
}

/** The function that converts text of a shape to canonical form; undefined if the text has only one form. */
export function canonicalForm({ rules }: Shape): ((text: string) => string) | undefined {
  return rules?.format && CANONICAL_FORMS[rules.format];
}
