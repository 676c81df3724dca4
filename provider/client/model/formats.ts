/** The formats of text that several objects share. */
import { z } from "zod";

/** A UUID of any version, in lower case. */
export const uuid = z.guid().toLowerCase();

/** An ISO 8601 date and time, as the service sends it. */
export const dateTime = z.iso.datetime({ offset: true });

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
