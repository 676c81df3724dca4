import * as errors from "../client/errors";
import { type OperationId, operations } from "../client/operations";
import { UserError } from "../errors";

/** Converts an error of the client to one for users, which says what to do next. Other errors are returned unchanged. */
export function explain(error: unknown): Error {
  if (error instanceof errors.ClientError)
    return new UserError(`${error.message}\n${nextStep(error)}`, { cause: error });
  return error instanceof Error ? error : new UserError(String(error));
}

function nextStep(error: errors.ClientError): string {
  const { operation, missingScope, sources } = error;
  if (error instanceof errors.ForbiddenError && missingScope !== undefined)
    return `The API key lacks the scope ${missingScope}, which this needs. Use a key that has it: scopes are chosen when a key is created.${sources.check ?? ""}`;
  if (error instanceof errors.ConnectionError && error.permanentCause !== undefined)
    return PERMANENT_CAUSES[error.permanentCause];
  const name = error.name as keyof Advice;
  const advice = OF_OPERATION[operation]?.[name] ?? GENERAL[name] ?? REPORT;
  return typeof advice === "string" ? advice : advice(error);
}

/** What to do next, by the classes of errors. */
type Advice = Partial<Record<keyof typeof errors, string | ((error: errors.ClientError) => string)>>;

const REPORT = "Run this again. If it persists, report the request id to the service's support.";
const NETWORK = "Check apiUrl, the network, and the proxy if there is one";
const FOREIGN = `Something other than the service responded, such as a proxy or a firewall, so nothing is known about the object. ${NETWORK}, then run this again.`;
const NO_PROJECT = "Check its projectId: the organization of the API key has no such project.";

/** The advice for operations that the general one does not fit. */
const OF_OPERATION: Readonly<Partial<Record<OperationId, Advice>>> = {
  getCurrentApiCredential: {
    ForbiddenError: ({ sources: { check = "" } }) =>
      `The API key is valid, but its organization is blocked. Use a key of another one.${check}`,
    NotFoundError: "The service has no API at this URL. Check the host and the path in apiUrl.",
  },
  createApplication: { NotFoundError: NO_PROJECT },
  createCustomDomain: {
    ForbiddenError:
      "The project may lack the Pro entitlement that custom domains need, or the organization may be blocked.",
    NotFoundError: NO_PROJECT,
  },
};

/** The advice that fits any operation. */
const GENERAL: Advice = {
  AuthenticationError: ({ sources: { apiKey, ifReplaced = "", check = "" } }) => {
    const source = apiKey === undefined ? "" : ` The key comes from ${apiKey}.`;
    return `The service does not know the API key, or it was revoked.${source} Set a valid key of the service at apiUrl.${ifReplaced}${check}`;
  },
  BadRequestError: ({ operation }) =>
    "body" in operations[operation] ? "Correct in the program what the service rejects." : REPORT,
  ConflictError: "Something else in the service conflicts with it; see the message above.",
  ConnectionError: `${NETWORK}, then run this again.`,
  ForbiddenError: "The organization may be blocked, or the service may forbid this operation.",
  InvalidResponseError: `Something other than the service may have responded. ${NETWORK}. If the service responded, report the request id to its support.`,
  // The path of an operation on an object ends with its id.
  NotFoundError: ({ operation }) =>
    operations[operation].request.endsWith("}")
      ? "Run `pulumi refresh`: it removes the object from the state if it was deleted."
      : "The organization of the API key does not have what this needs. Check the API key and apiUrl.",
  RateLimitError: "Rate limit reached. Run this again later.",
  ReadOnlyError: ({ sources: { readOnly = "readOnly" } }) =>
    `Read-only mode is turned on by ${readOnly}. Turn it off to deploy.`,
  RedirectError: FOREIGN,
  TimeoutError: `${NETWORK}, then run this again.`,
  UnrecognizedResponseError: FOREIGN,
};

const PERMANENT_CAUSES: Readonly<Record<NonNullable<errors.ConnectionError["permanentCause"]>, string>> = {
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
