import { ClientError } from "../../../provider/client";
import { errorOf } from "../../support/values/errorOf";

/** The error that a call of the client fails with. */
export function failureOf(call: Promise<unknown>): Promise<ClientError> {
  return errorOf(call, ClientError);
}
