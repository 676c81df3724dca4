/** What went wrong, said to the person who runs Pulumi: the client's words, and what to do next. */
import {
  AnswerError,
  AuthenticationError,
  BadRequestError,
  ClientError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  ForeignAnswerError,
  NotFoundError,
  RateLimitError,
  ReadOnlyError,
  RedirectError,
  TimeoutError,
} from "../client/errors";
import { UserError } from "./errors";

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
    return ["Something else in the service conflicts with it; the message above says what."];
  if (error instanceof RateLimitError) return ["The rate limit is reached. Run this again later."];
  if (error instanceof ConnectionError || error instanceof TimeoutError)
    return ["Check the network, and apiUrl and the proxy where they are set, then run this again."];
  if (error instanceof ForeignAnswerError || error instanceof RedirectError)
    return [
      "Something other than the service answered, such as a proxy or a firewall, so nothing is known about the object. Check apiUrl where it is set, the proxy and the network, then run this again.",
    ];
  if (error instanceof AnswerError)
    return [
      "Check apiUrl where it is set, the proxy and the network: something other than the service may have answered. If the service did, give the request id to its support.",
    ];
  return ["Run this again; if it persists, give the request id to the service's support."];
}

/** Runs an operation whose errors are meant for users. */
export async function explained<Value>(operation: () => Promise<Value>): Promise<Value> {
  try {
    return await operation();
  } catch (error) {
    throw explain(error);
  }
}
