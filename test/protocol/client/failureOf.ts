/** The error that a call of the client fails with. */
import { ClientError } from "../../../provider/client";

export async function failureOf(call: Promise<unknown>): Promise<ClientError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ClientError))
    throw new Error("The call did not fail as expected.", { cause: error });
  return error;
}
