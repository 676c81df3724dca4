/** Faults between a client and the service. They are injected beforehand and used up request by request. */
import type { OperationId } from "./operations";
import type { RequestRecord } from "./requestLog";

/**
 * What goes wrong, and whether the operation still takes effect:
 *
 * - `status`: an ErrorResponse with this status. No effect, unless `afterEffect`.
 * - `delayMs`: the operation runs and responds after this delay.
 * - `hang`: no response. No effect, unless `afterEffect`.
 * - `reset`: the connection is reset before or after the effect.
 * - `malformed`: effect, and a response body that is not JSON.
 * - `truncated`: effect, and a response body that is cut off, after which the connection closes.
 * - `redirect`: a 302 to this location. No effect.
 * - `body`: effect, and this JSON as the response body, without validation.
 * - `foreign`: a response that is not from the service, such as one from a proxy. No effect, unless `afterEffect`.
 */
export type FaultEffect =
  | {
      readonly status: number;
      /** The value of the header. Default: no header. */
      readonly retryAfter?: string | number;
      /** Default: `"Injected fault."` */
      readonly message?: string | readonly string[];
      /** Default: `false`. */
      readonly afterEffect?: boolean;
    }
  | { readonly delayMs: number }
  | { readonly hang: true; readonly afterEffect?: boolean }
  | { readonly reset: "before" | "after" }
  | { readonly malformed: true }
  | { readonly truncated: true }
  | { readonly redirect: string }
  | { readonly body: unknown; readonly status?: number }
  | {
      /** The status. */
      readonly foreign: number;
      /** The body. Default: an HTML page; empty for 204. */
      readonly text?: string;
      /** Default: `"text/html"`. */
      readonly contentType?: string;
      /** The value of the header. Default: no header. */
      readonly retryAfter?: string | number;
      /** Whether the response echoes the request id. Default: `false`. */
      readonly echoRequestId?: boolean;
      /** Default: `false`. */
      readonly afterEffect?: boolean;
    };

/**
 * A fault and the requests that it applies to.
 *
 * @example
 * emulator.inject({ operation: "createProject", effect: { status: 503, retryAfter: 1 } });
 */
export interface Fault {
  /** The operations it applies to. Default: `"*"`, every request. */
  readonly operation?: OperationId | readonly OperationId[] | "*";
  /** How many requests it applies to; `Infinity` for all. Default: `1`. */
  readonly count?: number;
  /** How many matching requests succeed first. Default: `0`. */
  readonly skip?: number;
  /** A further condition: a function, or a regular expression that the path must match. Default: none. */
  readonly match?: ((request: RequestRecord) => boolean) | RegExp | string;
  readonly effect: FaultEffect;
}

/** A fault and a request that it was applied to. */
export interface FaultUse {
  readonly fault: Fault;
  readonly request: RequestRecord;
}

/** The faults of one emulator. */
export interface Faults {
  readonly used: readonly FaultUse[];
  inject(fault: Fault): void;
  /** Removes the faults and the record of their uses. */
  clear(): void;
  /** Uses up and returns the effect of the first fault that applies to a request. */
  take(request: RequestRecord): FaultEffect | undefined;
}

/** Creates an empty list of faults. They apply in the order of injection. */
export function createFaults(): Faults {
  let pending: { readonly fault: Fault; skip: number; count: number }[] = [];
  let used: FaultUse[] = [];
  return {
    get used() {
      return used;
    },
    inject(fault) {
      pending.push({ fault, skip: fault.skip ?? 0, count: fault.count ?? 1 });
    },
    clear() {
      pending = [];
      used = [];
    },
    take(request) {
      for (const candidate of pending) {
        if (candidate.count <= 0 || !appliesTo(candidate.fault, request)) continue;
        if (candidate.skip > 0) {
          candidate.skip -= 1;
          continue;
        }
        candidate.count -= 1;
        used.push({ fault: candidate.fault, request });
        return candidate.fault.effect;
      }
      return undefined;
    },
  };
}

function appliesTo({ operation = "*", match }: Fault, request: RequestRecord): boolean {
  if (
    operation !== "*" &&
    !(request.operationId !== null && [operation].flat().includes(request.operationId))
  ) {
    return false;
  }
  if (match === undefined) return true;
  return typeof match === "function" ? match(request) : new RegExp(match).test(request.path);
}
