/** Converts errors to the form that Pulumi's dynamic-provider host expects. */
import { NotReadyError, UserError } from "../../errors";
import type { Properties } from "../../lifecycle/properties";
import { SERVICE_NAME } from "../../service";

/**
 * Runs an operation and converts its errors: to one line on the stack, see docs/internals/dynamic-host.md#error-form, and to
 * a resource that is saved as not ready, see docs/internals/dynamic-host.md#not-ready.
 *
 * @param saved the host's own properties, added to the state of a resource that is not ready.
 */
export async function inHostForm<Value>(saved: Properties, operation: () => Promise<Value>): Promise<Value> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof NotReadyError) {
      const { uuid: id, state, reasons } = error;
      throw Object.assign(shortened(error), {
        id,
        properties: { ...state, ...saved },
        reasons: [...reasons],
      });
    }
    throw error instanceof UserError ? shortened(error) : error;
  }
}

function shortened({ message, cause }: UserError): Error {
  const error = new Error(message, { cause });
  Object.defineProperties(error, {
    name: { value: "UserError" },
    stack: { value: "an operation failed, see the error on its resource" },
    toString: { value: () => SERVICE_NAME },
  });
  return error;
}
