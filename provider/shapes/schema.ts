/**
 * What shapes check: answers of the service, values that a program declares, and the words for both.
 *
 * Schemas follow from shapes, are compiled when they are first needed and kept. No other file knows the validator,
 * and no exported type mentions it.
 */

import * as z from "zod";
import { nearestName } from "./nearestName";
import { choice, type Shape, type ShapeFields, wireName } from "./shape";
import { ILL_FORMED } from "./wellFormed";
import { counted } from "./words";

/** One violation: where, and what is allowed there. It never holds the value. */
export interface Problem {
  /** Where the value stands, as in `androidInfo.sha256Fingerprints[3]`; empty for the whole. */
  readonly path: string;
  /** What is allowed, in words that follow the path. */
  readonly reason: string;
}

/** What became of an answer. */
export type ParsedAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads an answer of the service: names from snake_case to camelCase, UUIDs in lower case.
 *
 * Kinds, required fields, nulls and words are enforced. Lengths and patterns are not, as the service may loosen
 * them. Fields that the shape does not name are dropped, unless the object is open. A field that may be absent
 * may also be null.
 *
 * @example
 * const answer = parseAnswer(projectShape, JSON.parse(body));
 * if (!answer.ok) throw new Error(answer.problems.join(", "));
 */
export function parseAnswer<Value>(shape: Shape<Value>, json: unknown): ParsedAnswer<Value> {
  const parsed = answerSchema(shape).safeParse(json);
  if (parsed.success) return { ok: true, value: parsed.data as Value };
  const problems = parsed.error.issues.map(({ path, message }) => `${pathText(path) || "it"} ${message}`);
  return { ok: false, problems };
}

/**
 * Writes a request body: names from camelCase to snake_case.
 *
 * Null is kept and undefined dropped. Fields that the shape does not name keep their names, so that the service
 * can object to them.
 */
export function toWire(shape: Shape, value: unknown): unknown {
  if (shape.item !== undefined && Array.isArray(value)) {
    const { item } = shape;
    return value.map((each) => toWire(item, each));
  }
  if (!isRecord(value)) return value;
  const fields = fieldsFor(shape, value);
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.map(([name, each]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return field === undefined ? [name, each] : [wireName(name), toWire(field, each)];
    }),
  );
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
  return parsed.error.issues
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
}

/**
 * Says what a value may be, in words that follow "must be".
 *
 * @example
 * describeShape(text({ minLength: 1, maxLength: 100 })); // "text of 1 to 100 characters"
 */
export function describeShape(shape: Shape): string {
  if (!shape.nullable) return describeValue(shape);
  return shape.values?.length === 0 ? "null" : `${describeValue(shape)}, or null`;
}

function describeValue(shape: Shape): string {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, format, meaning } = shape.rules ?? {};
  switch (shape.kind) {
    case "text": {
      const meant = meaning ?? (format && FORMATS[format].meaning);
      const length = amount(minLength, maxLength, "character");
      if (meant === undefined) return length === undefined ? "text" : `text of ${length}`;
      return length === undefined ? meant : `${meant}, ${length}`;
    }
    case "choice":
      return shape.values?.length === 1 ? quoted(shape.values) : `one of ${quoted(shape.values ?? [])}`;
    case "flag":
      return "true or false";
    case "integer": {
      if (minimum !== undefined && maximum !== undefined)
        return `a whole number from ${minimum} to ${maximum}`;
      if (minimum !== undefined) return `a whole number of at least ${minimum}`;
      return maximum === undefined ? "a whole number" : `a whole number of at most ${maximum}`;
    }
    case "list": {
      const length = amount(minItems, maxItems, "item");
      const item = shape.item === undefined ? "" : `, each ${describeShape(shape.item)}`;
      return length === undefined ? `a list${item}` : `a list of ${length}${item}`;
    }
    case "object": {
      const fields = Object.entries(shape.fields ?? {});
      const required = fields.filter(([, field]) => !field.optional).map(([name]) => name);
      if (required.length > 0) return `an object with ${required.join(", ")}`;
      if (shape.rules?.minProperties === undefined) return "an object";
      return `an object with at least ${shape.rules.minProperties} of ${fields.map(([name]) => name).join(", ")}`;
    }
    case "variants":
      return `an object whose ${shape.tag} is ${describeValue(tagChoice(shape))}`;
  }
}

function amount(minimum: number | undefined, maximum: number | undefined, unit: string): string | undefined {
  const units = (count: number) => counted(count, unit);
  if (maximum === undefined) return minimum === undefined ? undefined : `at least ${units(minimum)}`;
  if (minimum === undefined) return `at most ${units(maximum)}`;
  return minimum === maximum ? `exactly ${units(minimum)}` : `${minimum} to ${units(maximum)}`;
}

function quoted(words: readonly string[]): string {
  return words.map((word) => JSON.stringify(word)).join(", ");
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/i;
const ABSOLUTE_URL = /^[a-z][a-z0-9+.-]*:[^\s\p{Cc}]+$/iu;

const FORMATS = {
  uuid: { meaning: "a UUID", accepts: (value: string) => UUID.test(value) },
  uri: {
    meaning: "an absolute URL",
    accepts: (value: string) => ABSOLUTE_URL.test(value) && URL.canParse(value),
  },
  dateTime: {
    meaning: "an ISO 8601 date and time",
    accepts: (value: string) => DATE_TIME.test(value) && !Number.isNaN(Date.parse(value)),
  },
};

// Answers.

const answerSchema = compiledOnce((shape) => {
  const schema = answerValueSchema(shape);
  if (shape.nullable) return shape.optional ? schema.nullish() : schema.nullable();
  return shape.optional ? schema.nullish().transform((value) => value ?? undefined) : schema;
});

function answerValueSchema(shape: Shape): z.ZodType {
  const { nullable: _nullable, ...valueShape } = shape;
  const options = {
    error: ({ input }: { input?: unknown }) =>
      input === undefined ? "is missing" : `is not ${describeKind(valueShape)}`,
  };
  switch (shape.kind) {
    case "text": {
      if (shape.rules?.format !== "uuid") return z.string(options);
      return z
        .string(options)
        .regex(UUID, options)
        .transform((value) => value.toLowerCase());
    }
    case "choice":
      return z.enum(shape.values ?? [], options);
    case "flag":
      return z.boolean(options);
    case "integer":
      return z.int(options);
    case "list":
      return itemByItem(z.array(z.unknown(), options), answerSchema(shape.item as Shape));
    case "object": {
      const fields = Object.entries(shape.fields ?? {});
      const schemas = Object.fromEntries(
        fields.map(([name, field]) => [wireName(name), answerSchema(field)]),
      );
      const names = new Map(fields.map(([name]) => [wireName(name), name]));
      const wire = shape.open ? z.looseObject(schemas, options) : z.object(schemas, options);
      return wire.transform((value: Record<string, unknown>) =>
        Object.fromEntries(
          Object.entries(value)
            .filter(([, each]) => each !== undefined)
            .map(([name, each]) => [names.get(name) ?? name, each]),
        ),
      );
    }
    case "variants":
      throw new TypeError("Answers hold no variants.");
  }
}

/** A list up to its first wrong item: what is wrong with millions of them would take more memory than they do. */
function itemByItem(list: z.ZodArray<z.ZodUnknown>, item: z.ZodType): z.ZodType {
  return list.transform((values, context) => {
    const items: unknown[] = [];
    for (const [index, value] of values.entries()) {
      const parsed = item.safeParse(value);
      if (!parsed.success) {
        for (const { path, message } of parsed.error.issues) {
          context.addIssue({ code: "custom", path: [index, ...path], message, input: value });
        }
        return z.NEVER;
      }
      items.push(parsed.data);
    }
    return items;
  });
}

/** What an answer is held to: its kind and nothing of its length. */
function describeKind(shape: Shape): string {
  switch (shape.kind) {
    case "text":
      return shape.rules?.format === "uuid" ? "a UUID" : "text";
    case "integer":
      return "a whole number";
    case "list":
      return "a list";
    case "object":
      return "an object";
    default:
      return describeShape(shape);
  }
}

// Declared values.

const inputSchema = compiledOnce((shape) => {
  const schema = inputValueSchema(shape);
  if (shape.optional) return schema.nullish();
  return shape.nullable ? schema.nullable() : schema;
});

function inputValueSchema(shape: Shape): z.ZodType {
  const description = describeShape(shape);
  const options = {
    error: (issue: { code?: string | undefined; input?: unknown }) => {
      if (issue.code === "unrecognized_keys") return undefined;
      // What the value may be would say nothing of what is wrong with it.
      if (shape.kind === "text" && isIllFormed(issue.input)) return ILL_FORMED;
      return issue.input === undefined || (issue.input === null && !shape.nullable)
        ? `is required: ${description}`
        : `must be ${description}`;
    },
  };
  // Not the end of the check, or a wrong item would hide that its list is too long.
  const meeting = (meets: (value: unknown) => boolean) =>
    z.custom<unknown>(meets, { ...options, abort: false });
  const { minItems = 0, maxItems = Infinity, minimum = -Infinity, maximum = Infinity } = shape.rules ?? {};
  switch (shape.kind) {
    case "text":
      return meeting((value) => typeof value === "string" && meetsTextRules(value, shape.rules));
    case "choice":
      return z.enum(shape.values ?? [], options);
    case "flag":
      return z.boolean(options);
    case "integer":
      return meeting(
        (value) => Number.isSafeInteger(value) && minimum <= Number(value) && Number(value) <= maximum,
      );
    case "list":
      return z
        .array(inputSchema(shape.item as Shape), options)
        .refine((items) => minItems <= items.length && items.length <= maxItems, {
          ...options,
          // Also when an item is wrong.
          when: ({ value }) => Array.isArray(value),
        });
    case "object": {
      const schemas = Object.fromEntries(
        Object.entries(shape.fields ?? {}).map(([name, field]) => [name, inputSchema(field)]),
      );
      const schema = shape.open ? z.looseObject(schemas, options) : z.strictObject(schemas, options);
      const { minProperties } = shape.rules ?? {};
      if (minProperties === undefined) return schema;
      return schema.refine((value) => presentFields(value) >= minProperties, {
        ...options,
        // Not when a field is wrong: a misspelt one may be the field that is meant.
        when: ({ issues }) => issues.length === 0,
      });
    }
    case "variants": {
      // The library tells variants apart by the word, but words its message for the whole object.
      const tag = tagChoice(shape);
      const schemas = (shape.variants ?? []).map((variant) => inputSchema(variant)) as unknown as [
        z.ZodObject,
      ];
      return z.discriminatedUnion(shape.tag as string, schemas, {
        error: (issue) => {
          if (issue.code !== "invalid_union") return options.error(issue);
          const word = isRecord(issue.input) ? issue.input[shape.tag as string] : undefined;
          return word === undefined || word === null
            ? `is required: ${describeShape(tag)}`
            : `must be ${describeShape(tag)}`;
        },
      });
    }
  }
}

function isIllFormed(value: unknown): boolean {
  return typeof value === "string" && !value.isWellFormed();
}

function meetsTextRules(value: string, rules: Shape["rules"] = {}): boolean {
  if (isIllFormed(value)) return false;
  // Unicode code points: a string's own length counts some characters twice.
  const length = [...value].length;
  const { minLength = 0, maxLength = Infinity, pattern, format } = rules;
  if (length < minLength || length > maxLength) return false;
  if (pattern !== undefined && !pattern.test(value)) return false;
  return format === undefined || FORMATS[format].accepts(value);
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

// Walking.

type Path = readonly PropertyKey[];

/** The field that tells variants apart, with the words of all of them. */
function tagChoice({ tag = "", variants = [] }: Shape): Shape<string> {
  return choice(variants.flatMap(({ fields }) => fields[tag]?.values ?? []));
}

/** The fields that a value may have; those of the variant that it is, where there are variants. */
function fieldsFor({ fields, tag = "", variants = [] }: Shape, value: unknown): ShapeFields {
  if (fields !== undefined) return fields;
  const word = isRecord(value) ? value[tag] : undefined;
  return variants.find((variant) => variant.fields[tag]?.values?.some((each) => each === word))?.fields ?? {};
}

function shapeAt(shape: Shape, value: unknown, [step, ...rest]: Path): Shape {
  if (step === undefined) return shape;
  const inner = shape.item ?? fieldsFor(shape, value)[String(step)];
  return inner === undefined ? shape : shapeAt(inner, valueAt(value, [step]), rest);
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (holder, step) => (typeof holder === "object" && holder !== null ? Reflect.get(holder, step) : undefined),
    value,
  );
}

/** Whether a value on the way to a path, or at its end, is not known yet. */
function holdsUnknown(value: unknown, path: Path, isUnknown: (value: unknown) => boolean): boolean {
  return [undefined, ...path].some((_, depth) => isUnknown(valueAt(value, path.slice(0, depth))));
}

function pathText(path: Path): string {
  return path
    .map((step, index) =>
      typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${String(step)}`,
    )
    .join("");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Compiles a shape when it is first needed, and keeps the schema as long as the shape. */
function compiledOnce(compile: (shape: Shape) => z.ZodType): (shape: Shape) => z.ZodType {
  const schemas = new WeakMap<Shape, z.ZodType>();
  return (shape) => {
    const schema = schemas.get(shape) ?? compile(shape);
    schemas.set(shape, schema);
    return schema;
  };
}
