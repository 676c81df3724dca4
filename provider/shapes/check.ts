/** Validates declared values against shapes and reports all violations at once, in this package's own messages. */

import * as z from "zod";
import { describeShape } from "./describe";
import { canonicalHostname } from "./hostname";
import { nearestName, suggestion } from "./nearestName";
import type { Shape, TextFormat, TextRules } from "./shape";
import { isRecord, oncePerShape, type Path, pathText, valueAt } from "./walk";
import { ILL_FORMED } from "./wellFormed";

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
  const parsed = inputSchema(shape).safeParse(value);
  if (parsed.success) return [];
  const named = (path: Path) => path.map((step) => (typeof step === "string" ? propertyName(step) : step));
  const problems = parsed.error.issues
    .filter(({ path }) => !passesUnknown(value, path, isUnknown))
    .flatMap((issue) => {
      if (issue.code !== "unrecognized_keys")
        return [{ path: pathText(named(issue.path)), reason: issue.message }];
      const holder = valueAt(value, issue.path);
      const allowed = Object.keys(shapeAt(shape, issue.path)?.fields ?? {}).map(propertyName);
      const path = named(issue.path);
      return issue.keys
        .filter((key) => isRecord(holder) && holder[key] !== undefined)
        .map((key) =>
          path.length === 0 || nearestName(key, allowed) !== undefined
            ? {
                path: pathText([...path, key]),
                reason: unrecognizedReason(
                  key,
                  allowed,
                  path.findLast((step) => typeof step === "string"),
                ),
              }
            : { path: pathText(path), reason: hiddenReason(allowed) },
        );
    });
  // A value that violates several rules has one reason for all of them, because the reason lists every rule.
  return [...new Map(problems.map((problem) => [`${problem.path} ${problem.reason}`, problem])).values()];
}

/** The message for a violation; undefined keeps the validator's own. */
interface Options {
  error(issue: { readonly code?: string | undefined; readonly input?: unknown }): string | undefined;
}

const SCHEMAS = new WeakMap<Shape, z.ZodType>();

function inputSchema(shape: Shape): z.ZodType {
  return oncePerShape(SCHEMAS, shape, () => {
    const schema = inputValueSchema(shape);
    if (shape.optional) return schema.nullish();
    return shape.nullable ? schema.nullable() : schema;
  });
}

function inputValueSchema(shape: Shape): z.ZodType {
  const rules = shape.rules ?? {};
  const options = optionsFor(shape);
  switch (shape.kind) {
    case "text":
      return textSchema(rules, options);
    case "choice":
      return z.enum(shape.values ?? [], options);
    case "flag":
      return z.boolean(options);
    case "integer": {
      const { minimum = -Infinity, maximum = Infinity } = rules;
      return (
        z
          .number(options)
          .gte(minimum, options)
          .lte(maximum, options)
          // With the validator's own integer type, an invalid item would end the validation of its list.
          .refine(Number.isSafeInteger, options)
      );
    }
    case "list": {
      const { minItems = 0, maxItems = Infinity } = rules;
      return (
        z
          .array(inputSchema(shape.item as Shape), options)
          .min(minItems, options)
          // With the validator's own limit, the items of a list that is too long would not be validated.
          .refine((items) => items.length <= maxItems, {
            ...options,
            // Also when an item is invalid.
            when: ({ value }) => Array.isArray(value),
          })
      );
    }
    case "object": {
      const schemas = Object.fromEntries(
        Object.entries(shape.fields ?? {}).map(([name, field]) => [name, inputSchema(field)]),
      );
      return shape.open ? z.looseObject(schemas, options) : z.strictObject(schemas, options);
    }
  }
}

function optionsFor(shape: Shape): Options {
  const description = describeShape(shape);
  return {
    error({ code, input }) {
      // checkValue creates these messages, because it knows all allowed names.
      if (code === "unrecognized_keys") return undefined;
      // The description of the shape would not explain this violation.
      if (shape.kind === "text" && isIllFormed(input)) return ILL_FORMED;
      const absent = input === undefined || (input === null && !shape.nullable);
      return absent ? `is required: ${description}` : `must be ${description}`;
    },
  };
}

/** A URL with a scheme and without white space. The platform's parser would remove white space. */
const ABSOLUTE_URL = /^[a-z][a-z0-9+.-]*:[^\s\p{Cc}]+$/iu;

const FORMAT_CHECKS: Readonly<Record<TextFormat, (options: Options) => z.core.$ZodCheck<string>[]>> = {
  // Any version, or none.
  uuid: (options) => [z.guid(options)],
  uri: (options) => [z.regex(ABSOLUTE_URL, options), z.url(options)],
  dateTime: (options) => [z.iso.datetime({ offset: true, ...options })],
  // A name of dots only is invalid: its canonical form is empty. What else a host name may contain is up to the service.
  hostname: (options) => [z.refine((value: string) => canonicalHostname(value) !== "", options)],
};

function textSchema({ minLength = 0, maxLength, pattern, format }: TextRules, options: Options): z.ZodType {
  return z.string(options).check(
    z.refine((value) => !isIllFormed(value), options),
    // The validator also counts Unicode code points.
    z.minLength(minLength, options),
    ...(maxLength === undefined ? [] : [z.maxLength(maxLength, options)]),
    ...(pattern === undefined ? [] : [z.regex(pattern, options)]),
    ...(format === undefined ? [] : FORMAT_CHECKS[format](options)),
  );
}

function isIllFormed(value: unknown): boolean {
  return typeof value === "string" && !value.isWellFormed();
}

function unrecognizedReason(name: string, allowed: readonly string[], holder: string | undefined): string {
  return `is not a property${holder === undefined ? "" : ` of ${holder}`}; allowed: ${allowed.join(", ")}${suggestion(name, allowed)}`;
}

/** The names in a secret object are secret, too. Only a misspelt one is shown. */
function hiddenReason(allowed: readonly string[]): string {
  return `has a property that does not exist, and whose name may be secret; allowed: ${allowed.join(", ")}`;
}

function shapeAt(shape: Shape, path: Path): Shape | undefined {
  return path.reduce<Shape | undefined>((at, step) => at?.item ?? at?.fields?.[String(step)], shape);
}

/** Whether the value at a path, or one of the values that contain it, is not known yet. */
function passesUnknown(value: unknown, path: Path, isUnknown: (value: unknown) => boolean): boolean {
  return [undefined, ...path].some((_, depth) => isUnknown(valueAt(value, path.slice(0, depth))));
}
