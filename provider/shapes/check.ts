/** Validates declared values against shapes and reports all violations at once, in this package's own messages. */

import * as z from "zod";
import { canonicalHostname } from "../values/hostname";
import { nearestName, suggestion } from "../values/nearestName";
import { isRecord, type Path, pathText } from "../values/walk";
import { ILL_FORMED } from "../values/wellFormed";
import { describeShape } from "./describe";
import type { Shape, TextFormat, TextRules } from "./shape";

/** One violation: its path, and what is allowed there. It never contains the value. */
export interface Problem {
  /** Path of the value, such as `androidInfo.sha256Fingerprints[3]`; empty for the value itself. */
  readonly path: string;
  /** What is allowed, as text that follows the path. */
  readonly reason: string;
}

/**
 * Validates a declared value and returns every violation once, with its path.
 *
 * In an optional field, null counts as absent. A field that is not in the shape is a violation, unless the object is
 * open. Values for which `isUnknown` returns true are valid everywhere.
 *
 * @example
 * checkValue(createProjectShape, { projectName: "" }, { isUnknown: () => false });
 * // [{ path: "projectName", reason: "must be text of 1 to 100 characters" }]
 */
export function checkValue(
  shape: Shape,
  value: unknown,
  {
    isUnknown,
    propertyName = (name) => name,
  }: {
    isUnknown(value: unknown): boolean;
    /** The name of a field in messages. Default: unchanged. */
    propertyName?: ((name: string) => string) | undefined;
  },
): Problem[] {
  function problemsIn(shape: Shape, value: unknown, path: Path): Problem[] {
    if (isUnknown(value) || (value == null && shape.optional) || (value === null && shape.nullable))
      return [];
    const reason = value == null ? `is required: ${describeShape(shape)}` : violationOf(shape, value);
    const own = reason === undefined ? [] : [{ path: pathText(path), reason }];
    return [...problemsInMembers(shape, value, path), ...own];
  }

  function problemsInMembers(
    { kind, item, fields = {}, open }: Shape,
    value: unknown,
    path: Path,
  ): Problem[] {
    if (kind === "list" && Array.isArray(value) && item !== undefined)
      return value.flatMap((each, index) => problemsIn(item, each, [...path, index]));
    if (kind !== "object" || !isRecord(value)) return [];
    const problems = Object.entries(fields).flatMap(([name, field]) =>
      problemsIn(field, value[name], [...path, propertyName(name)]),
    );
    const others = open ? [] : Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
    const names = others.filter((name) => value[name] !== undefined);
    return [...problems, ...unrecognized(names, Object.keys(fields).map(propertyName), path)];
  }

  return problemsIn(shape, value, []);
}

/** The violation of a value itself, without its members, as text that follows its path. */
function violationOf(shape: Shape, value: unknown): string | undefined {
  // The description of the shape would not explain this violation.
  if (shape.kind === "text" && typeof value === "string" && !value.isWellFormed()) return ILL_FORMED;
  // The reason lists every rule of the shape.
  return isAllowed(shape, value) ? undefined : `must be ${describeShape(shape)}`;
}

function isAllowed({ kind, rules = {}, values = [] }: Shape, value: unknown): boolean {
  switch (kind) {
    case "text":
      return typeof value === "string" && isAllowedText(rules, value);
    case "choice":
      return values.some((each) => each === value);
    case "flag":
      return typeof value === "boolean";
    case "integer":
      return Number.isSafeInteger(value) && isWithin(value as number, rules.minimum, rules.maximum);
    case "list":
      return Array.isArray(value) && isWithin(value.length, rules.minItems, rules.maxItems);
    case "object":
      return isRecord(value);
  }
}

function isWithin(amount: number, minimum = -Infinity, maximum = Infinity): boolean {
  return amount >= minimum && amount <= maximum;
}

/** A URL with a scheme and without white space. The platform's parser would remove white space. */
const ABSOLUTE_URL = /^[a-z][a-z0-9+.-]*:[^\s\p{Cc}]+$/iu;

const FORMATS: Readonly<Record<TextFormat, z.ZodType>> = {
  // Any version, or none.
  uuid: z.guid(),
  uri: z.url().regex(ABSOLUTE_URL),
  dateTime: z.iso.datetime({ offset: true }),
  // A name of dots only is invalid: its canonical form is empty. What else a host name may contain is up to the service.
  hostname: z.string().refine((value) => canonicalHostname(value) !== ""),
};

function isAllowedText({ minLength, maxLength, pattern, format }: TextRules, value: string): boolean {
  return (
    isWithin([...value].length, minLength, maxLength) &&
    (pattern === undefined || pattern.test(value)) &&
    (format === undefined || FORMATS[format].safeParse(value).success)
  );
}

/** The names in a secret object are secret, too. Only a misspelt one is shown, and all names of the outermost object. */
function unrecognized(names: readonly string[], allowed: readonly string[], path: Path): Problem[] {
  const holder = path.findLast((step) => typeof step === "string");
  const of = holder === undefined ? "" : ` of ${holder}`;
  const list = `allowed: ${allowed.join(", ")}`;
  const isShown = (name: string) => path.length === 0 || nearestName(name, allowed) !== undefined;
  const shown = names.filter(isShown).map((name) => ({
    path: pathText([...path, name]),
    reason: `is not a property${of}; ${list}${suggestion(name, allowed)}`,
  }));
  if (shown.length === names.length) return shown;
  const reason = `has a property that does not exist, and whose name may be secret; ${list}`;
  return [{ path: pathText(path), reason }, ...shown];
}
