/** What callers pass to a client and to its calls, and what it reports to them. */
import type { Clock } from "./connection/gate";
import type { SettingSources } from "./errors";
import type { CallBounds, OperationId } from "./operations";

export type { Clock };

/** Options of `createClient`. */
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
   * Time limit for all attempts of a call and the waits between them, in milliseconds. Waiting until a request may be
   * sent, because the number of requests is limited, does not count. Default: 120 000.
   */
  readonly budgetMs?: number | undefined;
  /** The clock, for tests. Default: the system's. */
  readonly clock?: Clock | undefined;
  /** Returns a number from 0 to below 1, for tests. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Called before each retry of any call. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Called after each attempt. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** Options of a single call. */
export interface CallOptions extends CallBounds {
  /** Stops a call that may write, before its next attempt. One that was sent ends, unless `signal` aborts. */
  readonly stop?: AbortSignal | undefined;
  /** Timeout of one attempt, in milliseconds, if it is shorter than that of the client. */
  readonly timeoutMs?: number | undefined;
  /** Time limit for the attempts of this call, in milliseconds. Default: that of the client. */
  readonly budgetMs?: number | undefined;
  /** The maximum number of attempts. An attempt that was refused because of a rate limit does not count. Default: 6. */
  readonly maxAttempts?: number | undefined;
  /** Called with the id of each attempt when it is sent. */
  readonly onRequest?: ((requestId: string) => void) | undefined;
  /** Called when an attempt is sent that may write. */
  readonly onWrite?: (() => void) | undefined;
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
export interface Retry extends Pick<Attempt, "operation" | "activity" | "attempt"> {
  /** How long the client waits before the next attempt, in milliseconds. */
  readonly waitMs: number;
  /** Why the attempt failed, such as `503 Service Unavailable`. */
  readonly reason: string;
}

/** The default timeout of one attempt. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** The default time limit of a call. It allows for one maximum Retry-After and several attempts. */
export const DEFAULT_BUDGET_MS = 120_000;
