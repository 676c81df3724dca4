/** Converts the outcome of a request to a value or an error. Only the service's own form counts: see docs/internals/service.md. */
import { isUuid } from "../values/uuid";
import { parseResponse } from "../values/wire";
import { type HttpOutcome, type HttpResponse, MAX_RESPONSE_BYTES, type Method } from "./connection/http";
import * as errors from "./errors";
import { type Operation, partsOf } from "./operations";
import type { RequestValues } from "./requestFor";
import type { Sanitizer } from "./sanitized";

/** A value, or a function that creates the error when the facts of the call are known. */
export type Result =
  | { readonly ok: true; readonly value: unknown; readonly response: HttpResponse }
  | {
      readonly ok: false;
      /** The response, unless something other than the service may have sent it. */
      readonly response?: HttpResponse;
      error(facts: errors.FailureFacts): errors.ClientError;
    };

const MAX_TEXTS = 10;

/** The status of a success where it is not 200, for methods. An operation can have another one. */
const SUCCESSES: Partial<Readonly<Record<Method, number>>> = { POST: 201, DELETE: 204 };

export interface ResultContext {
  readonly operation: Operation;
  readonly values: RequestValues;
  readonly sanitized: Sanitizer;
}

export function resultOf(outcome: HttpOutcome, context: ResultContext): Result {
  switch (outcome.kind) {
    case "response":
      return responseResult(outcome, context);
    case "failure":
      return failed(
        (facts) =>
          new errors.ConnectionError(facts, { ...outcome, reason: context.sanitized(outcome.reason) }),
      );
    case "timeout":
      return failed((facts) => new errors.TimeoutError(facts, outcome.reason));
    case "cancellation":
      return failed((facts) => new errors.CancelledError(facts, outcome.reason));
  }
}

function responseResult(response: HttpResponse, context: ResultContext): Result {
  const { operation, values, sanitized } = context;
  const { status } = response;
  if (status >= 400) return errorResult(response, context);
  if (status >= 300) {
    const location = response.header("location");
    const shown = location === undefined ? undefined : sanitized(location);
    return failed((facts) => new errors.RedirectError(facts, { status, location: shown }));
  }
  const unreadable = (problems: readonly string[]) =>
    failed(
      (facts) => new errors.InvalidResponseError(withIdOf(response, context, facts), { status, problems }),
    );
  // No other success comes from the service. A firewall, for example, may respond to a deletion with a page.
  const { success = SUCCESSES[partsOf(operation).method] ?? 200 } = operation;
  if (status !== success) return unreadable([`its status must be ${success}`]);
  if (operation.response === undefined) return { ok: true, value: undefined, response };
  const content = jsonIn(response, sanitized);
  if (content.problem !== undefined) return unreadable([content.problem]);
  const parsed = parseResponse(operation.response, content.json);
  if (!parsed.ok) return unreadable(parsed.problems);
  const contradictions = contradictionsIn(operation, values, parsed.value);
  if (contradictions.length > 0) return unreadable(contradictions);
  const { unwrap } = operation;
  const value = unwrap === undefined ? parsed.value : (parsed.value as Fields)[unwrap];
  return { ok: true, value, response };
}

function failed(error: (facts: errors.FailureFacts) => errors.ClientError): Result {
  return { ok: false, error };
}

/** The service sends errors as ErrorResponse of openapi.yaml, with the request id that was sent or one that it generated. */
function errorResult(response: HttpResponse, context: ResultContext): Result {
  const { sanitized } = context;
  const { status } = response;
  const content = jsonIn(response, sanitized);
  const { statusCode, message, error } = Object(content.json) as Record<string, unknown>;
  const texts = [message].flat();
  const problems =
    content.problem !== undefined
      ? [content.problem]
      : [
          ...(statusCode === status ? [] : [`statusCode is not ${status}`]),
          ...(texts.every(isText) ? [] : ["message is not text"]),
          ...(error == null || isText(error) ? [] : ["error is not text"]),
          ...(idIn(response) ? [] : ["x-request-id is neither the id that was sent nor a UUID"]),
        ];
  if (problems.length > 0)
    return failed((facts) => new errors.UnrecognizedResponseError(facts, { status, problems }));
  const messages = texts
    .slice(0, MAX_TEXTS)
    .map((text) => sanitized(String(text)))
    .filter((text) => text !== "");
  const code = isText(error) ? sanitized(error) : undefined;
  const refusal = { status, messages, code };
  const ErrorOfStatus =
    SERVICE_ERRORS[status] ?? (status >= 500 ? errors.UpstreamError : errors.ServiceError);
  return {
    ok: false,
    response,
    error: (facts) => new ErrorOfStatus(withIdOf(response, context, facts), refusal),
  };
}

const SERVICE_ERRORS: Readonly<Record<number, typeof errors.ServiceError>> = {
  400: errors.BadRequestError,
  401: errors.AuthenticationError,
  403: errors.ForbiddenError,
  404: errors.NotFoundError,
  409: errors.ConflictError,
  429: errors.RateLimitError,
};

/** The request id in a response, if the service may have sent it: the id that was sent, or a generated one, both UUIDs. */
function idIn(response: HttpResponse): string | undefined {
  const id = response.header("x-request-id");
  return isUuid(id) ? id : undefined;
}

/** The facts with the request id in the response, by which the service's support can find the request. */
function withIdOf(response: HttpResponse, context: ResultContext, facts: errors.FailureFacts) {
  const id = idIn(response);
  return id === undefined ? facts : { ...facts, requestId: context.sanitized(id) };
}

function jsonIn(response: HttpResponse, sanitized: Sanitizer): { json?: unknown; problem?: string } {
  if (response.body === undefined) return { problem: `it is larger than ${MAX_RESPONSE_BYTES} bytes` };
  if (response.body === "") return { problem: "it is empty" };
  try {
    // The content type is ignored, because services and proxies often set a wrong one. Parsing detects JSON reliably.
    return { json: JSON.parse(response.body) };
  } catch {
    const contentType = response.header("content-type") ?? "";
    // "not JSON but application/json" would contradict itself.
    const instead = contentType === "" || /json/i.test(contentType) ? "" : ` but ${sanitized(contentType)}`;
    return { problem: `it is not JSON${instead}` };
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a response, or of its first such item, that contradict parameters of the path: those of the same name, and the id. */
function contradictionsIn(operation: Operation, values: RequestValues, response: unknown): string[] {
  const { path } = partsOf(operation);
  const { about = /\{(\w+)\}$/.exec(path)?.[1] } = operation;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, name] as const);
  const repeated = about === undefined ? names : [["id", about] as const, ...names];
  for (const object of objectsOf(operation, response)) {
    const others = repeated.filter(([field, parameter]) => contradicts(object[field], values[parameter]));
    if (others.length > 0)
      return others.map(([field]) => `${field} is ${object[field]}, which was not requested`);
  }
  return [];
}

function objectsOf({ unwrap }: Operation, response: unknown): Fields[] {
  const whole = Object(response) as Fields;
  return unwrap === undefined ? [whole, ...itemsIn(whole.links)] : itemsIn(whole[unwrap]);
}

function itemsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map((item) => Object(item) as Fields) : [];
}

/** UUIDs in responses are in canonical form, which is lower case. */
function contradicts(received: unknown, requested: unknown): boolean {
  return typeof received === "string" && received !== String(requested).toLowerCase();
}
