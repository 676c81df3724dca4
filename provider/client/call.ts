/** Makes a call: its attempts, the waits between them, its limits, and the error that it ends with. */

import { randomUUID } from "node:crypto";
import type { connectTo, HttpOutcome, HttpRequest } from "./connection/http";
import type { RequestLimit } from "./connection/requestLimit";
import { statusText } from "./connection/statuses";
import { CancelledError, type ClientError, type FailureFacts, ReadOnlyError, TimeoutError } from "./errors";
import type { CurrentApiCredential } from "./model";
import { type BodyMaker, type Operation, type OperationId, operations } from "./operations";
import type { CallOptions, ClientOptions, Clock, Retry } from "./options";
import { fillIn, type RequestValues, requestFor } from "./requestFor";
import { resultOf } from "./resultOf";
import { backoffMs, dateOf, type Effect, effectOf, type Outcome, retryAfterMs, retryWaitMs } from "./retry";
import type { Sanitizer } from "./sanitized";
import type { ServiceClock } from "./serviceClock";

/** What the calls of a client share. */
export interface Caller
  extends Pick<ClientOptions, "apiKey" | "sources" | "onRetry" | "onAttempt" | "beforeWrite"> {
  readonly readOnly: boolean;
  readonly timeoutMs: number;
  readonly budgetMs: number;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** What precedes the path of each operation. */
  readonly basePath: string;
  readonly connections: ReturnType<typeof connectTo>;
  readonly withSlot: RequestLimit;
  readonly serviceClock: ServiceClock;
  readonly sanitized: Sanitizer;
  /** The scopes of the key, once the client has read them. */
  scopes: readonly string[] | undefined;
  isClosed: boolean;
}

/** What a call is for. */
export interface CallRequest {
  readonly operationId: OperationId;
  readonly values: RequestValues;
  readonly options: CallOptions;
  /** Validates the response further. Returns the problem, if any. */
  problemOf?(value: unknown): string | undefined;
}

interface Call extends CallRequest {
  readonly caller: Caller;
  readonly operation: Operation;
  readonly isWrite: boolean;
  /** What the call does, for messages. */
  readonly activity: string;
  /** Aborts the call before its next attempt. */
  readonly untilSent: AbortSignal | undefined;
  endMs: number;
  attempts: number;
  requestId: string | undefined;
  effect: Effect;
  failure: ClientError | undefined;
}

/** Makes a call. @throws ClientError */
export async function makeCall(caller: Caller, request: CallRequest): Promise<unknown> {
  const call = newCall(caller, request);
  if (caller.readOnly && call.isWrite) throw new ReadOnlyError(factsOf(call));
  for (;;) {
    const requestId = randomUUID();
    const http = await sendWithSlot(call, requestId);
    const result = resultFor(call, requestId, http);
    if (result.ok) {
      if (call.operationId === "getCurrentApiCredential")
        caller.scopes = (result.value as CurrentApiCredential).scopes;
      return result.value;
    }
    const outcome = outcomeOf(caller, http, result.response === undefined);
    if (effectOf(call.operation.method, call.attempts, outcome) === "unknown") call.effect = "unknown";
    call.failure = result.error(factsOf(call));
    await waitAfter(call, outcome, reasonOf(caller, http));
  }
}

function newCall(caller: Caller, request: CallRequest): Call {
  const { operationId, values, options } = request;
  const { signal, stop, deadline = Infinity } = options;
  const operation: Operation = operations[operationId];
  const isWrite = operation.method !== "GET";
  return {
    ...request,
    caller,
    operation,
    isWrite,
    activity: fillIn(operation.activity, (name) => caller.sanitized(String(values[name]))),
    untilSent: isWrite && stop ? AbortSignal.any([stop, ...(signal ? [signal] : [])]) : signal,
    endMs: Math.min(caller.clock.now() + caller.budgetMs, deadline),
    attempts: 0,
    requestId: undefined,
    effect: "none",
    failure: undefined,
  };
}

/** Sends one attempt when there is room for it. The time until then does not count. */
async function sendWithSlot(call: Call, requestId: string): Promise<HttpOutcome> {
  const { caller, operation, options } = call;
  requireOpen(call);
  const { path, body } = requestFor(operation, await valuesOf(call));
  const readyMs = caller.clock.now();
  return await caller.withSlot(async () => {
    await requireNoObjection(call);
    requireOpen(call);
    const nowMs = caller.clock.now();
    call.endMs = Math.min(call.endMs + nowMs - readyMs, options.deadline ?? Infinity);
    const leftMs = call.endMs - nowMs;
    if (leftMs <= 0)
      throw call.failure ?? new TimeoutError(factsOf(call), "the deadline had passed before it was sent");
    call.attempts += 1;
    call.requestId = requestId;
    options.onRequest?.(requestId);
    if (call.isWrite) options.onWrite?.();
    const timeoutMs = Math.min(caller.timeoutMs, options.timeoutMs ?? Infinity, leftMs);
    return await exchange(call, requestId, { path: caller.basePath + path, body, timeoutMs });
  });
}

/** The values of a call, with the body of its next attempt. */
async function valuesOf({ values, options: { signal }, endMs }: Call): Promise<RequestValues> {
  const { body } = values;
  return typeof body === "function"
    ? { ...values, body: await (body as BodyMaker<unknown>)({ signal, deadline: endMs }) }
    : values;
}

async function requireNoObjection(call: Call): Promise<void> {
  const objection = call.isWrite ? await call.caller.beforeWrite?.() : undefined;
  if (objection === undefined) return;
  const again = call.attempts > 0 ? " again" : "";
  throw new CancelledError(factsOf(call), `${objection}, so it was not sent${again}`);
}

function requireOpen(call: Call): void {
  if (call.caller.isClosed) throw new CancelledError(factsOf(call), "the client is closed");
  if (!call.untilSent?.aborted) return;
  // A call that is stopped ends as its last attempt did.
  if (call.failure !== undefined && !call.options.signal?.aborted) throw call.failure;
  throw new CancelledError(factsOf(call), "cancelled");
}

/** Sends a request and reports it. */
async function exchange(
  { caller, operationId, operation: { method }, activity, attempts, options: { signal } }: Call,
  requestId: string,
  request: Pick<HttpRequest, "path" | "body" | "timeoutMs">,
): Promise<HttpOutcome> {
  const headers = {
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": caller.userAgent,
    "x-api-key": caller.apiKey,
    "x-request-id": requestId,
    ...(request.body !== undefined && { "content-type": "application/json" }),
  };
  const startMs = caller.clock.now();
  const http = await caller.connections.exchange({ ...request, method, headers, signal });
  caller.onAttempt?.({
    operation: operationId,
    activity,
    requestId,
    attempt: attempts,
    method,
    path: caller.sanitized(request.path),
    startMs,
    durationMs: caller.clock.now() - startMs,
    ...(http.kind === "response" ? { status: http.status } : { reason: reasonOf(caller, http) }),
  });
  return http;
}

function resultFor(call: Call, requestId: string, http: HttpOutcome) {
  const { operation, values, problemOf = () => undefined } = call;
  const { serviceClock, sanitized } = call.caller;
  const result = resultOf(http, { operation, values, requestId, sanitized, problemOf });
  // Something other than the service has another clock.
  if (result.response !== undefined) serviceClock.note(result.response);
  return result;
}

/** Waits before the next attempt. @throws ClientError if there is none. */
async function waitAfter(call: Call, outcome: Outcome, reason: string): Promise<void> {
  const { caller, operationId, activity, attempts, untilSent, options } = call;
  const waitMs = retryWaitMs({
    method: call.operation.method,
    attempt: attempts,
    outcome,
    leastMs: backoffMs(attempts, caller.random),
    remainingMs: call.endMs - caller.clock.now(),
    maxAttempts: options.maxAttempts,
  });
  if (waitMs === undefined || (call.isWrite && options.stop?.aborted)) throw call.failure;
  const retry: Retry = { operation: operationId, activity, attempt: attempts, waitMs, reason };
  caller.onRetry?.(retry);
  options.onRetry?.(retry);
  await caller.clock.sleep(waitMs, untilSent).catch((error: unknown) => {
    // If a signal has aborted, the next attempt throws.
    if (!untilSent?.aborted) throw error;
  });
}

function factsOf({ caller, operationId, operation: { scope }, ...call }: Call): FailureFacts {
  const { activity, attempts, requestId, effect } = call;
  const missingScope = caller.scopes && scope && !caller.scopes.includes(scope) ? scope : undefined;
  return {
    operation: operationId,
    activity,
    attempts,
    requestId,
    effect,
    missingScope,
    sources: caller.sources,
  };
}

function reasonOf({ sanitized }: Caller, http: HttpOutcome): string {
  return http.kind === "response" ? statusText(http.status) : sanitized(http.reason);
}

function outcomeOf(caller: Caller, http: HttpOutcome, notFromService: boolean): Outcome {
  if (http.kind !== "response") return http;
  const { status } = http;
  const nowMs = dateOf(http.header("date") ?? "") ?? caller.serviceClock.nowMs() ?? caller.clock.now();
  return {
    kind: "response",
    status,
    retryAfterMs: retryAfterMs(http.header("retry-after") ?? "", nowMs),
    notFromService,
  };
}
