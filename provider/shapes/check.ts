/** Declared values, checked against shapes: every violation at once, in our own messages. */

import * as z from "zod";
import { describeShape } from "./describe";
import { nearestName } from "./nearestName";
import type { Shape, TextFormat, TextRules } from "./shape";
import { fieldsFor, isRecord, oncePerShape, type Path, pathText, tagChoice, valueAt } from "./walk";
import { ILL_FORMED } from "./wellFormed";

/** One violation: where, and what is allowed there. It never holds the value. */
export interface Problem {
  /** Where the value stands, as in `androidInfo.sha256Fingerprints[3]`; empty for the whole. */
  readonly path: string;
  /** What is allowed, in words that follow the path. */
  readonly reason: string;
}

/**
 * Finds what is wrong with a declared value: every violation, each once, at its path.
 *
 * Null counts as absent in a field that may be absent. Fields that the shape does not name are violations, unless
 * the object is open. Values for which `isUnknown` holds pass wherever they stand.
 *
 * @example
 * checkValue(createProjectShape, { projectName: "" }, { isUnknown: () => false });
 * // [{ path: "projectName", reason: "must be text of 1 to 100 characters" }]
 */
export function checkValue(
  shape: Shape,
  value: unknown,
  options: { isUnknown(value: unknown): boolean },
): Problem[] {
  const parsed = inputSchema(shape).safeParse(value);
  if (parsed.success) return [];
  const problems = parsed.error.issues
    .filter(({ path }) => !holdsUnknown(value, path, options.isUnknown))
    .flatMap((issue) => {
      if (issue.code !== "unrecognized_keys") return [{ path: pathText(issue.path), reason: issue.message }];
      const holder = valueAt(value, issue.path);
      const allowed = Object.keys(fieldsFor(shapeAt(shape, value, issue.path), holder));
      return issue.keys
        .filter((key) => isRecord(holder) && holder[key] !== undefined)
        .map((key) => ({
          path: pathText([...issue.path, key]),
          reason: unrecognizedReason(
            key,
            allowed,
            issue.path.findLast((step) => typeof step === "string"),
          ),
        }));
    });
  // A value that breaks several rules breaks each with the same reason, which names them all.
  return [...new Map(problems.map((problem) => [`${problem.path} ${problem.reason}`, problem])).values()];
}

/** How the validator words a violation: undefined leaves it the words of its own. */
interface Options {
  error(issue: { readonly code?: string | undefined; readonly input?: unknown }): string | undefined;
}

const inputSchema = oncePerShape<z.ZodType>((shape) => {
  const schema = inputValueSchema(shape);
  if (shape.optional) return schema.nullish();
  return shape.nullable ? schema.nullable() : schema;
});

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
          // The validator's own integers end the check of the list that they are in.
          .refine(Number.isSafeInteger, options)
      );
    }
    case "list": {
      const { minItems = 0, maxItems = Infinity } = rules;
      return (
        z
          .array(inputSchema(shape.item as Shape), options)
          .min(minItems, options)
          // The validator's own limit keeps it from looking at the items of a list that is too long.
          .refine((items) => items.length <= maxItems, {
            ...options,
            // Also when an item is wrong.
            when: ({ value }) => Array.isArray(value),
          })
      );
    }
    case "object": {
      const schemas = Object.fromEntries(
        Object.entries(shape.fields ?? {}).map(([name, field]) => [name, inputSchema(field)]),
      );
      const schema = shape.open ? z.looseObject(schemas, options) : z.strictObject(schemas, options);
      const { minProperties } = rules;
      if (minProperties === undefined) return schema;
      return schema.refine((value) => presentFields(value) >= minProperties, {
        ...options,
        // Not when a field is wrong: a misspelt one may be the field that is meant.
        when: ({ issues }) => issues.length === 0,
      });
    }
    case "variants": {
      const tag = shape.tag ?? "";
      const schemas = (shape.variants ?? []).map((variant) => inputSchema(variant)) as unknown as [
        z.ZodObject,
      ];
      // The validator finds the variant by its tag and reports a wrong one at the tag, with the whole object as input.
      const { error: tagError } = optionsFor(tagChoice(shape));
      return z.discriminatedUnion(tag, schemas, {
        error: (issue) =>
          issue.code === "invalid_union"
            ? tagError({ input: Reflect.get(Object(issue.input), tag) })
            : options.error(issue),
      });
    }
  }
}

function optionsFor(shape: Shape): Options {
  const description = describeShape(shape);
  return {
    error({ code, input }) {
      // These are worded where all names that are allowed are known.
      if (code === "unrecognized_keys") return undefined;
      // What the value may be would say nothing of what is wrong with it.
      if (shape.kind === "text" && isIllFormed(input)) return ILL_FORMED;
      const absent = input === undefined || (input === null && !shape.nullable);
      return absent ? `is required: ${description}` : `must be ${description}`;
    },
  };
}

/** A URL with a scheme and without white space, which the platform's parser would remove. */
const ABSOLUTE_URL = /^[a-z][a-z0-9+.-]*:[^\s\p{Cc}]+$/iu;

const FORMAT_CHECKS: Readonly<Record<TextFormat, (options: Options) => z.core.$ZodCheck<string>[]>> = {
  // Of any version, and of none.
  uuid: (options) => [z.guid(options)],
  uri: (options) => [z.regex(ABSOLUTE_URL, options), z.url(options)],
  dateTime: (options) => [z.iso.datetime({ offset: true, ...options })],
  hostname: () => [],
};

function textSchema({ minLength = 0, maxLength, pattern, format }: TextRules, options: Options): z.ZodType {
  return z.string(options).check(
    z.refine((value) => !isIllFormed(value), options),
    // The validator counts Unicode code points too.
    z.minLength(minLength, options),
    ...(maxLength === undefined ? [] : [z.maxLength(maxLength, options)]),
    ...(pattern === undefined ? [] : [z.regex(pattern, options)]),
    ...(format === undefined ? [] : FORMAT_CHECKS[format](options)),
  );
}

function isIllFormed(value: unknown): boolean {
  return typeof value === "string" && !value.isWellFormed();
}

/** How many fields a program declared: null stands for a value that is to be cleared. */
function presentFields(value: object): number {
  return Object.values(value).filter((each) => each !== undefined).length;
}

function unrecognizedReason(name: string, allowed: readonly string[], holder: string | undefined): string {
  const nearest = nearestName(name, allowed);
  const suggestion = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  return `is not a property${holder === undefined ? "" : ` of ${holder}`}; allowed: ${allowed.join(", ")}${suggestion}`;
}

function shapeAt(shape: Shape, value: unknown, [step, ...rest]: Path): Shape {
  if (step === undefined) return shape;
  const inner = shape.item ?? fieldsFor(shape, value)[String(step)];
  return inner === undefined ? shape : shapeAt(inner, valueAt(value, [step]), rest);
}

/** Whether a value on the way to a path, or at its end, is not known yet. */
function holdsUnknown(value: unknown, path: Path, isUnknown: (value: unknown) => boolean): boolean {
  return [undefined, ...path].some((_, depth) => isUnknown(valueAt(value, path.slice(0, depth))));
}
