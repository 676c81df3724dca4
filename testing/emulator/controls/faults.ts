/** Faults between a client and the service. They are injected beforehand and used up request by request. */
import { handlers, type OperationId } from "../operations";
import { UsageError } from "../world/world";
import type { FaultEffect } from "./faultEffects";
import type { RequestRecord } from "./requestLog";

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
  /** A further condition. Default: none. */
  readonly match?: (request: RequestRecord) => boolean;
  /** What goes wrong. */
  readonly effect: FaultEffect;
}

/** A fault and a request that it was applied to. */
export interface FaultUse {
  readonly fault: Fault;
  readonly request: RequestRecord;
}

/** Creates an empty list of faults. They apply in the order of injection. */
export function createFaults() {
  let pending: { readonly fault: Fault; skip: number; count: number }[] = [];
  let used: FaultUse[] = [];
  return {
    get used(): readonly FaultUse[] {
      return used;
    },
    /** @throws UsageError for an unknown operation. */
    inject(fault: Fault): void {
      checkFault(fault);
      pending.push({ fault, skip: fault.skip ?? 0, count: fault.count ?? 1 });
    },
    /** Removes the faults and the record of their uses. */
    clear(): void {
      pending = [];
      used = [];
    },
    /** Uses up and returns the effect of the first fault that applies to a request. */
    take(request: RequestRecord): FaultEffect | undefined {
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

export type Faults = ReturnType<typeof createFaults>;

function checkFault({ operation = "*" }: Fault): void {
  const unknown = [operation].flat().find((name) => name !== "*" && !Object.hasOwn(handlers, name));
  if (unknown !== undefined) throw new UsageError(`The operation ${unknown} does not exist.`);
}

function appliesTo({ operation = "*", match }: Fault, request: RequestRecord): boolean {
  const operations: readonly unknown[] = [operation].flat();
  if (!operations.includes("*") && !operations.includes(request.operationId)) return false;
  return match?.(request) ?? true;
}
