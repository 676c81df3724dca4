// The operation on the credential itself.
import { credentialOnWire } from "../wire";
import { type Handler, ok } from "./call";

export const getCurrentApiCredential: Handler = ({ credential }) => ok(credentialOnWire(credential));
