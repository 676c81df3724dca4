/**
 * Canonical forms: of several spellings of one value, the one that values are compared in and kept in.
 *
 * Which form that is follows from the format of a shape: UUIDs are in lower case, and host names as DNS compares
 * them. Declared values, answers and comparisons all take it from here.
 */

import { canonicalHostname } from "./hostname";
import type { Shape, ShapeFields, TextFormat } from "./shape";

const CANONICAL_FORMS: Readonly<Record<TextFormat, ((text: string) => string) | undefined>> = {
  uuid: (text) => text.toLowerCase(),
  hostname: canonicalHostname,
  // How these are spelled is the service's own.
  uri: undefined,
  dateTime: undefined,
};

/**
 * The values of named fields in canonical form. What has only one form, is not known yet, or has no field is
 * unchanged.
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

/** What brings text of a shape into canonical form; undefined where it has only one. */
export function canonicalForm({ rules }: Shape): ((text: string) => string) | undefined {
  return rules?.format && CANONICAL_FORMS[rules.format];
}
