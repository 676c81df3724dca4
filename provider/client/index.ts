/**
 * A client for all 30 operations of the service's HTTP API, for your own programs.
 *
 * @example
 * import { createClient, NotFoundError } from "pulumi-dynamiclink/client";
 */
import "../requireNode";

export {
  type Client,
  createClient,
  type OperationFunction,
  type OperationFunctions,
} from "./client";
export type { Method } from "./connection/http";
export {
  AnswerError,
  AuthenticationError,
  BadRequestError,
  CancelledError,
  ClientError,
  ConflictError,
  ConnectionError,
  type FailureFacts,
  ForbiddenError,
  ForeignAnswerError,
  NotFoundError,
  RateLimitError,
  ReadOnlyError,
  RedirectError,
  type Refusal,
  ServiceError,
  type SettingSources,
  TimeoutError,
  UpstreamError,
} from "./errors";
export type * from "./model";
export type { BodyMaker, CallBounds, OperationAnswer, OperationId, OperationRequest } from "./operations";
export {
  type Attempt,
  type CallOptions,
  type ClientOptions,
  type Clock,
  DEFAULT_BUDGET_MS,
  DEFAULT_TIMEOUT_MS,
  type Retry,
} from "./options";
export type { Effect } from "./retry";
