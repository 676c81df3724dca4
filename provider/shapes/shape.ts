/**
 * Shapes: what a value may be, stated once as plain data.
 *
 * Types, checks, wire mapping and documentation are projections of a shape. The module imports nothing, so a
 * program that only names resources pays for no validator, and no validator's types reach a user's editor.
 */

/** What a value of type `Value` may be. */
export interface Shape<out Value = unknown> {
  readonly kind: "text" | "choice" | "flag" | "integer" | "list" | "object" | "variants";
  /** The field may be absent. */
  readonly optional?: boolean;
  /** The value may be null. */
  readonly nullable?: boolean;
  /** What the value must satisfy besides its kind. */
  readonly rules?: TextRules & IntegerRules & ListRules & ObjectRules;
  /** The words that a choice is among. */
  readonly values?: readonly string[];
  /** What each item of a list is. */
  readonly item?: Shape;
  /** The fields of an object, by their name in camelCase. */
  readonly fields?: ShapeFields;
  /** Further fields of the object are kept as they come. */
  readonly open?: boolean;
  /** The field whose word tells the variants apart. */
  readonly tag?: string;
  /** The objects that the value is one of. */
  readonly variants?: readonly ObjectShape[];
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
  /** A format that needs more than a pattern, or that gives the text a canonical form. */
  readonly format?: TextFormat;
  readonly pattern?: RegExp;
  /** What the pattern asks for, in words that follow "must be". */
  readonly meaning?: string;
}

/** The formats of text. */
export type TextFormat = "uuid" | "uri" | "dateTime" | "hostname";

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

/** What an object must satisfy. */
export interface ObjectRules {
  readonly minProperties?: number;
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
export function object<Fields extends ShapeFields>(
  fields: Fields,
  rules: ObjectRules = {},
): ObjectShape<Fields> {
  return { kind: "object", fields, rules };
}

/** An object whose further fields are kept as they come, under the names they come with. */
export function openObject<Fields extends ShapeFields>(fields: Fields): ObjectShape<Fields> {
  return { kind: "object", fields, open: true };
}

/** One of several objects, told apart by the word in the field `tag`, which each of them has. */
export function variants<const Shapes extends readonly ObjectShape[]>(
  tag: string,
  shapes: Shapes,
): Shape<ValueOf<Shapes[number]>> {
  return { kind: "variants", tag, variants: shapes };
}

/** Null and nothing else. */
export function nothing(): Shape<null> {
  return nullable(choice([]));
}

/** The same shape, or null. */
export function nullable<Value>(shape: Shape<Value>): Shape<Value | null> {
  return { ...shape, nullable: true };
}

/** The same shape, in a field that may be absent. */
export function optional<Value>(shape: Shape<Value>): OptionalShape<Value> {
  return { ...shape, optional: true };
}

/** The fields of an object when those of the given names must be there and must not be null. */
export type RequiredFields<Fields, Names> = {
  [Name in keyof Fields]: Name extends Names ? Shape<NonNullable<ValueOf<Fields[Name]>>> : Fields[Name];
};

/** The same object when the named fields must be there and must not be null. */
export function withRequired<
  Fields extends ShapeFields,
  const Names extends readonly (keyof Fields & string)[],
>(shape: ObjectShape<Fields>, names: Names): ObjectShape<RequiredFields<Fields, Names[number]>> {
  const fields = mapFields(shape.fields, (field, name) => {
    if (!names.includes(name)) return field;
    const { optional: _optional, nullable: _nullable, ...rest } = field;
    return rest;
  });
  return { ...shape, fields } as unknown as ObjectShape<RequiredFields<Fields, Names[number]>>;
}

/** The fields of an object when each of them may be absent. */
export type OptionalFields<Fields> = { [Name in keyof Fields]: OptionalShape<ValueOf<Fields[Name]>> };

/** The same object when each field may be absent, though not all of them at once. */
export function someOf<Fields extends ShapeFields>(
  shape: ObjectShape<Fields>,
): ObjectShape<OptionalFields<Fields>> {
  const fields = mapFields(shape.fields, optional);
  return { ...shape, fields, rules: { minProperties: 1 } } as unknown as ObjectShape<OptionalFields<Fields>>;
}

function mapFields(fields: ShapeFields, map: (field: Shape, name: string) => Shape): ShapeFields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field, name)]));
}

/** The name that a field has on the wire. */
export function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
