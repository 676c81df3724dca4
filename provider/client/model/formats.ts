/** The formats of text and the fields that several objects share. */
import { z } from "zod";

/** A UUID of any version, in lower case. */
export const uuid = z.guid().toLowerCase();

/** An ISO 8601 date and time, as the service sends it. */
export const dateTime = z.iso.datetime({ offset: true });

/** Text that matches a pattern. Messages have the meaning of the pattern. */
export function pattern(regex: RegExp, meaning: string) {
  return z.string().regex(regex).meta({ meaning });
}

/** A URL with a scheme and without white space. The platform's parser would remove white space. */
export const uri = z
  .url()
  .regex(/^[a-z][a-z0-9+.-]*:[^\s\p{Cc}]+$/iu)
  .meta({ meaning: "an absolute URL" });

/** One of these strings, or another one that the service has added since. Editors suggest the known ones. */
export type OrOther<Known extends string> = Known | (string & Record<never, never>);

/** In responses: usually a value of the choice. Requests and declared values allow no others. */
export function orOther<Known extends string>(_choice: z.ZodType<Known>): z.ZodType<OrOther<Known>> {
  return z.string();
}

/** An object that allows no other fields, and whose fields can all be null. */
export function nullable<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  type Nullable = { [Name in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Name]>> };
  const fields = Object.entries(shape).map(([name, field]) => [name, field.nullish()]);
  return z.strictObject(Object.fromEntries(fields) as Nullable);
}

/** The same fields in a response, which has all of them. */
export function present<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  type Present = {
    [Name in keyof Shape]: Shape[Name] extends z.ZodOptional<infer Field> ? Field : Shape[Name];
  };
  const fields = Object.entries(shape).map(([name, field]) => [
    name,
    field instanceof z.ZodOptional ? field.unwrap() : field,
  ]);
  return Object.fromEntries(fields) as Present;
}

/** Every object of the service has these. */
export const identity = {
  /** UUID, in lower case. */
  id: uuid,
  /** When it was created, as an ISO 8601 date and time. */
  createdAt: dateTime,
};

/** The parents of an object in a project. */
export const parents = {
  /** UUID of the organization that owns the project, in lower case. */
  organizationId: uuid,
  /** UUID of the project, in lower case. */
  projectId: uuid,
};

/** When an object was last changed. */
export const lastChange = {
  /** When it was last changed, as an ISO 8601 date and time. */
  updatedAt: dateTime,
};

/** The same, of objects that may not have been changed since their creation. */
export const lastChangeIfAny = {
  /** When it was last changed, as an ISO 8601 date and time; null if never. */
  updatedAt: dateTime.nullable(),
};
