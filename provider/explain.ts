/** What went wrong, said to the person who runs Pulumi: the client's words, and what to do next. */
import {
  AuthenticationError,
  BadRequestError,
  ClientError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  NotFoundError,
  RateLimitError,
  ReadOnlyError,
  RedirectError,
  TimeoutError,
} from "./client/errors";
import { UserError } from "./userError";

/** The error as users meet it. What is not an error of the client passes as it is. */
export function explain(error: unknown): Error {
  if (error instanceof ClientError) {
    return new UserError([error.message, ...nextStep(error)].join("\n"), { cause: error });
  }
  return error instanceof Error ? error : new UserError(String(error));
}

function nextStep(error: ClientError): string[] {
  if (error instanceof AuthenticationError) {
    return [
      "The API key is missing, unknown or revoked. Check the environment variable or the setting it comes from.",
    ];
  }
  if (error instanceof ForbiddenError) {
    return [
      error.operation === "getCurrentApiCredential"
        ? "The key is known, but may not be used: the organization is blocked."
        : "The organization may be blocked, the key may lack a scope, or the project may lack the Pro entitlement that custom domains need.",
    ];
  }
  if (error instanceof NotFoundError) {
    return [
      "It is gone, or belongs to another organization: check the UUIDs in the program. `pulumi refresh` removes from the state what is surely gone.",
    ];
  }
  if (error instanceof ReadOnlyError) {
    return [
      "readOnly is on: in the program, in the stack's configuration or in the environment. Turn it off to deploy.",
    ];
  }
  if (error instanceof BadRequestError) return ["Correct what the service objects to in the program."];
  if (error instanceof ConflictError)
    return ["Something else in the service stands against it; the words above say what."];
  if (error instanceof RateLimitError)
    return ["The service takes no more requests at the moment. Run this again later."];
  if (error instanceof ConnectionError || error instanceof TimeoutError)
    return ["Check the network, and apiUrl where it is set, then run this again."];
  if (error instanceof RedirectError)
    return ["Something else than the service answers there: check apiUrl, where it is set, and the network."];
  return ["Run this again; if it stays, give the request id to the service's support."];
}
