/** The client: one function per operation, with deadlines, retries and typed errors. */
import { setTimeout } from "node:timers/promises";
import { type Caller, makeCall, newCaller } from "./call";
import { type OperationAnswer, type OperationId, type OperationRequest, operations } from "./operations";
import type { CallOptions, ClientOptions, Clock } from "./options";
import type { RequestValues } from "./requestFor";
import { type Sanitizer, type SanitizerOptions, sanitizedIn, sanitizerWithout } from "./sanitized";

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
  /** The same client, whose calls have these options, unless they are called with others. */
  withOptions(options: CallOptions): Client;
  /**
   * The current time of the service's clock: the latest `Date` header of a response plus the time since then. It may be
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

/** The system's clock. */
export const systemClock: Clock = {
  // The date may be set back while the process runs. This only begins with it. In whole milliseconds, as timers wait.
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  date: () => new Date(),
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
  const caller = newCaller(options, options.clock ?? systemClock);
  return clientOf(caller, sanitizerWithout(options.apiKey, { whole: true }), {});
}

/** The client whose calls have these options, unless they are called with others. */
function clientOf(caller: Caller, sanitizedWhole: Sanitizer, defaults: CallOptions): Client {
  const functions = Object.fromEntries(
    (Object.keys(operations) as OperationId[]).map((operationId) => [
      operationId,
      (values: RequestValues = {}, options: CallOptions = {}) =>
        makeCall(caller, { operationId, values, options: { ...defaults, ...options } }),
    ]),
  ) as unknown as OperationFunctions;
  return {
    ...functions,
    withOptions: (options) => clientOf(caller, sanitizedWhole, { ...defaults, ...options }),
    serviceTime() {
      const nowMs = caller.serviceClock.nowMs();
      return nowMs === undefined ? undefined : new Date(nowMs);
    },
    sanitized: (response, { whole = false } = {}) =>
      sanitizedIn(response, whole ? sanitizedWhole : caller.sanitized),
    async close() {
      caller.isClosed = true;
      await caller.connections.close();
    },
  };
}
