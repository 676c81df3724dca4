/** Faults between a client and the service. They are injected beforehand and used up request by request. */
import { handlers, type OperationId } from "../operations";
import type { RequestRecord } from "./requestLog";
import { UsageError } from "./usageError";

/** The service responds with an error. The operation has no effect, unless `afterEffect`. */
export interface StatusEffect {
  /** The status of an ErrorResponse. */
  readonly status: number;
  /** The value of the header `Retry-After`. Default: no header. */
  readonly retryAfter?: string | number;
  /** The message of the ErrorResponse. Default: `"Injected fault."` */
  readonly message?: string | readonly string[];
  /** Whether the operation takes effect first. Default: `false`. */
  readonly afterEffect?: boolean;
}

/** The operation takes effect and responds late. */
export interface DelayEffect {
  /** The delay before the operation, in milliseconds. */
  readonly delayMs: number;
}

/** There is no response. The operation has no effect, unless `afterEffect`. */
export interface HangEffect {
  /** Always `true`. */
  readonly hang: true;
  /** Whether the operation takes effect first. Default: `false`. */
  readonly afterEffect?: boolean;
}

/** The connection is reset. */
export interface ResetEffect {
  /** Whether it is reset before or after the operation takes effect. */
  readonly reset: "before" | "after";
}

/** The operation takes effect, and the body of the response is not JSON. */
export interface MalformedEffect {
  /** Always `true`. */
  readonly malformed: true;
}

/** The operation takes effect, and the body of the response is cut off, after which the connection closes. */
export interface TruncatedEffect {
  /** Always `true`. */
  readonly truncated: true;
}

/** The response is a redirect, with status 302. The operation has no effect. */
export interface RedirectEffect {
  /** The location. */
  readonly redirect: string;
}

/** The operation takes effect, and the response has another body, which is not validated. */
export interface BodyEffect {
  /** The body, as JSON, such as that of an earlier read, or a function that returns it, given the body of the actual response. */
  readonly body: unknown;
  /** The status of the response. Default: that of the operation. */
  readonly status?: number;
}

/**
 * The response is that of a success, but shows another object, which exists: a create that claims to have created it,
 * or a read that mixes up two objects. The operation has no effect, unless `afterEffect`.
 */
export interface ObjectEffect {
  /** The UUID of a Project, Application, Custom Domain or Link. */
  readonly object: string;
  /** Whether the operation takes effect first. Default: `false`. */
  readonly afterEffect?: boolean;
}

/**
 * The response is not from the service, such as the error page of a proxy. The operation has no effect, unless
 * `afterEffect`.
 */
export interface ForeignEffect {
  /** The status. */
  readonly foreign: number;
  /** The body. Default: an HTML page; empty for 204. */
  readonly text?: string;
  /** The value of the header `Content-Type`. Default: `"text/html"`. */
  readonly contentType?: string;
  /** The value of the header `Retry-After`. Default: no header. */
  readonly retryAfter?: string | number;
  /** Whether the response echoes the request id. Default: `false`. */
  readonly echoRequestId?: boolean;
  /** Whether the operation takes effect first. Default: `false`. */
  readonly afterEffect?: boolean;
}

/** What goes wrong, and whether the operation still takes effect. */
export type FaultEffect =
  | StatusEffect
  | DelayEffect
  | HangEffect
  | ResetEffect
  | MalformedEffect
  | TruncatedEffect
  | RedirectEffect
  | BodyEffect
  | ObjectEffect
  | ForeignEffect;

/**
 * A fault and the requests that it applies to.
 *
 * @example
 * emulator.inject({ operation: "createProject", effect: { status: 503, retryAfter: 1 } });
 */
export interface Fault {
  /** The operations it applies to, by their ids, such as `"createProject"`. Default: `"*"`, every request. */
  readonly operation?: OperationId | readonly OperationId[] | "*";
  /** How many requests it applies to; `Infinity` for all. Default: `1`. */
  readonly count?: number;
  /** How many matching requests succeed first. Default: `0`. */
  readonly skip?: number;
  /** A further condition: a function, or a regular expression that the path must match. Default: none. */
  readonly match?: ((request: RequestRecord) => boolean) | RegExp | string;
  /** What goes wrong. */
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
  /** @throws UsageError for an unknown operation, or for an invalid regular expression. */
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
      checkRequests(fault);
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

function checkRequests({ operation = "*", match }: Fault): void {
  const unknown = [operation].flat().find((name) => name !== "*" && !Object.hasOwn(handlers, name));
  if (unknown !== undefined) throw new UsageError(`The operation ${unknown} does not exist.`);
  if (typeof match !== "string") return;
  try {
    new RegExp(match);
  } catch (error) {
    const reason = String(error).split(": ").at(-1);
    throw new UsageError(`match is not a regular expression: ${reason}.`, { cause: error });
  }
}

function appliesTo({ operation = "*", match }: Fault, request: RequestRecord): boolean {
  const operations: readonly unknown[] = [operation].flat();
  if (!operations.includes("*") && !operations.includes(request.operationId)) return false;
  if (match === undefined) return true;
  return typeof match === "function" ? match(request) : new RegExp(match).test(request.path);
}
