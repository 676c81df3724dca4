/** Errors as Pulumi's dynamic-provider host prints and understands them. */
import { NotReadyError, UserError } from "../../lifecycle/errors";
import type { Properties } from "../../lifecycle/properties";
import { SERVICE_NAME } from "../../session/service";

/**
 * Runs an operation, with its errors in the host's form.
 *
 * The host prints `${error}: ${error.stack}` for the stack before it reports the message on the resource; both are short
 * here, so that one quiet line precedes the message. It takes an error that has an `id` for "created, but not ready",
 * and saves its `properties`.
 *
 * @param saved what the host needs in the state of a resource that is saved as not ready.
 */
export async function inHostForm<Value>(saved: Properties, operation: () => Promise<Value>): Promise<Value> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof NotReadyError) {
      const { uuid: id, state, reasons } = error;
      throw Object.assign(quiet(error), { id, properties: { ...state, ...saved }, reasons: [...reasons] });
    }
    throw error instanceof UserError ? quiet(error) : error;
  }
}

function quiet({ message, cause }: UserError): Error {
  const error = new Error(message, { cause });
  Object.defineProperties(error, {
    name: { value: "UserError" },
    stack: { value: "see the error on the resource" },
    toString: { value: () => SERVICE_NAME },
  });
  return error;
}
