/** Makes a call: its attempts, the waits between them, its limits, and the error that it ends with. */
import { randomUUID } from "node:crypto";
import { validateHeaderValue } from "node:http";
import { SERVICE_NAME } from "../service";
import { type Clock, gateOf } from "./connection/gate";
import { connectTo, type HttpOutcome, type HttpRequest } from "./connection/http";
import { statusText } from "./connection/statuses";
import { CancelledError, type ClientError, type FailureFacts, ReadOnlyError, TimeoutError } from "./errors";
import type { CurrentApiCredential } from "./model";
import { type BodyMaker, type Operation, type OperationId, operations, partsOf } from "./operations";
import { type CallOptions, type ClientOptions, DEFAULT_BUDGET_MS, DEFAULT_TIMEOUT_MS } from "./options";
import { fillIn, type RequestValues, requestFor } from "./requestFor";
import { resultOf } from "./resultOf";
import {
  answerOf,
  backoffMs,
  dateOf,
  type Effect,
  effectOf,
  isRepeatable,
  type Outcome,
  retryAfterMs,
  retryWaitMs,
} from "./retry";
import { sanitizerWithout } from "./sanitized";
import { newServiceClock } from "./serviceClock";

export type Caller = ReturnType<typeof newCaller>;

/** @throws TypeError as `createClient` does. */
export function newCaller(options: ClientOptions, clock: Clock) {
  const { apiKey, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const { origin, basePath } = splitUrl(options.apiUrl);
  if (apiKey.trim() === "") throw new TypeError("apiKey must not be blank.");
  validateHeaderValue("apiKey", apiKey);
  return {
    ...options,
    timeoutMs,
    budgetMs: options.budgetMs ?? DEFAULT_BUDGET_MS,
    clock,
    random: options.random ?? Math.random,
    basePath,
    connections: connectTo(origin, timeoutMs),
    gate: gateOf(origin, clock),
    serviceClock: newServiceClock(clock),
    sanitized: sanitizerWithout(apiKey),
    /** The scopes of the key, once the client has read them. */
    scopes: undefined as readonly string[] | undefined,
    isClosed: false as boolean,
  };
}

export interface CallRequest {
  readonly operationId: OperationId;
  readonly values: RequestValues;
  readonly options: CallOptions;
}

type Call = ReturnType<typeof newCall>;

/** How long a call may be refused because of a rate limit. That costs time, but no attempt: the rate is found from it. */
const LONGEST_REFUSED_MS = 5 * 60_000;

/** How old a body may be that is built from what the service has. It could undo what was changed since. */
const LONGEST_BODY_AGE_MS = 5_000;

export async function makeCall(caller: Caller, request: CallRequest): Promise<unknown> {
  const call = newCall(caller, request);
  if (caller.readOnly && call.isWrite) throw new ReadOnlyError(factsOf(call));
  for (;;) {
    const requestId = randomUUID();
    const { http, result, outcome, isRefused, pauseMs } = await sendInTurn(call, requestId);
    // Something other than the service has another clock.
    if (result.response !== undefined) caller.serviceClock.note(result.response);
    if (result.ok) {
      if (call.operationId === "getCurrentApiCredential")
        caller.scopes = (result.value as CurrentApiCredential).scopes;
      return result.value;
    }
    const { method } = call;
    const attempt = call.attempts - call.refusals;
    const reason = reasonOf(caller, http);
    if (effectOf(method, attempt, outcome) === "unknown") call.effect = "unknown";
    call.failure = result.error(factsOf(call));
    if (isRefused && isRepeatable({ method, attempt, outcome })) noteRefusal(call, pauseMs, reason);
    else await waitAfter(call, outcome, reason);
  }
}

function newCall(caller: Caller, request: CallRequest) {
  const { operationId, values, options } = request;
  const { signal, stop, deadline = Infinity, budgetMs = caller.budgetMs } = options;
  const operation: Operation = operations[operationId];
  const { method } = partsOf(operation);
  const isWrite = method !== "GET";
  return {
    ...request,
    caller,
    operation,
    method,
    isWrite,
    activity: fillIn(operation.activity, (name) => caller.sanitized(String(values[name]))),
    /** Aborts the call before its next attempt. */
    untilSent: isWrite && stop ? AbortSignal.any([stop, ...(signal ? [signal] : [])]) : signal,
    /** When the call ends. The time until its requests may be sent does not count. */
    endMs: Math.min(caller.clock.now() + budgetMs, deadline),
    /** How many requests were sent, and how many of them were refused. */
    attempts: 0,
    refusals: 0,
    refusedSinceMs: undefined as number | undefined,
    /** The body that was built for the next attempt. */
    built: undefined as { readonly body: unknown; readonly atMs: number } | undefined,
    requestId: undefined as string | undefined,
    effect: "none" as Effect,
    failure: undefined as ClientError | undefined,
  };
}

/** Sends one attempt when it may be sent, and returns its outcome. The time until then does not count. */
async function sendInTurn(call: Call, requestId: string) {
  const { caller, operation, values, options, untilSent } = call;
  const readyMs = caller.clock.now();
  const deadline = options.deadline ?? Infinity;
  for (;;) {
    requireOpen(call);
    const isBuilt = typeof values.body === "function";
    const { path, body } = requestFor(
      operation,
      isBuilt ? { ...values, body: await builtBody(call) } : values,
    );
    // Nothing goes before a body that becomes old, or what was refused.
    const turn = { isFirst: isBuilt || call.refusedSinceMs !== undefined, deadline, signal: untilSent };
    if (!(await caller.gate.enter(turn))) throw notSent(call);
    const sentAtMs = caller.clock.now();
    const unanswered = { sentAtMs, is: "unanswered" } as const;
    if (call.built !== undefined && sentAtMs - call.built.atMs > LONGEST_BODY_AGE_MS) {
      call.built = undefined;
      caller.gate.leave(unanswered);
      continue;
    }
    call.endMs = Math.min(call.endMs + sentAtMs - readyMs, deadline);
    try {
      const http = await sendNow(call, requestId, { path: caller.basePath + path, body });
      const result = resultOf(http, { ...call, sanitized: caller.sanitized });
      const outcome = outcomeOf(caller, http, result.response === undefined);
      return { http, result, outcome, ...caller.gate.leave({ sentAtMs, ...answerOf(outcome) }) };
    } catch (error) {
      caller.gate.leave(unanswered);
      throw error;
    }
  }
}

/** The error of a call whose request may not be sent in time, or that was stopped. */
function notSent(call: Call): Error {
  requireOpen(call);
  return call.failure ?? new TimeoutError(factsOf(call), "the deadline had passed before it was sent");
}

/** The body of the next attempt. One that was refused repeats its body, so that reads do not use up the allowed rate. */
async function builtBody(call: Call): Promise<unknown> {
  const { caller, values, options } = call;
  if (call.built === undefined) {
    const { signal, deadline } = options;
    const atMs = caller.clock.now();
    call.built = { body: await (values.body as BodyMaker<unknown>)({ signal, deadline }), atMs };
  }
  return call.built.body;
}

async function sendNow(
  call: Call,
  requestId: string,
  request: Pick<HttpRequest, "path" | "body">,
): Promise<HttpOutcome> {
  const { caller, options, operationId, activity, method } = call;
  requireOpen(call);
  const startMs = caller.clock.now();
  const leftMs = call.endMs - startMs;
  if (leftMs <= 0) throw notSent(call);
  call.attempts += 1;
  call.requestId = requestId;
  options.onRequest?.(requestId);
  if (call.isWrite) options.onWrite?.();
  const sentAt = caller.clock.date();
  const headers = {
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": `pulumi-${SERVICE_NAME}`,
    "x-api-key": caller.apiKey,
    "x-request-id": requestId,
    ...(request.body !== undefined && { "content-type": "application/json" }),
  };
  const timeoutMs = Math.min(caller.timeoutMs, options.timeoutMs ?? Infinity, leftMs);
  const { signal } = options;
  const http = await caller.connections.exchange({ ...request, method, headers, timeoutMs, signal });
  caller.onAttempt?.({
    operation: operationId,
    activity,
    requestId,
    attempt: call.attempts,
    method,
    path: caller.sanitized(request.path),
    startMs: sentAt.getTime(),
    durationMs: caller.clock.now() - startMs,
    ...(http.kind === "response" ? { status: http.status } : { reason: reasonOf(caller, http) }),
  });
  return http;
}

/** Notes that the last attempt was refused. The gate lets the next one pass later. */
function noteRefusal(call: Call, pauseMs: number | undefined, reason: string): void {
  const nowMs = call.caller.clock.now();
  call.refusals += 1;
  call.refusedSinceMs ??= nowMs;
  if (nowMs - call.refusedSinceMs >= LONGEST_REFUSED_MS || isStopped(call)) throw call.failure;
  // One report for all that wait.
  if (pauseMs !== undefined) reportRetry(call, pauseMs, reason);
}

function requireOpen(call: Call): void {
  if (call.caller.isClosed) throw new CancelledError(factsOf(call), "the client is closed");
  if (!call.untilSent?.aborted) return;
  // A call that is stopped ends as its last attempt did.
  if (call.failure !== undefined && !call.options.signal?.aborted) throw call.failure;
  throw new CancelledError(factsOf(call), "cancelled");
}

/** Waits before the next attempt. @throws ClientError if there is none. */
async function waitAfter(call: Call, outcome: Outcome, reason: string): Promise<void> {
  const { caller, untilSent, options } = call;
  const attempt = call.attempts - call.refusals;
  const waitMs = retryWaitMs({
    method: call.method,
    attempt,
    outcome,
    leastMs: backoffMs(attempt, caller.random),
    remainingMs: call.endMs - caller.clock.now(),
    maxAttempts: options.maxAttempts,
  });
  if (waitMs === undefined || isStopped(call)) throw call.failure;
  call.built = undefined;
  reportRetry(call, waitMs, reason);
  await caller.clock.sleep(waitMs, untilSent).catch((error: unknown) => {
    // If a signal has aborted, the next attempt throws.
    if (!untilSent?.aborted) throw error;
  });
}

function isStopped({ isWrite, options: { stop } }: Call): boolean {
  return isWrite && stop?.aborted === true;
}

function reportRetry(call: Call, waitMs: number, reason: string): void {
  const { caller, operationId: operation, activity, attempts: attempt } = call;
  caller.onRetry?.({ operation, activity, attempt, waitMs, reason });
}

function factsOf({ operation: { scope }, ...call }: Call): FailureFacts {
  const { operationId: operation, activity, attempts, requestId, effect } = call;
  const { scopes, sources } = call.caller;
  const missingScope = scopes && scope && !scopes.includes(scope) ? scope : undefined;
  return { operation, activity, attempts, requestId, effect, missingScope, sources };
}

function reasonOf({ sanitized }: Caller, http: HttpOutcome): string {
  return http.kind === "response" ? statusText(http.status) : sanitized(http.reason);
}

function outcomeOf(caller: Caller, http: HttpOutcome, notFromService: boolean): Outcome {
  if (http.kind !== "response") return http;
  const { status, header } = http;
  const nowMs = dateOf(header("date") ?? "") ?? caller.serviceClock.nowMs() ?? caller.clock.date().getTime();
  const waitMs = retryAfterMs(header("retry-after") ?? "", nowMs);
  return { kind: "response", status, retryAfterMs: waitMs, notFromService };
}

/** Splits a base URL. The message never contains the URL, because it may contain a password. */
function splitUrl(apiUrl: string): { origin: string; basePath: string } {
  const url = URL.parse(apiUrl);
  const excluded = url && url.username + url.password + url.search + url.hash;
  if (url === null || !/^https?:$/.test(url.protocol) || excluded !== "")
    throw new TypeError("apiUrl must be an http or https URL without credentials, query and fragment.");
  return { origin: url.origin, basePath: url.pathname.replace(/\/+$/, "") };
}
