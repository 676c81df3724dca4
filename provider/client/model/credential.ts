/** The credential of an API key, and its scopes. */
import { z } from "zod";
import { orOther, uuid } from "./formats";

export const scope = z.enum([
  "projects:read",
  "projects:write",
  "applications:read",
  "applications:write",
  "domains:read",
  "domains:write",
  "links:read",
  "links:write",
]);
/** A scope of a credential. A write scope does not include the read scope. */
export type Scope = z.infer<typeof scope>;

export const currentApiCredential = z.object({
  /** UUID of the credential, in lower case. */
  id: uuid,
  /** UUID of the organization that the credential belongs to, in lower case. */
  organizationId: uuid,
  /** The first 6 characters of the key, which help to recognize it. */
  keyPrefix: z.string().min(6).max(6),
  /** The scopes of the credential. The service may add others. */
  scopes: z.array(orOther(scope)),
});
/** The credential of the key that a request was sent with. */
export interface CurrentApiCredential extends z.infer<typeof currentApiCredential> {}
