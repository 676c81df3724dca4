/** The error by which the classes fail a program. */
import * as pulumi from "@pulumi/pulumi";

/** An error of which the engine prints the message alone. */
export function runError(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  delete error.stack;
  return error;
}
