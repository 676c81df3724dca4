/**
 * Shapes: plain data that describes which values are allowed.
 *
 * Types, validation, wire mapping and documentation are derived from shapes. The module imports nothing, so a program
 * that only declares resources loads no validator, and no types of a validator are visible in a user's editor.
 */

/** Describes the allowed values of type `Value`. */
export interface Shape<out Value = unknown> {
  readonly kind: "text" | "choice" | "flag" | "integer" | "list" | "object";
  /** The field may be absent. */
  readonly optional?: boolean;
  /** The value may be null. */
  readonly nullable?: boolean;
  /** Limits and formats, in addition to the kind. */
  readonly rules?: TextRules & IntegerRules & ListRules;
  /** The allowed values of a choice. */
  readonly values?: readonly string[];
  /** The shape of each item of a list. */
  readonly item?: Shape;
  /** The fields of an object, by name in camelCase. */
  readonly fields?: ShapeFields;
  /** Additional fields of the object are kept unchanged. */
  readonly open?: boolean;
  /** Exists only in the type. */
  readonly "~value"?: Value;
}

/** The shape of an optional field. */
export interface OptionalShape<out Value = unknown> extends Shape<Value> {
  readonly optional: true;
}

/** A shape with named fields. */
export interface ObjectShape<Fields extends ShapeFields = ShapeFields> extends Shape<FieldValues<Fields>> {
  readonly kind: "object";
  readonly fields: Fields;
}

/** The fields of an object, by name in camelCase. */
export type ShapeFields = { readonly [name: string]: Shape };

/** The TypeScript type that a shape describes. */
export type ValueOf<S> = S extends Shape<infer Value> ? Value : never;

/** The type of an object with these fields. It is written so that the doc comments of the fields are preserved. */
export type FieldValues<Fields> = RequiredValues<Fields, Exclude<keyof Fields, OptionalNames<Fields>>> &
  OptionalValues<Fields, OptionalNames<Fields>>;

type OptionalNames<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { optional: true } ? Name : never;
}[keyof Fields];
type RequiredValues<Fields, Names extends keyof Fields> = { [Name in Names]: ValueOf<Fields[Name]> };
type OptionalValues<Fields, Names extends keyof Fields> = {
  [Name in Names]?: ValueOf<Fields[Name]> | undefined;
};

/** Rules for text. Lengths are in Unicode code points, as in JSON Schema. */
export interface TextRules {
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A format that cannot be expressed as a pattern, or that has a canonical form. */
  readonly format?: TextFormat;
  readonly pattern?: RegExp;
  /** What the pattern requires, as text that follows "must be". */
  readonly meaning?: string;
}

/** The formats of text. */
export type TextFormat = "uuid" | "uri" | "dateTime" | "hostname";

export interface IntegerRules {
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface ListRules {
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Text within the given limits. */
export function text(rules: TextRules = {}): Shape<string> {
  return { kind: "text", rules };
}

export function uuid(): Shape<string> {
  return text({ format: "uuid" });
}

/** One of a fixed set of strings. */
export function choice<const Values extends readonly string[]>(values: Values): Shape<Values[number]> {
  return { kind: "choice", values };
}

/** One of these strings, or another one that the service has added since. Editors suggest the known ones. */
export type OrOther<Known extends string> = Known | (string & Record<never, never>);

/** In responses: usually a value of the choice. Requests and declared values allow no others. */
export function orOther<Known extends string>(_choice: Shape<Known>): Shape<OrOther<Known>> {
  return text();
}

/** True or false. */
export function flag(): Shape<boolean> {
  return { kind: "flag" };
}

export function integer(rules: IntegerRules = {}): Shape<number> {
  return { kind: "integer", rules };
}

/** A list of values of one shape. */
export function list<Value>(item: Shape<Value>, rules: ListRules = {}): Shape<Value[]> {
  return { kind: "list", item, rules };
}

/** An object with these fields and no others. In responses, other fields are dropped. */
export function object<Fields extends ShapeFields>(fields: Fields): ObjectShape<Fields> {
  return { kind: "object", fields };
}

/** An object with these fields and others. The others are kept unchanged, under the names that the service uses. */
export function openObject<Fields extends ShapeFields>(fields: Fields): ObjectShape<Fields> {
  return { kind: "object", fields, open: true };
}

/** The same shape, or null. */
export function nullable<Value>(shape: Shape<Value>): Shape<Value | null> {
  return { ...shape, nullable: true };
}

/** The same shape, as an optional field. */
export function optional<Value>(shape: Shape<Value>): OptionalShape<Value> {
  return { ...shape, optional: true };
}

/** The same shape, as an optional field that may be null. */
export function nullish<Value>(shape: Shape<Value>): OptionalShape<Value | null> {
  return optional(nullable(shape));
}

/** The same fields, of which the named ones are required and not nullable. */
export type RequiredFields<Fields, Names> = {
  [Name in keyof Fields]: Name extends Names ? Shape<NonNullable<ValueOf<Fields[Name]>>> : Fields[Name];
};

/** The same object, whose named fields are required and not nullable. */
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

/** The same fields, all of them optional. */
export type OptionalFields<Fields> = { [Name in keyof Fields]: OptionalShape<ValueOf<Fields[Name]>> };

/** The same object with all fields optional. */
export function partial<Fields extends ShapeFields>(
  shape: ObjectShape<Fields>,
): ObjectShape<OptionalFields<Fields>> {
  return object(mapFields(shape.fields, optional) as OptionalFields<Fields>);
}

function mapFields(fields: ShapeFields, map: (field: Shape, name: string) => Shape): ShapeFields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field, name)]));
}

/** The name of a field on the wire. */
export function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
