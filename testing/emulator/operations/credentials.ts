/** The operation on credentials. */
import { credentialOnWire } from "../wire/wire";
import { type Answer, type Call, ok } from "./call";

export function getCurrentApiCredential({ credential }: Call): Answer {
  return ok(credentialOnWire(credential));
}
