/**
 * How a call fails: one error class for each kind of failure.
 *
 * No error holds the key, what was sent, or an error of the HTTP library. Every text of the service in them has
 * been made printable before.
 */

import { STATUS_CODES } from "node:http";
import type { OperationId } from "./operations";
import type { Effect } from "./retry";

/** What is known of every failure. */
export interface FailureFacts {
  /** The operation that failed. */
  readonly operation: OperationId;
  /** What was being done, in words that "failed" follows. */
  readonly doing: string;
  /** How many requests were sent. */
  readonly attempts: number;
  /** The id of the last request. */
  readonly requestId?: string | undefined;
  /** Whether the call may have changed something. */
  readonly effect: Effect;
}

/** A call that failed. Every error of a client's functions is one of its subclasses. */
export abstract class ClientError extends Error {
  /** The operation that failed, as in `createProject`. */
  readonly operation: OperationId;
  /** How many requests were sent: 0 when the call failed before the first. */
  readonly attempts: number;
  /** The id of the last request, by which the service's support finds it. */
  readonly requestId: string | undefined;
  /** `none` when the call surely changed nothing at the service; `unknown` when it may have. */
  readonly effect: Effect;

  constructor({ operation, doing, attempts, requestId, effect }: FailureFacts, reason: string) {
    const after = attempts > 1 ? ` after ${attempts} attempts` : "";
    const request = requestId === undefined ? "" : ` (request ${requestId})`;
    super(`${doing} failed${after}: ${reason}${request}.`);
    this.operation = operation;
    this.attempts = attempts;
    this.requestId = requestId;
    this.effect = effect;
  }

  override get name(): string {
    return this.constructor.name;
  }
}

/** What the service answered instead of a success. */
export interface Refusal {
  readonly status: number;
  /** What it said, made printable. */
  readonly words: readonly string[];
  /** Its `error` field, made printable. */
  readonly code?: string | undefined;
}

/** The service answered with an error. */
export class ServiceError extends ClientError {
  /** The HTTP status. */
  readonly status: number;
  /** What the service said: its `message`, one text or several, without empty ones. */
  readonly words: readonly string[];
  /** What the service said in `error`, if anything. */
  readonly code: string | undefined;

  constructor(facts: FailureFacts, { status, words, code }: Refusal) {
    super(facts, [statusText(status), ...words.map((word) => `"${word}"`)].join(", "));
    this.status = status;
    this.words = words;
    this.code = code;
  }
}

/** 400: the request is malformed or invalid, or relates things that do not belong together. */
export class BadRequestError extends ServiceError {}

/** 401: the key is missing, unknown or revoked. */
export class AuthenticationError extends ServiceError {}

/** 403: the organization is blocked, a scope is missing, or the project's plan does not include it. */
export class ForbiddenError extends ServiceError {}

/** 404: there is no such thing, or not in the key's organization. */
export class NotFoundError extends ServiceError {}

/** 409: the name is taken, something depends on it, or its state does not allow it. */
export class ConflictError extends ServiceError {}

/** 429: too many requests, and still too many after waiting. */
export class RateLimitError extends ServiceError {}

/** 5xx: the service, or a provider behind it, failed. */
export class UpstreamError extends ServiceError {}

/** No connection, or it broke before the answer was complete. */
export class ConnectionError extends ClientError {}

/** No complete answer in time. */
export class TimeoutError extends ClientError {}

/** The call was cancelled by its signal, or its client was closed. */
export class CancelledError extends ClientError {}

/** The service reported success, but its answer is not what it must be. */
export class AnswerError extends ClientError {
  /** What is wrong, each by the name of the field on the wire. */
  readonly problems: readonly string[];

  constructor(facts: FailureFacts, { status, problems }: { status: number; problems: readonly string[] }) {
    const shown = problems.slice(0, MAX_PROBLEMS_SHOWN);
    if (problems.length > shown.length) shown.push(`and ${problems.length - shown.length} more`);
    super(facts, `${statusText(status)}, but the answer is not what it must be: ${shown.join(", ")}`);
    this.problems = problems;
  }
}

/**
 * An error status that the service did not send: a proxy, a firewall or another server answered in its place. It
 * proves nothing, neither that an object is gone nor that a write had no effect.
 */
export class ForeignAnswerError extends ClientError {
  /** The HTTP status. */
  readonly status: number;
  /** What shows that the service did not send it. */
  readonly problems: readonly string[];

  constructor(facts: FailureFacts, { status, problems }: { status: number; problems: readonly string[] }) {
    super(facts, `${statusText(status)}, but not from the service: ${problems.join(", ")}`);
    this.status = status;
    this.problems = problems;
  }
}

/** A redirect was answered. None is followed, as it would carry the key elsewhere. */
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

/** The error for a status of 400 or more. */
export function serviceError(facts: FailureFacts, refusal: Refusal): ServiceError {
  return new (serviceErrorClass(refusal.status))(facts, refusal);
}

function serviceErrorClass(status: number): typeof ServiceError {
  switch (status) {
    case 400:
      return BadRequestError;
    case 401:
      return AuthenticationError;
    case 403:
      return ForbiddenError;
    case 404:
      return NotFoundError;
    case 409:
      return ConflictError;
    case 429:
      return RateLimitError;
    default:
      return status >= 500 ? UpstreamError : ServiceError;
  }
}

/** A status with its name, as in `409 Conflict`. */
export function statusText(status: number): string {
  return [status, STATUS_CODES[status]].filter((part) => part !== undefined).join(" ");
}
