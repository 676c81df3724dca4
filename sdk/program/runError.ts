import * as pulumi from "@pulumi/pulumi";

/** Creates an error of which the engine prints only the message: see docs/internals/sdk.md#program-errors. */
export function runError(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  delete error.stack;
  // Pulumi adds the property that it serializes, each time again.
  Object.defineProperty(error, "message", { get: () => message, set() {} });
  return error;
}
