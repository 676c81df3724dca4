/**
 * The errors of calls: one class for each kind of failure.
 *
 * No error contains the key, the request, or an error of the HTTP library. All texts of the service in them are
 * sanitized.
 */
import type { PermanentCause } from "./connection/connectionErrors";
import type { NoResponse } from "./connection/http";
import { statusText } from "./connection/statuses";
import type { Scope } from "./model";
import type { OperationId } from "./operations";
import type { Effect } from "./retry";

/** The facts that all failures have. */
export interface FailureFacts
  extends Pick<ClientError, "operation" | "attempts" | "effect">,
    Partial<Pick<ClientError, "requestId" | "missingScope">> {
  /** What the call does, as text that "failed" follows, such as `Creating the project`. */
  readonly activity: string;
  /** Where the options of the client come from. */
  readonly sources?: SettingSources | undefined;
}

/** Where options of a client come from, for messages, such as `the environment variable TEAM_KEY`. */
export interface SettingSources {
  readonly apiKey?: string;
  readonly readOnly?: string;
  /** How to check the key, as a further sentence. Default: nothing is advised. */
  readonly check?: string;
  /** What to do if the key was replaced, as a further sentence. Default: nothing is advised. */
  readonly ifReplaced?: string;
}

/** A failed call. All errors of a client's functions are instances of its subclasses. */
export abstract class ClientError extends Error {
  /** The operation that failed, such as `createProject`. */
  readonly operation: OperationId;
  /** How many requests were sent. 0 if the call failed before the first. */
  readonly attempts: number;
  /**
   * The id of the last request, which the service's support can look up: the one that the service has generated for it,
   * if the response shows that, else the one that was sent.
   */
  readonly requestId: string | undefined;
  /** `none` if the call certainly changed nothing in the service, `unknown` if it may have. */
  readonly effect: Effect;
  /** The scope that the operation needs and the key lacks, if the client has read the key's scopes. */
  readonly missingScope: Scope | undefined;
  /** Where the options of the client come from, as far as it knows. */
  readonly sources: SettingSources;

  constructor(facts: FailureFacts, reason: string) {
    const { operation, activity, attempts, requestId, effect, missingScope, sources = {} } = facts;
    const after = attempts > 1 ? ` after ${attempts} attempts` : "";
    const request = requestId === undefined ? "" : ` (request ${requestId})`;
    super(`${activity} failed${after}: ${reason}${request}.`);
    this.operation = operation;
    this.attempts = attempts;
    this.requestId = requestId;
    this.effect = effect;
    this.missingScope = missingScope;
    this.sources = sources;
  }

  override get name(): string {
    return this.constructor.name;
  }
}

/** The content of an error response. All texts are sanitized. */
export interface Refusal
  extends Pick<ServiceError, "status" | "messages">,
    Partial<Pick<ServiceError, "code">> {}

/** The service responded with an error. */
export class ServiceError extends ClientError {
  /** The HTTP status. */
  readonly status: number;
  /** The texts of the `message` field, without empty ones. */
  readonly messages: readonly string[];
  /** The `error` field, if any. */
  readonly code: string | undefined;

  constructor(facts: FailureFacts, { status, messages, code }: Refusal) {
    super(facts, [statusText(status), ...messages.map((word) => `"${word}"`)].join(", "));
    this.status = status;
    this.messages = messages;
    this.code = code;
  }
}

/** 400: the request is malformed or invalid, or refers to objects that do not belong together. */
export class BadRequestError extends ServiceError {}

/** 401: the key is missing, unknown or revoked. */
export class AuthenticationError extends ServiceError {}

/** 403: the organization is blocked, a scope is missing, or the project's plan does not include the feature. */
export class ForbiddenError extends ServiceError {}

/** 404: the object does not exist in the key's organization. */
export class NotFoundError extends ServiceError {}

/** 409: the name is already used, something depends on the object, or its state does not allow the operation. */
export class ConflictError extends ServiceError {}

/** 429: still rate-limited after all retries. */
export class RateLimitError extends ServiceError {}

/** 5xx: the service, or a provider behind it, failed. */
export class UpstreamError extends ServiceError {}

/** The connection failed, or was closed before the response was complete. */
export class ConnectionError extends ClientError {
  /** A cause that a retry cannot fix, if any. */
  readonly permanentCause: PermanentCause | undefined;

  constructor(
    facts: FailureFacts,
    { reason, permanentCause }: Pick<NoResponse, "reason" | "permanentCause">,
  ) {
    super(facts, reason);
    this.permanentCause = permanentCause;
  }
}

/** No complete response arrived in time. */
export class TimeoutError extends ClientError {}

/** The call was cancelled by its signal, or the client was closed. */
export class CancelledError extends ClientError {}

/** The response has a success status, but its status, content or object is not the expected one. */
export class InvalidResponseError extends ClientError {
  /** The problems, each with the name of the field on the wire. */
  readonly problems: readonly string[];

  constructor(facts: FailureFacts, { status, problems }: { status: number; problems: readonly string[] }) {
    const shown = problems.slice(0, MAX_PROBLEMS_SHOWN);
    if (problems.length > shown.length) shown.push(`and ${problems.length - shown.length} more`);
    super(facts, `${statusText(status)}, but the response is invalid: ${shown.join(", ")}`);
    this.problems = problems;
  }
}

/**
 * An error status that did not come from the service, but from a proxy, a firewall or another server. It proves neither
 * that an object was deleted nor that a write had no effect.
 */
export class UnrecognizedResponseError extends ClientError {
  /** The HTTP status. */
  readonly status: number;
  /** Why the response is not one of the service. */
  readonly problems: readonly string[];

  constructor(facts: FailureFacts, { status, problems }: { status: number; problems: readonly string[] }) {
    super(facts, `${statusText(status)}, but not from the service: ${problems.join(", ")}`);
    this.status = status;
    this.problems = problems;
  }
}

/** The response was a redirect. Redirects are not followed, because the key would be sent to another server. */
export class RedirectError extends ClientError {
  /** The HTTP status. */
  readonly status: number;

  constructor(facts: FailureFacts, { status, location }: { status: number; location: string | undefined }) {
    const target = location === undefined ? "" : ` to "${location}"`;
    super(facts, `${statusText(status)}, a redirect${target}, which is not followed`);
    this.status = status;
  }
}

/** The client is read-only: nothing was sent. */
export class ReadOnlyError extends ClientError {
  constructor(facts: FailureFacts) {
    super(facts, "the client is read-only, so nothing was sent");
  }
}

const MAX_PROBLEMS_SHOWN = 5;
