/** The client: one function per operation, with deadlines, retries and typed errors. */

import { randomUUID } from "node:crypto";
import { validateHeaderValue } from "node:http";
import { setTimeout } from "node:timers/promises";
import { SERVICE_NAME } from "../service";
import { connectTo, type HttpOutcome, type HttpRequest, MAX_CONNECTIONS } from "./connection/http";
import { requestLimit } from "./connection/requestLimit";
import { statusText } from "./connection/statuses";
import { CancelledError, type ClientError, type FailureFacts, ReadOnlyError, TimeoutError } from "./errors";
import type { CurrentApiCredential, Link, LinkPage } from "./model";
import { newObservations } from "./observations";
import {
  type BodyMaker,
  type CallBounds,
  type Operation,
  type OperationAnswer,
  type OperationId,
  type OperationRequest,
  operations,
} from "./operations";
import {
  type Attempt,
  type CallOptions,
  type ClientOptions,
  type Clock,
  DEFAULT_BUDGET_MS,
  DEFAULT_TIMEOUT_MS,
  type Retry,
} from "./options";
import { cursorCheck } from "./pages";
import { fillIn, type RequestValues, requestFor } from "./requestFor";
import { resultOf } from "./resultOf";
import { backoffMs, dateOf, type Effect, effectOf, type Outcome, retryAfterMs, retryWaitMs } from "./retry";
import { type SanitizerOptions, sanitizedIn, sanitizerWithout } from "./sanitized";

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
  const observations = newObservations();
  let scopes: readonly string[] | undefined;
  let closed = false;

  async function call(
    operationId: OperationId,
    values: RequestValues,
    callOptions: CallOptions = {},
    problemOf: (value: unknown) => string | undefined = () => undefined,
  ): Promise<unknown> {
    const operation: Operation = operations[operationId];
    const { method, scope } = operation;
    const named = {
      operation: operationId,
      activity: fillIn(operation.activity, (name) => sanitized(String(values[name]))),
    };
    const { signal, stop, deadline = Infinity, maxAttempts } = callOptions;
    const untilSent = signal && stop ? AbortSignal.any([signal, stop]) : (signal ?? stop);
    let endMs = Math.min(clock.now() + budgetMs, deadline);
    let attempts = 0;
    let requestId: string | undefined;
    let effect: Effect = "none";
    let failure: ClientError | undefined;

    if (readOnly && method !== "GET") throw new ReadOnlyError(facts());
    for (;;) {
      const sentId = randomUUID();
      const http = await send(sentId);
      const isEchoing = observations.isEchoing();
      const context = { operation, values, requestId: sentId, isEchoing, sanitized, problemOf };
      const result = resultOf(http, context);
      // A response of something other than the service has another clock, and shows nothing about the service.
      if (result.response !== undefined) observations.add(result.response, sentId);
      if (result.ok) {
        if (operationId === "getCurrentApiCredential") ({ scopes } = result.value as CurrentApiCredential);
        return result.value;
      }

      const outcome = outcomeOf(http, result.response === undefined);
      if (effectOf(method, attempts, outcome) === "unknown") effect = "unknown";
      failure = result.error(facts());
      const leastMs = backoffMs(attempts, random);
      const remainingMs = endMs - clock.now();
      const waitMs = retryWaitMs({ method, attempt: attempts, outcome, leastMs, remainingMs, maxAttempts });
      if (waitMs === undefined || stop?.aborted) throw failure;
      const retry: Retry = { ...named, attempt: attempts, waitMs, reason: reasonOf(http) };
      options.onRetry?.(retry);
      callOptions.onRetry?.(retry);
      await clock.sleep(waitMs, untilSent).catch((error: unknown) => {
        // If a signal has aborted, the next attempt throws.
        if (!untilSent?.aborted) throw error;
      });
    }

    /** Sends one attempt when there is room for it. The time until then does not count. */
    async function send(sentId: string): Promise<HttpOutcome> {
      requireOpen();
      const { path, body } = requestFor(operation, await withBody(values, { signal, deadline: endMs }));
      const readyMs = clock.now();
      return await withSlot(async () => {
        const objection = method === "GET" ? undefined : await beforeWrite?.();
        if (objection !== undefined) {
          const again = attempts > 0 ? " again" : "";
          throw new CancelledError(facts(), `${objection}, so it was not sent${again}`);
        }
        requireOpen();
        const nowMs = clock.now();
        endMs = Math.min(endMs + nowMs - readyMs, deadline);
        const leftMs = endMs - nowMs;
        if (leftMs <= 0)
          throw failure ?? new TimeoutError(facts(), "the deadline had passed before it was sent");
        attempts += 1;
        requestId = sentId;
        callOptions.onRequest?.(sentId);
        const request = {
          method,
          path: basePath + path,
          body,
          timeoutMs: Math.min(timeoutMs, callOptions.timeoutMs ?? Infinity, leftMs),
          signal,
        };
        return await exchange(request, { ...named, requestId: sentId, attempt: attempts });
      });
    }

    function requireOpen(): void {
      if (closed) throw new CancelledError(facts(), "the client is closed");
      if (stop?.aborted && failure !== undefined) throw failure;
      if (untilSent?.aborted) throw new CancelledError(facts(), "cancelled");
    }

    function facts(): FailureFacts {
      const missingScope = scopes && scope && !scopes.includes(scope) ? scope : undefined;
      return { ...named, attempts, requestId, effect, missingScope, sources: options.sources };
    }
  }

  /** Sends a request and reports it. */
  async function exchange(
    request: Omit<HttpRequest, "headers">,
    sent: Pick<Attempt, "operation" | "activity" | "requestId" | "attempt">,
  ): Promise<HttpOutcome> {
    const { method, path, body } = request;
    const headers = {
      accept: "application/json",
      "accept-encoding": "identity",
      "user-agent": userAgent,
      "x-api-key": apiKey,
      "x-request-id": sent.requestId,
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const startMs = clock.now();
    const http = await connections.exchange({ ...request, headers });
    options.onAttempt?.({
      ...sent,
      method,
      path: sanitized(path),
      startMs,
      durationMs: clock.now() - startMs,
      ...(http.kind === "response" ? { status: http.status } : { reason: reasonOf(http) }),
    });
    return http;
  }

  function reasonOf(http: HttpOutcome): string {
    return http.kind === "response" ? statusText(http.status) : sanitized(http.reason);
  }

  function outcomeOf(http: HttpOutcome, notFromService: boolean): Outcome {
    if (http.kind !== "response") return http;
    const { status } = http;
    const nowMs = dateOf(http.header("date") ?? "") ?? observations.serviceTimeMs() ?? clock.now();
    return {
      kind: "response",
      status,
      retryAfterMs: retryAfterMs(http.header("retry-after") ?? "", nowMs),
      notFromService,
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
      const nowMs = observations.serviceTimeMs();
      return nowMs === undefined ? undefined : new Date(nowMs);
    },
    sanitized: (response, { whole = false } = {}) =>
      sanitizedIn(response, whole ? sanitizedWhole : sanitized),
    async close() {
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
