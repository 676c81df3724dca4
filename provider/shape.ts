/**
 * Shapes: what a value may be, stated once as plain data.
 *
 * Types, checks, wire mapping and documentation are projections of a shape. The module imports nothing, so a
 * program that only names resources pays for no validator, and no validator's types reach a user's editor.
 */

/** What a value of type `Value` may be. */
export interface Shape<out Value = unknown> {
  readonly kind: "text" | "choice" | "flag" | "integer" | "list" | "object";
  /** The field may be absent. */
  readonly optional?: boolean;
  /** The value may be null. */
  readonly nullable?: boolean;
  /** What text or an integer must satisfy besides its kind. */
  readonly rules?: TextRules & IntegerRules & ListRules;
  /** The words that a choice is among. */
  readonly values?: readonly string[];
  /** What each item of a list is. */
  readonly item?: Shape;
  /** The fields of an object, by their name in camelCase. */
  readonly fields?: ShapeFields;
  /** Further fields of the object are kept as they come. */
  readonly open?: boolean;
  /** Present in the types only. */
  readonly "~value"?: Value;
}

/** A shape that a field may leave out. */
export interface OptionalShape<out Value = unknown> extends Shape<Value> {
  readonly optional: true;
}

/** A shape with named fields. */
export interface ObjectShape<Fields extends ShapeFields = ShapeFields> extends Shape<FieldValues<Fields>> {
  readonly kind: "object";
  readonly fields: Fields;
}

/** The fields of an object, by their name in camelCase. */
export type ShapeFields = { readonly [name: string]: Shape };

/** The TypeScript type that a shape describes. */
export type ValueOf<S> = S extends Shape<infer Value> ? Value : never;

/** What an object of these fields holds. Written so that doc comments on the fields survive. */
export type FieldValues<Fields> = RequiredValues<Fields, Exclude<keyof Fields, OptionalNames<Fields>>> &
  OptionalValues<Fields, OptionalNames<Fields>>;

type OptionalNames<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { optional: true } ? Name : never;
}[keyof Fields];
type RequiredValues<Fields, Names extends keyof Fields> = { [Name in Names]: ValueOf<Fields[Name]> };
type OptionalValues<Fields, Names extends keyof Fields> = {
  [Name in Names]?: ValueOf<Fields[Name]> | undefined;
};

/** What text must satisfy. Lengths are in Unicode code points, as JSON Schema counts. */
export interface TextRules {
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A format that needs more than a pattern. */
  readonly format?: "uuid" | "uri" | "dateTime";
  readonly pattern?: RegExp;
  /** What the pattern asks for, in words that follow "must be". */
  readonly meaning?: string;
}

/** What an integer must satisfy. */
export interface IntegerRules {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What a list must satisfy. */
export interface ListRules {
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Text within the given limits. */
export function text(rules: TextRules = {}): Shape<string> {
  return { kind: "text", rules };
}

/** A UUID. */
export function uuid(): Shape<string> {
  return text({ format: "uuid" });
}

/** One of a closed set of words. */
export function choice<const Values extends readonly string[]>(values: Values): Shape<Values[number]> {
  return { kind: "choice", values };
}

/** True or false. */
export function flag(): Shape<boolean> {
  return { kind: "flag" };
}

/** A whole number. */
export function integer(rules: IntegerRules = {}): Shape<number> {
  return { kind: "integer", rules };
}

/** A list of values of one shape. */
export function list<Value>(item: Shape<Value>, rules: ListRules = {}): Shape<Value[]> {
  return { kind: "list", item, rules };
}

/** An object of named fields and no others. In answers, fields that are not named are dropped. */
export function object<Fields extends ShapeFields>(fields: Fields): ObjectShape<Fields> {
  return { kind: "object", fields };
}

/** An object whose further fields are kept as they come, under the names they come with. */
export function openObject<Fields extends ShapeFields>(fields: Fields): ObjectShape<Fields> {
  return { kind: "object", fields, open: true };
}

/** The same shape, or null. */
export function nullable<Value>(shape: Shape<Value>): Shape<Value | null> {
  return { ...shape, nullable: true };
}

/** The same shape, in a field that may be absent. */
export function optional<Value>(shape: Shape<Value>): OptionalShape<Value> {
  return { ...shape, optional: true };
}

/** The name that a field has on the wire. */
export function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
