/** Adds to the errors of the client what to do next. */
import {
  AuthenticationError,
  BadRequestError,
  ClientError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InvalidResponseError,
  NotFoundError,
  RateLimitError,
  ReadOnlyError,
  RedirectError,
  TimeoutError,
  UnrecognizedResponseError,
} from "../client/errors";
import { UserError } from "../errors";

/** Converts an error of the client to one for users. Other errors are returned unchanged. */
export function explain(error: unknown): Error {
  if (error instanceof ClientError)
    return new UserError(`${error.message}\n${nextStep(error)}`, { cause: error });
  return error instanceof Error ? error : new UserError(String(error));
}

function nextStep(error: ClientError): string {
  const { sources, missingScope } = error;
  const { check = "", ifReplaced = "" } = sources;
  const isLookup = error.operation === "getCurrentApiCredential";
  if (error instanceof AuthenticationError) {
    const source = sources.apiKey === undefined ? "" : ` The key comes from ${sources.apiKey}.`;
    return `The service does not know the API key, or it was revoked.${source} Set a valid key of the service at apiUrl.${ifReplaced}${check}`;
  }
  if (error instanceof ForbiddenError && missingScope !== undefined)
    return `The API key lacks the scope ${missingScope}, which this needs. Use a key that has it: scopes are chosen when a key is created.${check}`;
  if (error instanceof ForbiddenError && isLookup)
    return `The API key is valid, but its organization is blocked. Use a key of another one.${check}`;
  if (error instanceof ForbiddenError)
    return error.operation === "createCustomDomain"
      ? "The project may lack the Pro entitlement that custom domains need, or the organization may be blocked."
      : "The organization may be blocked, or the service may forbid this operation.";
  if (error instanceof NotFoundError && isLookup)
    return "The service has no API at this URL. Check the host and the path in apiUrl.";
  if (error instanceof NotFoundError)
    return error.operation.startsWith("create")
      ? "Check its projectId: the organization of the API key has no such project."
      : "Run `pulumi refresh`: it removes the object from the state if it was deleted.";
  if (error instanceof ReadOnlyError)
    return `Read-only mode is turned on by ${sources.readOnly ?? "readOnly"}. Turn it off to deploy.`;
  if (error instanceof BadRequestError && /^(create|update)/.test(error.operation))
    return "Correct in the program what the service rejects.";
  if (error instanceof ConflictError)
    return "Something else in the service conflicts with it; see the message above.";
  if (error instanceof RateLimitError) return "Rate limit reached. Run this again later.";
  if (error instanceof ConnectionError && error.permanentCause !== undefined)
    return PERMANENT_CAUSES[error.permanentCause];
  if (error instanceof ConnectionError || error instanceof TimeoutError)
    return "Check apiUrl, the network, and the proxy if there is one, then run this again.";
  if (error instanceof UnrecognizedResponseError || error instanceof RedirectError)
    return "Something other than the service responded, such as a proxy or a firewall, so nothing is known about the object. Check apiUrl, the network, and the proxy if there is one, then run this again.";
  if (error instanceof InvalidResponseError)
    return "Something other than the service may have responded. Check apiUrl, the network, and the proxy if there is one. If the service responded, report the request id to its support.";
  return "Run this again. If it persists, report the request id to the service's support.";
}

const PERMANENT_CAUSES: Readonly<Record<NonNullable<ConnectionError["permanentCause"]>, string>> = {
  certificate:
    "The server at apiUrl has no certificate that this machine trusts, so nothing was sent. Check apiUrl. If a private authority issued the certificate, such as that of a proxy that inspects TLS, set NODE_EXTRA_CA_CERTS to the file of the authority.",
  tls: "The server does not speak TLS, so nothing was sent. Check the scheme and the port of apiUrl and, if there is a proxy, of HTTPS_PROXY.",
  proxy:
    "Nothing was sent to the service. Check HTTPS_PROXY with its user name and password, and whether the proxy allows the host of apiUrl.",
};

/** Runs an operation and converts its errors with {@link explain}. */
export async function explained<Value>(operation: () => Promise<Value>): Promise<Value> {
  try {
    return await operation();
  } catch (error) {
    throw explain(error);
  }
}
