/** The client: a function for each operation, with deadlines, retries and errors that tell what happened. */

import { randomUUID } from "node:crypto";
import { validateHeaderValue } from "node:http";
import { setTimeout } from "node:timers/promises";
import { SERVICE_NAME } from "../session/service";
import {
  CancelledError,
  type ClientError,
  type FailureFacts,
  ReadOnlyError,
  statusText,
  TimeoutError,
} from "./errors";
import { connectTo, type HttpAnswer, type HttpOutcome } from "./http";
import type { Link, LinkPage } from "./model";
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
import { printableIn, printableWithout } from "./printable";
import { fillIn, type RequestValues, requestFor } from "./requestFor";
import { resultOf } from "./resultOf";
import { backoffMs, decideRetry, type Effect, effectOf, type Outcome, retryAfterMs } from "./retry";

/** What a client needs to know. */
export interface ClientOptions {
  /** Where the service is: an http or https URL without credentials, query and fragment. */
  readonly apiUrl: string;
  /** The API key. It is sent to `apiUrl` and shown nowhere. */
  readonly apiKey: string;
  /** Refuse every operation but reads, before anything is sent. Default: false. */
  readonly readOnly?: boolean | undefined;
  /** How long one attempt may take, in milliseconds. Default: 30 000. */
  readonly timeoutMs?: number | undefined;
  /** How long all attempts of a call and the waits between them may take, in milliseconds. Default: 120 000. */
  readonly budgetMs?: number | undefined;
  /** The time, for tests. Default: the system's. */
  readonly clock?: Clock | undefined;
  /** A number from 0 to below 1, for tests. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** The User-Agent header. Default: the name of this package. */
  readonly userAgent?: string | undefined;
}

/** The time as a client sees it. */
export interface Clock {
  /** Milliseconds of the epoch. */
  now(): number;
  /** Waits for the given milliseconds, or until the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** What a single call may be told. */
export interface CallOptions extends CallBounds {
  /** Told before each wait for another attempt. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

/** Another attempt that is about to be made. */
export interface Retry {
  readonly operation: OperationId;
  /** Which attempt failed, from 1. */
  readonly attempt: number;
  /** How long the client waits, in milliseconds. */
  readonly waitMs: number;
  /** Why the attempt failed, as in `503 Service Unavailable`. */
  readonly reason: string;
}

/** The function of one operation. The request may be left out when nothing in it is required. */
export type OperationFunction<Id extends OperationId> = (
  ...call: Record<string, never> extends OperationRequest<Id>
    ? [request?: OperationRequest<Id>, options?: CallOptions]
    : [request: OperationRequest<Id>, options?: CallOptions]
) => Promise<OperationAnswer<Id>>;

/** The functions of all operations. Each fails with a `ClientError`. */
export type OperationFunctions = { readonly [Id in keyof typeof operations]: OperationFunction<Id> };

/** A client of the service. */
export interface Client extends OperationFunctions {
  /** Reads all links of a project, page after page as they are needed. Needs links:read. */
  eachProjectLink(
    request: EachRequest<"listProjectLinks">,
    options?: CallOptions,
  ): AsyncGenerator<Link, void>;
  /** Reads all links of a custom domain, page after page as they are needed. Needs links:read. */
  eachCustomDomainLink(
    request: EachRequest<"listCustomDomainLinks">,
    options?: CallOptions,
  ): AsyncGenerator<Link, void>;
  /**
   * What the service's clock says now, at most a second and the way of the answer behind: the date of the last
   * answer and the time that has passed since. Undefined before an answer carried a date.
   */
  serviceTime(): Date | undefined;
  /**
   * A copy of an answer for messages: every text in it on one line, cut to 300 characters, without control characters
   * and without the key.
   */
  printable<Value>(answer: Value): Value;
  /** Waits for the requests under way and closes the connections. Later calls fail with a `CancelledError`. */
  close(): Promise<void>;
}

/** What to list: a request for pages without the cursor. `limit` is the size of a page. */
export type EachRequest<Id extends "listProjectLinks" | "listCustomDomainLinks"> = Omit<
  OperationRequest<Id>,
  "cursor"
>;

/** How long one attempt may take unless the client is told otherwise. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** How long a call may take unless the client is told otherwise: one full Retry-After and attempts around it. */
export const DEFAULT_BUDGET_MS = 120_000;

/** The time of the system. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, signal && { signal }),
};

/**
 * Makes a client. Nothing is connected before the first call.
 *
 * @throws TypeError when `apiUrl` is no usable URL or `apiKey` cannot be sent in a header.
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
  const { origin, basePath } = splitUrl(options.apiUrl);
  if (apiKey.trim() === "") throw new TypeError("apiKey must not be blank.");
  validateHeaderValue("apiKey", apiKey);
  validateHeaderValue("userAgent", userAgent);
  const printable = printableWithout(apiKey);
  const connections = connectTo(origin, timeoutMs);
  let lastDate: { dateMs: number; seenAtMs: number } | undefined;
  let closed = false;

  async function call(
    operationId: OperationId,
    values: RequestValues,
    { signal, deadline = Infinity, onRetry }: CallOptions = {},
    problemOf: (value: unknown) => string | undefined = () => undefined,
  ): Promise<unknown> {
    const operation: Operation = operations[operationId];
    const { method } = operation;
    const endMs = Math.min(clock.now() + budgetMs, deadline);
    let effect: Effect = "none";
    let requestId: string | undefined;
    let failure: ClientError | undefined;
    const facts = (attempts: number): FailureFacts => ({
      operation: operationId,
      doing: doingWhat(operation, values),
      attempts,
      requestId,
      effect,
    });

    if (readOnly && method !== "GET") throw new ReadOnlyError(facts(0));
    for (let attempt = 1; ; attempt++) {
      if (closed) throw new CancelledError(facts(attempt - 1), "the client is closed");
      if (signal?.aborted) throw new CancelledError(facts(attempt - 1), "cancelled");
      const { path, body } = requestFor(operation, await withBodyMade(values, { signal, deadline: endMs }));
      const leftMs = endMs - clock.now();
      if (leftMs <= 0) throw failure ?? new TimeoutError(facts(0), "no time was left for it");

      requestId = randomUUID();
      const http = await connections.exchange({
        method,
        path: basePath + path,
        headers: {
          accept: "application/json",
          "accept-encoding": "identity",
          "user-agent": userAgent,
          "x-api-key": apiKey,
          "x-request-id": requestId,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        body,
        timeoutMs: Math.min(timeoutMs, leftMs),
        signal,
      });
      const result = resultOf(http, { operation, values, requestId, printable, problemOf });
      // What answers in place of the service has a clock of its own.
      if (http.kind === "answer" && (result.ok || !result.foreign)) noteDate(http);
      if (result.ok) return result.value;

      const outcome = outcomeOf(http, result, serviceTimeMs() ?? clock.now());
      if (effectOf(method, attempt, outcome) === "unknown") effect = "unknown";
      failure = result.error(facts(attempt));
      const remainingMs = endMs - clock.now();
      const decision = decideRetry({
        method,
        attempt,
        outcome,
        backoffMs: backoffMs(attempt, random),
        remainingMs,
      });
      if (!decision.retry) throw failure;
      const { waitMs } = decision;
      onRetry?.({ operation: operationId, attempt, waitMs, reason: reasonOf(http) });
      await clock.sleep(waitMs, signal).catch((error: unknown) => {
        // The loop finds the signal aborted.
        if (!signal?.aborted) throw error;
      });
    }
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

  function doingWhat({ doing }: Operation, values: RequestValues): string {
    return fillIn(doing, (name) => printable(String(values[name])));
  }

  function reasonOf(http: HttpOutcome): string {
    return http.kind === "answer" ? statusText(http.status) : printable(http.reason);
  }

  function noteDate(answer: HttpAnswer): void {
    const dateMs = dateOf(answer);
    if (dateMs !== undefined) lastDate = { dateMs, seenAtMs: performance.now() };
  }

  // The system's clock may be set while the process runs; the time since start-up only grows.
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
    printable: (answer) => printableIn(answer, printable),
    async close() {
      if (closed) return;
      closed = true;
      await connections.close();
    },
  };
}

async function withBodyMade(values: RequestValues, bounds: CallBounds): Promise<RequestValues> {
  const { body } = values;
  return typeof body === "function"
    ? { ...values, body: await (body as BodyMaker<unknown>)(bounds) }
    : values;
}

function outcomeOf(http: HttpOutcome, { foreign }: { readonly foreign: boolean }, nowMs: number): Outcome {
  if (http.kind !== "answer") return http;
  const waitMs = retryAfterMs(http.header("retry-after"), dateOf(http) ?? nowMs);
  return { kind: "answer", status: http.status, retryAfterMs: waitMs, foreign };
}

/** When an answer was sent, in milliseconds of the epoch, by the clock of whoever sent it. */
function dateOf(answer: HttpAnswer): number | undefined {
  const dateMs = Date.parse(answer.header("date") ?? "");
  return Number.isNaN(dateMs) ? undefined : dateMs;
}

/** Takes a base URL apart. The message never holds the URL, as someone may have put a password in it. */
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
