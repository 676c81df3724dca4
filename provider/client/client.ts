/** The client: one function per operation, with deadlines, retries and typed errors. */

import { randomUUID } from "node:crypto";
import { validateHeaderValue } from "node:http";
import { setTimeout } from "node:timers/promises";
import { SERVICE_NAME } from "../service";
import {
  CancelledError,
  type ClientError,
  type FailureFacts,
  ReadOnlyError,
  type SettingSources,
  statusText,
  TimeoutError,
} from "./errors";
import { connectTo, type HttpOutcome, type HttpResponse, MAX_CONNECTIONS } from "./http";
import type { CurrentApiCredential, Link, LinkPage } from "./model";
import {
  type BodyMaker,
  type CallBounds,
  type Operation,
  type OperationAnswer,
  type OperationId,
  type OperationRequest,
  operations,
} from "./operations";
import { cursorCheck } from "./pages";
import { fillIn, type RequestValues, requestFor } from "./requestFor";
import { requestLimit } from "./requestLimit";
import { resultOf } from "./resultOf";
import { backoffMs, decideRetry, type Effect, effectOf, type Outcome, retryAfterMs } from "./retry";
import { type SanitizerOptions, sanitizedIn, sanitizerWithout } from "./sanitized";

/** Options of {@link createClient}. */
export interface ClientOptions {
  /** URL of the service: http or https, without credentials, query and fragment. */
  readonly apiUrl: string;
  /** The API key. It is sent only to `apiUrl`, and never shown. */
  readonly apiKey: string;
  /** Refuse all writes before anything is sent. Default: false. */
  readonly readOnly?: boolean | undefined;
  /** Where the key and read-only mode come from; the errors that are about them have it. Default: not known. */
  readonly sources?: SettingSources | undefined;
  /** Timeout of one attempt, in milliseconds. Default: 30 000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Time limit for all attempts of a call and the waits between them, in milliseconds. Waiting until other calls have
   * been answered, because only a limited number of requests is sent at a time, does not count. Default: 120 000.
   */
  readonly budgetMs?: number | undefined;
  /** The clock, for tests. Default: the system's. */
  readonly clock?: Clock | undefined;
  /** Returns a number from 0 to below 1, for tests. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** The User-Agent header. Default: the name of this package. */
  readonly userAgent?: string | undefined;
  /** Called before each retry of any call. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Called after each attempt. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
  /**
   * Called before each attempt of a request that may write, when it can be sent. Returns why it must not be sent, such
   * as `Pulumi's engine has ended`; undefined if it may be. Default: all may be sent.
   */
  readonly beforeWrite?: (() => Promise<string | undefined>) | undefined;
}

/** The clock of a client. */
export interface Clock {
  /** The current time, in milliseconds since the epoch. */
  now(): number;
  /** Waits for the given milliseconds, or until the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Options of a single call. */
export interface CallOptions extends CallBounds {
  /** Stops the call before its next attempt. One that was sent ends, unless `signal` aborts. */
  readonly stop?: AbortSignal | undefined;
  /** Timeout of one attempt, in milliseconds, if it is shorter than that of the client. */
  readonly timeoutMs?: number | undefined;
  /** The maximum number of attempts, at most 6. Default: 6. */
  readonly maxAttempts?: number | undefined;
  /** Called with the id of each attempt when it is sent. */
  readonly onRequest?: ((requestId: string) => void) | undefined;
  /** Called before each retry. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

/** Describes an attempt that has ended. It contains no body and no header. */
export interface Attempt {
  readonly operation: OperationId;
  /** What the call does, such as `Reading project <uuid>`. */
  readonly activity: string;
  readonly method: string;
  /** Path of the request, with its query. */
  readonly path: string;
  readonly requestId: string;
  /** Number of the attempt, starting at 1. */
  readonly attempt: number;
  /** When it was sent, in milliseconds since the epoch. */
  readonly startMs: number;
  readonly durationMs: number;
  /** The status of the response; undefined if there was none. */
  readonly status?: number;
  /** Why there was no response, such as `connect ECONNREFUSED`. */
  readonly reason?: string;
}

/** Describes a retry. */
export interface Retry {
  readonly operation: OperationId;
  /** What the call does, such as `Reading project <uuid>`. */
  readonly activity: string;
  /** Number of the attempt that failed, starting at 1. */
  readonly attempt: number;
  /** How long the client waits before the next attempt, in milliseconds. */
  readonly waitMs: number;
  /** Why the attempt failed, such as `503 Service Unavailable`. */
  readonly reason: string;
}

/** The function of one operation. The request is optional if nothing in it is required. */
export type OperationFunction<Id extends OperationId> = (
  ...call: Record<string, never> extends OperationRequest<Id>
    ? [request?: OperationRequest<Id>, options?: CallOptions]
    : [request: OperationRequest<Id>, options?: CallOptions]
) => Promise<OperationAnswer<Id>>;

/** The functions of all operations. If a call fails, it throws a `ClientError`. */
export type OperationFunctions = { readonly [Id in keyof typeof operations]: OperationFunction<Id> };

/** A client of the service. */
export interface Client extends OperationFunctions {
  /** Reads all links of a project. Pages are requested when they are needed. Needs links:read. */
  eachProjectLink(
    request: EachRequest<"listProjectLinks">,
    options?: CallOptions,
  ): AsyncGenerator<Link, void>;
  /** Reads all links of a custom domain. Pages are requested when they are needed. Needs links:read. */
  eachCustomDomainLink(
    request: EachRequest<"listCustomDomainLinks">,
    options?: CallOptions,
  ): AsyncGenerator<Link, void>;
  /**
   * The current time of the service's clock: the `Date` header of the last response plus the time since then. It may be
   * late by up to a second and the transfer time of the response. Undefined before the first response with a date.
   */
  serviceTime(): Date | undefined;
  /**
   * A copy of a response for use in messages: every text in it is on one line, is truncated to 300 characters, and
   * contains no control characters and no key. With `whole`, its texts keep their length and all spaces, for values that
   * people copy.
   */
  sanitized<Value>(response: Value, options?: SanitizerOptions): Value;
  /** Waits for pending requests and closes the connections. Later calls fail with a `CancelledError`. */
  close(): Promise<void>;
}

/** A request for a list without its cursor. `limit` is the size of a page. */
export type EachRequest<Id extends "listProjectLinks" | "listCustomDomainLinks"> = Omit<
  OperationRequest<Id>,
  "cursor"
>;

/** The default timeout of one attempt. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** The default time limit of a call. It allows for one maximum Retry-After and several attempts. */
export const DEFAULT_BUDGET_MS = 120_000;

/** The system's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, signal && { signal }),
};

/**
 * Creates a client. It connects on the first call.
 *
 * @throws TypeError if `apiUrl` is not a valid URL, if `apiKey` is blank or cannot be sent in a header, or if a proxy
 * is needed and HTTPS_PROXY is not a valid URL.
 *
 * @example
 * const client = createClient({ apiUrl: "https://api.dynamiclink.example", apiKey });
 * const { organizationId } = await client.getCurrentApiCredential();
 * const projects = await client.listProjects({ organizationId });
 * await client.close();
 */
export function createClient(options: ClientOptions): Client {
  const { apiKey, readOnly = false, timeoutMs = DEFAULT_TIMEOUT_MS, budgetMs = DEFAULT_BUDGET_MS } = options;
  const { clock = systemClock, random = Math.random, userAgent = `pulumi-${SERVICE_NAME}` } = options;
  const { beforeWrite } = options;
  const { origin, basePath } = splitUrl(options.apiUrl);
  if (apiKey.trim() === "") throw new TypeError("apiKey must not be blank.");
  validateHeaderValue("apiKey", apiKey);
  validateHeaderValue("userAgent", userAgent);
  const sanitized = sanitizerWithout(apiKey);
  const sanitizedWhole = sanitizerWithout(apiKey, { whole: true });
  const connections = connectTo(origin, timeoutMs);
  const withSlot = requestLimit(MAX_CONNECTIONS);
  let lastDate: { dateMs: number; seenAtMs: number } | undefined;
  let isEchoing = false;
  let scopes: readonly string[] | undefined;
  let closed = false;

  async function call(
    operationId: OperationId,
    values: RequestValues,
    callOptions: CallOptions = {},
    problemOf: (value: unknown) => string | undefined = () => undefined,
  ): Promise<unknown> {
    const operation: Operation = operations[operationId];
    const { method } = operation;
    const activity = fillIn(operation.activity, (name) => sanitized(String(values[name])));
    const { signal, stop, deadline = Infinity, maxAttempts, onRetry } = callOptions;
    const untilSent = signal && stop ? AbortSignal.any([signal, stop]) : (signal ?? stop);
    let endMs = Math.min(clock.now() + budgetMs, deadline);
    let effect: Effect = "none";
    let requestId: string | undefined;
    let failure: ClientError | undefined;
    const facts = (attempts: number): FailureFacts => ({
      operation: operationId,
      activity,
      attempts,
      requestId,
      effect,
      missingScope:
        scopes && operation.scope && !scopes.includes(operation.scope) ? operation.scope : undefined,
      sources: options.sources,
    });

    if (readOnly && method !== "GET") throw new ReadOnlyError(facts(0));
    for (let attempt = 1; ; attempt++) {
      const attemptId = randomUUID();
      const http = await send(attempt, attemptId);
      const context = { operation, values, requestId: attemptId, isEchoing, sanitized, problemOf };
      const result = resultOf(http, context);
      // A response of something other than the service has another clock, and shows nothing about the service.
      if (http.kind === "response" && (result.ok || !result.notFromService)) {
        noteDate(http);
        // A success shows nothing: what adds its id may not be what responds with an error.
        isEchoing ||= !result.ok && http.header("x-request-id") === attemptId;
      }
      if (result.ok) {
        if (operationId === "getCurrentApiCredential") ({ scopes } = result.value as CurrentApiCredential);
        return result.value;
      }

      const outcome = outcomeOf(http, result, serviceTimeMs() ?? clock.now());
      if (effectOf(method, attempt, outcome) === "unknown") effect = "unknown";
      failure = result.error(facts(attempt));
      const decision = decideRetry({
        method,
        attempt,
        outcome,
        backoffMs: backoffMs(attempt, random),
        remainingMs: endMs - clock.now(),
        maxAttempts,
      });
      if (!decision.retry || stop?.aborted) throw failure;
      const { waitMs } = decision;
      const retry: Retry = { operation: operationId, activity, attempt, waitMs, reason: retryReason(http) };
      options.onRetry?.(retry);
      onRetry?.(retry);
      await clock.sleep(waitMs, untilSent).catch((error: unknown) => {
        // If a signal has aborted, the next attempt throws.
        if (!untilSent?.aborted) throw error;
      });
    }

    /** Sends one attempt when there is room for it. The time until then does not count. */
    async function send(attempt: number, attemptId: string): Promise<HttpOutcome> {
      requireOpen(attempt - 1);
      const { path, body } = requestFor(operation, await withBody(values, { signal, deadline: endMs }));
      const readyMs = clock.now();
      return await withSlot(async () => {
        const objection = method === "GET" ? undefined : await beforeWrite?.();
        if (objection !== undefined)
          throw new CancelledError(
            facts(attempt - 1),
            `${objection}, so it was not sent${attempt > 1 ? " again" : ""}`,
          );
        requireOpen(attempt - 1);
        const startMs = clock.now();
        endMs = Math.min(endMs + startMs - readyMs, deadline);
        const leftMs = endMs - startMs;
        if (leftMs <= 0)
          throw failure ?? new TimeoutError(facts(0), "the deadline had passed before it was sent");
        requestId = attemptId;
        callOptions.onRequest?.(attemptId);
        const http = await connections.exchange({
          method,
          path: basePath + path,
          headers: headersFor(attemptId, body),
          body,
          timeoutMs: Math.min(timeoutMs, callOptions.timeoutMs ?? Infinity, leftMs),
          signal,
        });
        options.onAttempt?.({
          operation: operationId,
          activity,
          method,
          path: sanitized(basePath + path),
          requestId: attemptId,
          attempt,
          startMs,
          durationMs: clock.now() - startMs,
          ...(http.kind === "response" ? { status: http.status } : { reason: sanitized(http.reason) }),
        });
        return http;
      });
    }

    function requireOpen(attempts: number): void {
      if (closed) throw new CancelledError(facts(attempts), "the client is closed");
      if (stop?.aborted && failure !== undefined) throw failure;
      if (untilSent?.aborted) throw new CancelledError(facts(attempts), "cancelled");
    }
  }

  function headersFor(requestId: string, body: string | undefined): Record<string, string> {
    return {
      accept: "application/json",
      "accept-encoding": "identity",
      "user-agent": userAgent,
      "x-api-key": apiKey,
      "x-request-id": requestId,
      ...(body !== undefined && { "content-type": "application/json" }),
    };
  }

  async function* eachLink(
    operationId: "listProjectLinks" | "listCustomDomainLinks",
    values: RequestValues,
    callOptions?: CallOptions,
  ): AsyncGenerator<Link, void> {
    const problemOfCursor = cursorCheck();
    const problemOf = (page: unknown) => {
      const { nextCursor } = page as LinkPage;
      return nextCursor === null ? undefined : problemOfCursor(nextCursor);
    };
    let cursor: string | null = null;
    do {
      const page = (await call(operationId, { ...values, cursor }, callOptions, problemOf)) as LinkPage;
      yield* page.links;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  function retryReason(http: HttpOutcome): string {
    return http.kind === "response" ? statusText(http.status) : sanitized(http.reason);
  }

  function noteDate(response: HttpResponse): void {
    const dateMs = dateOf(response);
    if (dateMs !== undefined) lastDate = { dateMs, seenAtMs: performance.now() };
  }

  // performance.now() is monotonic: the system's clock may be changed while the process runs.
  function serviceTimeMs(): number | undefined {
    return lastDate && lastDate.dateMs + performance.now() - lastDate.seenAtMs;
  }

  const functions = Object.fromEntries(
    (Object.keys(operations) as OperationId[]).map((operationId) => [
      operationId,
      (values: RequestValues = {}, callOptions?: CallOptions) => call(operationId, values, callOptions),
    ]),
  ) as unknown as OperationFunctions;
  return {
    ...functions,
    eachProjectLink: (request, callOptions) => eachLink("listProjectLinks", request, callOptions),
    eachCustomDomainLink: (request, callOptions) => eachLink("listCustomDomainLinks", request, callOptions),
    serviceTime() {
      const nowMs = serviceTimeMs();
      return nowMs === undefined ? undefined : new Date(nowMs);
    },
    sanitized: (response, { whole = false } = {}) =>
      sanitizedIn(response, whole ? sanitizedWhole : sanitized),
    async close() {
      if (closed) return;
      closed = true;
      await connections.close();
    },
  };
}

async function withBody(values: RequestValues, bounds: CallBounds): Promise<RequestValues> {
  const { body } = values;
  return typeof body === "function"
    ? { ...values, body: await (body as BodyMaker<unknown>)(bounds) }
    : values;
}

function outcomeOf(
  http: HttpOutcome,
  { notFromService }: { readonly notFromService: boolean },
  nowMs: number,
): Outcome {
  if (http.kind !== "response") return http;
  const waitMs = retryAfterMs(http.header("retry-after"), dateOf(http) ?? nowMs);
  return { kind: "response", status: http.status, retryAfterMs: waitMs, notFromService };
}

/** When a response was sent, in milliseconds since the epoch, by the sender's clock. */
function dateOf(response: HttpResponse): number | undefined {
  const dateMs = Date.parse(response.header("date") ?? "");
  return Number.isNaN(dateMs) ? undefined : dateMs;
}

/** Splits a base URL. The message never contains the URL, because it may contain a password. */
function splitUrl(apiUrl: string): { origin: string; basePath: string } {
  const url = URL.canParse(apiUrl) ? new URL(apiUrl) : undefined;
  const usable =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    `${url.username}${url.password}${url.search}${url.hash}` === "";
  if (!usable) {
    throw new TypeError("apiUrl must be an http or https URL without credentials, query and fragment.");
  }
  return { origin: url.origin, basePath: url.pathname.replace(/\/+$/, "") };
}
