// Faults: what goes wrong between a client and the service, told beforehand and used up one request at a time.
import type { OperationId } from "./operations";
import type { RequestRecord } from "./requestLog";

/**
 * What goes wrong. Whether the operation still takes effect is part of each kind:
 *
 * - `status`: an ErrorResponse with that status. No effect, unless `afterEffect`.
 * - `delayMs`: the operation runs, and is answered, that much later.
 * - `hang`: no answer at all. No effect, unless `afterEffect`.
 * - `reset`: the connection is reset before or after the effect.
 * - `malformed`: effect, and a body that is not JSON.
 * - `truncated`: effect, and a body that is cut short, after which the connection ends.
 * - `redirect`: a 302 to that location. No effect.
 * - `body`: effect, and any JSON in place of the answer, which nothing checks.
 * - `foreign`: an answer that the service did not send, as that of a proxy. No effect, unless `afterEffect`.
 */
export type FaultEffect =
  | {
      status: number;
      /** The header, as it is. Default: none. */
      retryAfter?: string | number;
      /** Default: `"Injected fault."` */
      message?: string | string[];
      /** Default: `false`. */
      afterEffect?: boolean;
    }
  | { delayMs: number }
  | { hang: true; afterEffect?: boolean }
  | { reset: "before" | "after" }
  | { malformed: true }
  | { truncated: true }
  | { redirect: string }
  | { body: unknown; status?: number }
  | {
      /** The status. */
      foreign: number;
      /** The body. Default: a page in HTML; empty for 204. */
      text?: string;
      /** Default: `"text/html"`. */
      contentType?: string;
      /** The header, as it is. Default: none. */
      retryAfter?: string | number;
      /** Whether the request id is echoed. Default: `false`. */
      echoRequestId?: boolean;
      /** Default: `false`. */
      afterEffect?: boolean;
    };

/**
 * One fault and the requests that it hits.
 *
 * @example
 * emulator.inject({ operation: "createProject", effect: { status: 503, retryAfter: 1 } });
 */
export interface Fault {
  /** Default: `"*"`, every request. */
  operation?: OperationId | OperationId[] | "*";
  /** How many requests are hit; `Infinity` for all. Default: `1`. */
  count?: number;
  /** How many requests that match pass unharmed before. Default: `0`. */
  skip?: number;
  /** A further condition: a function, or a regular expression for the path. Default: none. */
  match?: ((request: Readonly<RequestRecord>) => boolean) | RegExp | string;
  effect: FaultEffect;
}

/** A fault that hit a request. */
export interface FaultUse {
  fault: Fault;
  request: RequestRecord;
}

/** The faults of one emulator. */
export interface Faults {
  readonly used: readonly FaultUse[];
  inject(fault: Fault): void;
  /** Forgets the faults and their uses. */
  clear(): void;
  /** The effect of the first fault that hits a request, which is used up thereby. */
  take(request: RequestRecord): FaultEffect | undefined;
}

/** An empty list of faults. They are tried in the order in which they were injected. */
export function createFaults(): Faults {
  let waiting: { fault: Fault; skip: number; count: number }[] = [];
  let used: FaultUse[] = [];
  return {
    get used() {
      return used;
    },
    inject(fault) {
      waiting.push({ fault, skip: fault.skip ?? 0, count: fault.count ?? 1 });
    },
    clear() {
      waiting = [];
      used = [];
    },
    take(request) {
      for (const candidate of waiting) {
        if (candidate.count <= 0 || !hits(candidate.fault, request)) continue;
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

function hits({ operation = "*", match }: Fault, request: RequestRecord): boolean {
  if (
    operation !== "*" &&
    !(request.operationId !== null && [operation].flat().includes(request.operationId))
  ) {
    return false;
  }
  if (match === undefined) return true;
  return typeof match === "function" ? match(request) : new RegExp(match).test(request.path);
}
